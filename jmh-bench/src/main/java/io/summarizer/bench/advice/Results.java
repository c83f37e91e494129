package io.summarizer.bench.advice;

import io.summarizer.bench.advice.Run.Fill;
import io.summarizer.bench.advice.Run.Kind;
import io.summarizer.bench.advice.Run.Latency;
import io.summarizer.bench.advice.Run.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/** The runs of a sweep, and what its queues held meanwhile. Immutable once read. */
public final class Results {
    private static final List<String> NEEDED = List.of(
            "jdk",
            "workload",
            "mode",
            "parse_queue",
            "owner_queue",
            "netty_workers",
            "parse_workers",
            "owner_workers",
            "run",
            "kind",
            "events_per_s",
            "status");

    private final List<Run> runs = new ArrayList<>();
    private final Map<String, List<Sample>> series = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    private Results() {}

    /**
     * Reads {@code RESULTS.csv}, and {@code RESULTS-series.csv} beside it when it is there.
     *
     * @throws IllegalArgumentException when it is not a file that a sweep wrote
     */
    public static Results read(Path file) throws IOException {
        Results results = new Results();
        CsvTable table = CsvTable.read(file, NEEDED);
        results.cut(table, file);
        for (int row = 0; row < table.rows(); row++) {
            results.runs.add(run(table, row));
        }
        String name = file.getFileName().toString();
        Path beside = file.resolveSibling(
                (name.endsWith(".csv") ? name.substring(0, name.length() - 4) : name) + "-series.csv");
        if (Files.exists(beside)) {
            results.readSeries(beside);
        }
        return results;
    }

    private static Run run(CsvTable table, int row) {
        EnumMap<Factor, String> values = new EnumMap<>(Factor.class);
        for (Factor factor : Factor.values()) {
            values.put(factor, table.text(row, factor.column()));
        }
        Defaults.dropIdleWait(values, Factor.PARSE_QUEUE, Factor.PARSE_WAIT);
        Defaults.dropIdleWait(values, Factor.OWNER_QUEUE, Factor.OWNER_WAIT);
        Setting setting = Setting.of(values);
        String status = table.text(row, "status");
        return new Run(
                new Origin(
                        table.text(row, "when"),
                        table.text(row, "commit"),
                        table.text(row, "jdk"),
                        table.text(row, "cpus"),
                        table.text(row, "cpu")),
                setting,
                table.text(row, "point"),
                (int) table.number(row, "run"),
                table.text(row, "kind").equals("latency") ? Kind.LATENCY : Kind.THROUGHPUT,
                table.number(row, "offered_per_s"),
                table.number(row, "events_per_s"),
                table.number(row, "cpu_s_per_million"),
                table.number(row, "alloc_bytes_per_event"),
                table.number(row, "gc_pauses"),
                table.number(row, "gc_pause_ms"),
                table.number(row, "gc_pause_max_ms"),
                fill(table, row, "parse"),
                fill(table, row, "owner"),
                new Latency(
                        table.number(row, "latency_p50_us"),
                        table.number(row, "latency_p90_us"),
                        table.number(row, "latency_p99_us"),
                        table.number(row, "latency_p999_us"),
                        table.number(row, "latency_max_us")),
                status);
    }

    private static Fill fill(CsvTable table, int row, String stage) {
        return new Fill(
                table.number(row, stage + "_fill"),
                table.number(row, stage + "_full_share"),
                table.number(row, stage + "_empty_share"));
    }

    private void readSeries(Path file) throws IOException {
        CsvTable table = CsvTable.read(file, List.of("point", "run", "kind", "t_ms"));
        cut(table, file);
        for (int row = 0; row < table.rows(); row++) {
            if (!table.text(row, "kind").equals("throughput")) {
                continue;
            }
            series.computeIfAbsent(
                            seriesKey(table.text(row, "point"), (int) table.number(row, "run")),
                            key -> new ArrayList<>())
                    .add(new Sample(
                            table.number(row, "t_ms"),
                            table.number(row, "parse_fill"),
                            table.number(row, "owner_fill_min"),
                            table.number(row, "owner_fill_max"),
                            table.number(row, "events_per_s")));
        }
    }

    private void cut(CsvTable table, Path file) {
        if (table.cut() > 0) {
            remarks.add(file.getFileName() + ": " + table.cut()
                    + (table.cut() == 1 ? " line was" : " lines were")
                    + " cut short and left out");
        }
    }

    /** All runs, failed ones too, in the order of the file. */
    public List<Run> runs() {
        return List.copyOf(runs);
    }

    /** What was odd about the files. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Samples of a run at full speed; empty when there are none. */
    public List<Sample> series(Run run) {
        return series.getOrDefault(seriesKey(run.point(), run.number()), List.of());
    }

    /** Whether there are any samples at all. */
    public boolean hasSeries() {
        return !series.isEmpty();
    }

    /** Distinct values in natural order. */
    public List<String> values(Function<Run, String> of) {
        TreeSet<String> values = new TreeSet<>(Numbers.NATURAL);
        runs.forEach(run -> values.add(of.apply(run)));
        return List.copyOf(values);
    }

    /** Settings of a workload with the runs they have, in the order of the file; failed runs are not among them. */
    public List<Measured> measured(String workload) {
        Map<Setting, List<Run>> bySetting = new LinkedHashMap<>();
        for (Run run : runs) {
            if (run.ok() && run.setting().get(Factor.WORKLOAD).equals(workload)) {
                bySetting
                        .computeIfAbsent(run.setting(), setting -> new ArrayList<>())
                        .add(run);
            }
        }
        return bySetting.entrySet().stream()
                .map(entry -> new Measured(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The value that most settings have; the lower one of two. */
    public static String usual(Collection<Measured> measured, Factor factor) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        measured.forEach(
                one -> counts.merge(one.setting().get(factor), one.runs().size(), Integer::sum));
        String usual = "";
        int most = 0;
        for (String value : new TreeSet<>(counts.keySet())) {
            int count = counts.getOrDefault(value, 0);
            if (count > most) {
                usual = value;
                most = count;
            }
        }
        return usual;
    }

    private static String seriesKey(String point, int run) {
        return point + "/" + run;
    }
}
