package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
    private static final Provenance PROVENANCE =
            new Provenance(Instant.parse("2026-11-20T00:00:00Z"), "abc", "17.0.15", 2, "a cpu");

    @TempDir
    Path folder;

    @Test
    void theHeaderIsWhatOthersRead() {
        assertThat(Provenance.HEADER + "," + Row.HEADER)
                .isEqualTo("when,commit,jdk,cpus,cpu,sweep,point,workload,mode,parse_queue,owner_queue,parse_wait,"
                        + "owner_wait,parse_capacity,owner_capacity,netty_workers,parse_workers,owner_workers,"
                        + "batch_messages,linger_us,gc,connections,run,kind,offered_per_s,events,seconds,events_per_s,"
                        + "cpu_s_per_million,alloc_bytes_per_event,gc_pauses,gc_pause_ms,gc_pause_max_ms,"
                        + "parse_fill,parse_full_share,parse_empty_share,owner_fill,owner_full_share,owner_empty_share,"
                        + "latency_p50_us,latency_p90_us,latency_p99_us,latency_p999_us,latency_max_us,status");
    }

    @Test
    void rowsComeBackAsTheyWere() throws IOException {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        for (Metric figure : Metric.values()) {
            figures.put(figure, figure.ordinal() + 1.0);
        }
        Row full = Row.ok("s", Points.space().base(), 2, Kind.LATENCY, 500_000, figures);
        Row some = Row.ok("s", Points.with(Factor.MODE, "locked"), 1, Kind.THROUGHPUT, 0, Map.of(Metric.EVENTS, 7.0));
        Row failed = Row.failed(
                "s", Points.with(Factor.GC, "ZGC"), 3, Kind.THROUGHPUT, 0, "refused, it said:\n \"no such queue\"");
        Path file = folder.resolve("deep/results.csv");
        Results results = Results.open(file, PROVENANCE);
        for (Row row : List.of(full, some, failed)) {
            results.add(row, List.of());
        }
        assertThat(Results.open(file, PROVENANCE).rows())
                .isEqualTo(results.rows())
                .containsExactly(full, some, failed);
        assertThat(failed.status()).isEqualTo("failed: refused; it said: no such queue");
        assertThat(full.point().value(Factor.JDK)).isEqualTo("25.0.3");
        assertThat(Files.readAllLines(file).get(1))
                .as("the JDK is the server's and not that of who measures")
                .contains(",abc,25.0.3,2,a cpu,s," + full.point().id() + ",v1,queued,lbq,lbq,,,256,256,");
    }

    @Test
    void aSeriesStandsNextToItsResults() throws IOException {
        Results results = Results.open(folder.resolve("r.csv"), PROVENANCE);
        Point point = Points.space().base();
        results.add(
                Row.ok("s", point, 1, Kind.LATENCY, 10, Map.of()),
                List.of(
                        new SeriesSample(100, 0.5, 0.25, 1, 1234.4),
                        new SeriesSample(200, Double.NaN, Double.NaN, Double.NaN, 0)));
        assertThat(folder.resolve("r-series.csv"))
                .hasContent("point,run,kind,offered_per_s,t_ms,parse_fill,owner_fill_min,owner_fill_max,events_per_s\n"
                        + point.id() + ",1,latency,10,100,0.5000,0.2500,1.0000,1234\n"
                        + point.id() + ",1,latency,10,200,,,,0\n");
    }

    @Test
    void aSeriesComesBackWithoutWhatAKillLeftOfALine() throws IOException {
        Path file = folder.resolve("r.csv");
        Row row = Row.ok("s", Points.space().base(), 1, Kind.THROUGHPUT, 0, Map.of());
        List<SeriesSample> samples = List.of(
                new SeriesSample(100, 0.5, 0.25, 1, 1234),
                new SeriesSample(200, Double.NaN, Double.NaN, Double.NaN, 0));
        Results.open(file, PROVENANCE).add(row, samples);
        assertThat(Results.read(file).series(row)).isEqualTo(samples);
        Path series = folder.resolve("r-series.csv");
        String whole = Files.readString(series);
        Files.writeString(series, whole + row.point().id() + ",1,through");
        assertThat(Results.read(file).series(row)).isEqualTo(samples);
        assertThat(Results.read(file).remarks())
                .containsExactly("r-series.csv: the last line was cut short and left out");
        Results.open(file, PROVENANCE).add(Row.ok("s", row.point(), 2, Kind.THROUGHPUT, 0, Map.of()), samples);
        assertThat(Results.read(file).remarks()).isEmpty();
        assertThat(Files.readString(series)).startsWith(whole).hasLineCount(5);
    }

    @Test
    void whatWasOpenedToBeReadIsNotWrittenTo() throws IOException {
        Path file = folder.resolve("r.csv");
        Row row = Row.ok("s", Points.space().base(), 1, Kind.THROUGHPUT, 0, Map.of());
        Results.open(file, PROVENANCE).add(row, List.of());
        Results read = Results.read(file);
        assertThatThrownBy(() -> read.add(row, List.of())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void medianIsOverRunsThatCameToTheirEnd() throws IOException {
        Results results = Results.open(folder.resolve("r.csv"), PROVENANCE);
        Point point = Points.space().base();
        assertThat(results.median(point, Metric.EVENTS_PER_S, 9)).isEmpty();
        int run = 1;
        for (double perSecond : new double[] {10, 40, 20}) {
            results.add(
                    Row.ok("s", point, run++, Kind.THROUGHPUT, 0, Map.of(Metric.EVENTS_PER_S, perSecond)), List.of());
        }
        results.add(Row.failed("s", point, run, Kind.THROUGHPUT, 0, "why"), List.of());
        results.add(Row.ok("s", point, 1, Kind.LATENCY, 5, Map.of(Metric.EVENTS_PER_S, 5.0)), List.of());
        assertThat(results.median(point, Metric.EVENTS_PER_S, 9)).hasValue(20);
        assertThat(results.median(point, Metric.EVENTS_PER_S, 2))
                .as("of two runs")
                .hasValue(25);
    }

    @Test
    void aFileOfSomethingElseIsLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("e2e.csv"), "when,commit,workload\n1,2,3\n");
        assertThatThrownBy(() -> Results.open(file, PROVENANCE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no file of results");
        assertThat(file).hasContent("when,commit,workload\n1,2,3\n");
    }
}
