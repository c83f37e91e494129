package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class GarbageCollectorsTest {
    private static List<String> names() {
        return GarbageCollectors.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shouldStartAJvmWithEach(String name) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseG1GC", "-XX:NewSize=4m", "-XX:MaxNewSize=4m", "-XX:MaxTenuringThreshold=0"));
        command.addAll(GarbageCollectors.flags(name));
        command.addAll(List.of("-Xlog:gc", "-Xmx512m", "-version"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("Using " + (name.equals("ZGC") ? "The Z Garbage Collector" : name));
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThatThrownBy(() -> GarbageCollectors.flags("CMS"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CMS")
                .hasMessageContaining("Shenandoah");
    }
}
