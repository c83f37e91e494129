package io.summarizer.bench.command;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SweepTest {
    @ParameterizedTest
    @CsvSource({
        "--for, latency, is not throughput or cpu",
        "--plan, all, is not grid",
        "--budget, soon, is not a time such as 90s"
    })
    void aWrongChoiceIsAnsweredByTheRightOnes(String option, String value, String answer) {
        assertThatThrownBy(() -> new CommandLine(new Sweep()).parseArgs(option, value))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(answer);
    }

    @Test
    void choicesAreTakenInSmallLetters() {
        var unused = new CommandLine(new Sweep()).parseArgs("--for", "cpu", "--plan", "search", "--budget", "20m");
    }
}
