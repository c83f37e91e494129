package io.summarizer.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.ParameterException;

class StressTest {
    @TempDir
    Path folder;

    /** Runs each test for a moment; {@code bin/bench stress} runs longer. */
    @Test
    @Tag("long")
    void noTwoActorsComeToAnOutcomeThatIsNotAcceptable() throws Exception {
        assertThat(Stress.run(folder, List.of("-m", "quick", "-time", "200", "-iters", "1", "-f", "1", "-sc", "false")))
                .as("exit status of jcstress; what it saw is in the output of this test")
                .isZero();
        assertThat(folder.resolve("index.html")).exists();
    }

    @Test
    void whatIsGivenIsPassedOnAsItIsWritten() {
        String[] arguments = {"-t", "Cs.*,x", "-m", "quick", "-l", "true", "-jvmArgs", "-Xint -Xmx1g", "-sc", "false"};
        assertThat(Stress.given(BenchCommand.commandLine(new Stress()).parseArgs(arguments)))
                .containsExactly(arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-mode", "-tX", "--mode", "-v"})
    void anOptionThatJcstressWouldNotKnowIsRefused(String option) {
        assertThatThrownBy(() -> BenchCommand.commandLine(new Stress()).parseArgs("-t", "Gate", option, "quick"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("Unknown option");
    }
}
