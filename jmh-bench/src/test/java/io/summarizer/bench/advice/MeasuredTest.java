package io.summarizer.bench.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import io.summarizer.bench.sweep.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredTest {
    private static final Point USUAL = SyntheticSweep.usual("v1", "25.0.3");

    @TempDir
    Path folder;

    @Test
    void readsRunsWithTheirFiguresAndSamples() throws IOException {
        Results results = Results.read(
                new SyntheticSweep(1).noise(0).point(USUAL, 800_000).write(folder));
        assertThat(results.rows()).hasSize(3).allMatch(Row::isOk);
        Row run = results.rows().get(0);
        assertThat(run.point()).isEqualTo(USUAL);
        assertThat(run.value(Metric.EVENTS_PER_S)).isEqualTo(800_000);
        assertThat(run.value(Metric.CPU_S_PER_MILLION)).isBetween(2.0, 2.5);
        assertThat(run.offeredPerS()).isZero();
        assertThat(run.value(Metric.PARSE_EMPTY_SHARE)).isEqualTo(0.04);
        assertThat(run.value(Metric.LATENCY_P99_US)).isNaN();
        assertThat(results.series(run)).hasSize(40).allMatch(sample -> sample.ownerFillMax() > 0.5);
        assertThat(results.series(results.rows().get(1))).isEmpty();
    }

    @Test
    void aFailedRunIsThereButMeasuresNothing() throws IOException {
        Results results = Results.read(new SyntheticSweep(1)
                .point(USUAL)
                .failed(USUAL.with(Factor.GC, "ZGC"), 1, "no such collector, here")
                .write(folder));
        assertThat(results.rows()).hasSize(4);
        assertThat(results.rows().get(3).status()).isEqualTo("failed: no such collector; here");
        assertThat(Measured.of(results, "v1")).extracting(Measured::point).containsExactly(USUAL);
    }

    @Test
    void repeatsOfASettingAreOneAndTheirMedianIsTaken() throws IOException {
        Results results = Results.read(
                new SyntheticSweep(1).repeats(5).noise(0.2).point(USUAL, 1e6).write(folder));
        Measured measured = Measured.of(results, "v1").get(0);
        double[] rates = measured.throughput(Metric.EVENTS_PER_S);
        assertThat(rates).hasSize(5);
        assertThat(measured.median(Metric.EVENTS_PER_S)).isEqualTo(Numbers.median(rates));
    }

    @Test
    void aWaitThatTheQueueHasNoUseForMakesNoOtherSetting() throws IOException {
        Results results = Results.read(new SyntheticSweep(1)
                .point(USUAL)
                .point(USUAL.with(Factor.OWNER_WAIT, "blocking"))
                .write(folder));
        assertThat(Measured.of(results, "v1")).hasSize(1);
    }

    @Test
    void aLineThatAKilledSweepLeftUnfinishedIsToldOf() throws IOException {
        Path file = new SyntheticSweep(1).point(USUAL).write(folder);
        Files.writeString(file, "2026-11-21T10:00:00Z,abc,25.0.3,2,A proc", StandardOpenOption.APPEND);
        Results results = Results.read(file);
        assertThat(results.rows()).hasSize(3);
        assertThat(results.remarks()).containsExactly("sweep.csv: the last line was cut short and left out");
    }

    @Test
    void anotherFileIsRefusedByName() throws IOException {
        Path file = Files.write(folder.resolve("other.csv"), List.of("a,b", "1,2"));
        assertThatThrownBy(() -> Results.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other.csv is no file of results of a sweep");
    }
}
