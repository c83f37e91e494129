package io.summarizer.bench.versus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

public class VersionTest {
    private static final String SAMPLE = "versus.VersionTest$Sample.";
    private static final List<Path> CLASS_PATH = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();

    /** A benchmark whose run takes as many steps as its field says. */
    @State(Scope.Thread)
    public static class Sample {
        /** Number of steps. */
        @Param({"7", "8"})
        public int steps;

        private boolean isSet;
        private boolean hasEnded;

        /** Notes that it was called. */
        @Setup
        public void setUp() {
            isSet = true;
        }

        /** Notes that the trial ended. */
        @TearDown
        public void tearDown() {
            hasEnded = true;
        }

        /** Takes its steps. */
        @Benchmark
        public int work() {
            if (!isSet || steps == 0) {
                throw new IllegalStateException("setUp was not called, or steps has no value");
            }
            if (hasEnded) {
                throw new IllegalStateException("after the end");
            }
            int sum = steps;
            for (int i = 0; i < steps; i++) {
                sum = sum * 31 + i;
            }
            return sum;
        }

        /** A benchmark that JMH would give another object. */
        @Benchmark
        public int withParameter(Sample parameter) {
            return parameter.steps;
        }

        void noBenchmark() {}
    }

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void theRatioIsThatOfTheSpeeds() throws Exception {
        Version slow = new Version(CLASS_PATH, SAMPLE + "work", Map.of("steps", "100000"));
        Version fast = new Version(CLASS_PATH, SAMPLE + "work", Map.of("steps", "1000"));
        double[][] times = VersusMain.measure(fast, slow, 5, 1_000_000);
        assertThat(times[0]).hasSize(5);
        assertThat(VersusMain.ratio(times)).as("about 100").isGreaterThan(5);
        assertThat(VersusMain.ratio(new double[][] {{2, 4, 1}, {6, 2, 2}})).isEqualTo(2);
    }

    @Test
    void eachVersionHasItsOwnClasses() throws Exception {
        Version version = new Version(CLASS_PATH, SAMPLE + "work", Map.of());
        assertThat(version.run(1)).isPositive();
        assertThat(Thread.currentThread().getContextClassLoader().loadClass(Sample.class.getName()))
                .isNotSameAs(Sample.class);
        assertThat(version.run(3)).as("with the first value of its parameter").isPositive();
        version.tearDown();
        assertThatThrownBy(() -> version.run(1)).hasRootCauseMessage("after the end");
    }

    @Test
    void whatIsNoBenchmarkIsNamed() {
        assertThatThrownBy(() -> new Version(CLASS_PATH, "none.Benchmark.run", Map.of()))
                .hasMessageContaining("no benchmark none.Benchmark.run");
        assertThatThrownBy(() -> new Version(CLASS_PATH, SAMPLE + "noBenchmark", Map.of()))
                .hasMessageContaining("has no such benchmark");
        assertThatThrownBy(() -> new Version(CLASS_PATH, SAMPLE + "withParameter", Map.of()))
                .hasMessageContaining("has parameters");
        assertThatThrownBy(() -> new Version(CLASS_PATH, SAMPLE + "work", Map.of("none", "1")))
                .hasMessageContaining("has no field none");
        assertThatThrownBy(() -> new Version(CLASS_PATH, SAMPLE + "work", Map.of("isSet", "true", "steps", "x")))
                .isInstanceOf(NumberFormatException.class);
    }
}
