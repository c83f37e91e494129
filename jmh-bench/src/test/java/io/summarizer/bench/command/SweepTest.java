package io.summarizer.bench.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.bench.sweep.Objective;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class SweepTest {
    @ParameterizedTest
    @CsvSource({
        "--for, latency, 'expected one of [THROUGHPUT, CPU]'",
        "--plan, all, 'expected one of [GRID, ONE_AT_A_TIME, one-at-a-time, SEARCH]'",
        "--budget, soon, is not a time such as 90s"
    })
    void aWrongChoiceIsAnsweredByTheRightOnes(String option, String value, String answer) {
        assertThatThrownBy(() -> BenchCommand.commandLine(new Sweep()).parseArgs(option, value))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(answer);
    }

    @Test
    void choicesAreTakenInSmallLetters() {
        ParseResult parsed =
                BenchCommand.commandLine(new Sweep()).parseArgs("--for", "cpu", "--plan", "search", "--budget", "20m");
        assertThat(parsed.matchedOption("--for").<Objective>getValue()).isEqualTo(Objective.CPU);
        assertThat(parsed.matchedOption("--plan").<Sweep.PlanKind>getValue()).isEqualTo(Sweep.PlanKind.SEARCH);
        assertThat(parsed.matchedOption("--budget").<Duration>getValue()).isEqualTo(Duration.ofMinutes(20));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0us, 0", "500us, 500", "1ms, 1000"})
    void aLingerIsInMicrosecondsAndNoneNeedsNoUnit(String given, String micros) {
        assertThat(new Sweep.MicrosConverter().convert(given)).isEqualTo(micros);
    }
}
