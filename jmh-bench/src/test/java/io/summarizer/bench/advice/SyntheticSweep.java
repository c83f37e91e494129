package io.summarizer.bench.advice;

import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Kind;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Row;
import io.summarizer.bench.sweep.SeriesSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Results from a small model of the pipeline instead of a server: the same seed gives the same file. */
public final class SyntheticSweep {
    private static final String SWEEP = "synthetic";
    private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

    private final Random random;
    private final List<String> rows = new ArrayList<>();
    private final List<String> series = new ArrayList<>();
    private double noise = 0.03;
    private int repeats = 3;
    private int from = 1;
    private String commit = "abc1234";

    public SyntheticSweep(long seed) {
        random = new Random(seed);
    }

    /** Sets the standard deviation of repeats, as a share. */
    public SyntheticSweep noise(double share) {
        noise = share;
        return this;
    }

    public SyntheticSweep repeats(int count) {
        repeats = count;
        return this;
    }

    /** Sets the number of the first run of each point. */
    public SyntheticSweep from(int run) {
        from = run;
        return this;
    }

    public SyntheticSweep commit(String name) {
        commit = name;
        return this;
    }

    /** The default of a machine with two processors. */
    public static Point usual(String workload, String jdk) {
        EnumMap<Factor, String> values = new EnumMap<>(Factor.class);
        values.putAll(Map.of(
                Factor.WORKLOAD, workload,
                Factor.JDK, jdk,
                Factor.MODE, "queued",
                Factor.PARSE_QUEUE, "lbq",
                Factor.OWNER_QUEUE, "lbq",
                Factor.PARSE_CAPACITY, "256",
                Factor.OWNER_CAPACITY, "256",
                Factor.NETTY_WORKERS, "1",
                Factor.PARSE_WORKERS, "1",
                Factor.OWNER_WORKERS, "1"));
        values.putAll(
                Map.of(Factor.BATCH_MESSAGES, "0", Factor.LINGER_US, "2000", Factor.GC, "G1", Factor.CONNECTIONS, "2"));
        return Point.of(values);
    }

    /** A setting of a mode without queues. */
    public static Point without(String mode, String workload, String jdk, int netty) {
        Point setting = usual(workload, jdk).with(Factor.MODE, mode).with(Factor.NETTY_WORKERS, "" + netty);
        for (Factor factor : List.of(
                Factor.PARSE_QUEUE,
                Factor.OWNER_QUEUE,
                Factor.PARSE_CAPACITY,
                Factor.OWNER_CAPACITY,
                Factor.PARSE_WORKERS,
                Factor.OWNER_WORKERS)) {
            setting = setting.with(factor, "");
        }
        return setting;
    }

    /**
     * Adds the grid of the article, baselines, one factor at a time, and latency of some points, as in a full sweep.
     */
    public SyntheticSweep full(List<String> workloads, List<String> jdks) {
        for (String workload : workloads) {
            for (String jdk : jdks) {
                for (String queues : List.of("abq-abq", "lbq-lbq", "mpmc-mpsc", "lbq-disruptor")) {
                    for (int parsers = 1; parsers <= 3; parsers++) {
                        for (int owners = 1; owners <= 4; owners++) {
                            point(grid(workload, jdk, queues, parsers, owners));
                        }
                    }
                }
                for (int netty = 1; netty <= 3; netty++) {
                    point(without("inline", workload, jdk, netty));
                    point(without("locked", workload, jdk, netty));
                    if (netty > 1) {
                        point(usual(workload, jdk).with(Factor.NETTY_WORKERS, "" + netty));
                    }
                }
                for (String capacity : List.of("16", "1024", "4096")) {
                    point(usual(workload, jdk)
                            .with(Factor.PARSE_CAPACITY, capacity)
                            .with(Factor.OWNER_CAPACITY, capacity));
                }
                for (String batch : List.of("1", "8", "64", "512")) {
                    point(usual(workload, jdk).with(Factor.BATCH_MESSAGES, batch));
                }
                for (String gc : List.of("Parallel", "ZGC")) {
                    point(usual(workload, jdk).with(Factor.GC, gc));
                }
                for (String wait : List.of("sleeping", "yielding", "busy-spin")) {
                    point(grid(workload, jdk, "lbq-disruptor", 1, 1).with(Factor.OWNER_WAIT, wait));
                }
            }
            String newest = jdks.get(jdks.size() - 1);
            latency(usual(workload, newest));
            latency(grid(workload, newest, "mpmc-mpsc", 1, 2));
            latency(grid(workload, newest, "lbq-disruptor", 1, 1));
            latency(without("inline", workload, newest, 2));
            latency(without("locked", workload, newest, 2));
        }
        return this;
    }

    public static Point grid(String workload, String jdk, String queues, int parsers, int owners) {
        String[] pair = queues.split("-");
        return usual(workload, jdk)
                .with(Factor.PARSE_QUEUE, pair[0])
                .with(Factor.OWNER_QUEUE, pair[1])
                .with(Factor.PARSE_WAIT, polling(pair[0]))
                .with(Factor.OWNER_WAIT, polling(pair[1]))
                .with(Factor.PARSE_WORKERS, "" + parsers)
                .with(Factor.OWNER_WORKERS, "" + owners);
    }

    private static String polling(String queue) {
        return queue.equals("abq") || queue.equals("lbq") ? "" : "blocking";
    }

    /** The rate of the model, in events/s. */
    public static double rate(Point setting) {
        boolean nested = setting.value(Factor.WORKLOAD).equals("v2");
        double rate = nested ? 420e3 : 1.1e6;
        if (setting.value(Factor.MODE).equals("inline")) {
            rate *= 0.7 + 0.1 * Math.min(2, setting.number(Factor.NETTY_WORKERS));
        } else if (setting.value(Factor.MODE).equals("locked")) {
            rate *= 0.55;
        } else {
            double parsers = setting.number(Factor.PARSE_WORKERS);
            double owners = setting.number(Factor.OWNER_WORKERS);
            // v2 takes more to parse, v1 suffers from every thread beyond its cores.
            rate *= nested
                    ? 1 + 0.16 * (parsers - 1) - 0.05 * (owners - 1) * (owners - 1)
                    : 1 - 0.14 * (parsers - 1) + 0.12 * (owners - 1) - 0.06 * (owners - 1) * (owners - 1);
            rate *= setting.value(Factor.PARSE_QUEUE).equals("abq") ? 1 - 0.12 * (parsers - 1) : 1;
            rate *= setting.value(Factor.OWNER_QUEUE).equals("mpsc") ? 1.08 : 1;
            rate *= setting.value(Factor.OWNER_QUEUE).equals("disruptor") ? 1.05 : 1;
            rate *= setting.value(Factor.OWNER_WAIT).equals("busy-spin") ? 1.18 : 1;
            double batch = setting.number(Factor.BATCH_MESSAGES);
            rate *= batch > 0 ? batch / (batch + 4) : 1;
            rate *= setting.number(Factor.PARSE_CAPACITY) < 64 ? 0.9 : 1;
            rate *= setting.number(Factor.NETTY_WORKERS) > 2 ? 0.9 : 1;
        }
        rate *= setting.value(Factor.GC).equals("ZGC") ? 0.85 : 1;
        return rate * (setting.value(Factor.JDK).startsWith("17") ? 0.94 : 1);
    }

    /** Adds runs of a setting at full speed. */
    public SyntheticSweep point(Point setting) {
        return point(setting, rate(setting));
    }

    /** Adds runs of a setting at full speed with this median rate. */
    public SyntheticSweep point(Point setting, double rate) {
        for (int run = from; run < from + repeats; run++) {
            double measured = rate * Math.exp(noise * random.nextGaussian());
            Map<Metric, Double> figures = new EnumMap<>(Metric.class);
            figures.put(Metric.EVENTS, 2e6);
            figures.put(Metric.SECONDS, 2e6 / measured);
            figures.put(Metric.EVENTS_PER_S, measured);
            figures.put(Metric.CPU_S_PER_MILLION, 1.8 / (rate / 1e6) * Math.exp(noise * random.nextGaussian()));
            garbage(figures, 12, 55, 9);
            boolean queued = setting.value(Factor.MODE).equals("queued");
            boolean nested = setting.value(Factor.WORKLOAD).equals("v2");
            if (queued) {
                double full = nested ? 0.93 : 0.15;
                figures.put(Metric.PARSE_FILL, full);
                figures.put(Metric.PARSE_FULL_SHARE, full * 0.9);
                figures.put(Metric.PARSE_EMPTY_SHARE, 0.04);
                figures.put(Metric.OWNER_FILL, 0.4);
                figures.put(Metric.OWNER_FULL_SHARE, nested ? 0.02 : 0.45);
                figures.put(Metric.OWNER_EMPTY_SHARE, 0.5);
            }
            row(Row.ok(SWEEP, setting, run, Kind.THROUGHPUT, 0, figures));
            if (queued && run == 1) {
                samples(setting, nested, measured);
            }
        }
        return this;
    }

    private static void garbage(Map<Metric, Double> figures, double pauses, double millis, double longest) {
        figures.put(Metric.ALLOC_BYTES_PER_EVENT, 42.0);
        figures.put(Metric.GC_PAUSES, pauses);
        figures.put(Metric.GC_PAUSE_MS, millis);
        figures.put(Metric.GC_PAUSE_MAX_MS, longest);
    }

    private void samples(Point setting, boolean nested, double rate) {
        double parse = 0.5;
        for (int t = 0; t < 40; t++) {
            parse = Math.max(0, Math.min(1, parse + (nested ? 0.2 : -0.2) + 0.2 * random.nextGaussian()));
            SeriesSample sample = new SeriesSample(
                    t * 100L, parse, nested ? 0 : 0.05 * random.nextDouble(), 1 - 0.1 * random.nextDouble(), rate);
            series.add(sample.csv(setting, 1, Kind.THROUGHPUT, 0));
        }
    }

    /** Adds runs of a setting at a quarter, half, three quarters and nine tenths of the default's rate. */
    public SyntheticSweep latency(Point setting) {
        double most = rate(usual(setting.value(Factor.WORKLOAD), setting.value(Factor.JDK)));
        for (double share : new double[] {0.25, 0.5, 0.75, 0.9}) {
            long offered = 1000 * Math.round(share * most / 1000);
            double load = offered / rate(setting);
            for (int run = 1; run <= repeats; run++) {
                if (load >= 1) {
                    row(Row.failed(
                            SWEEP, setting, run, Kind.LATENCY, offered, "fell behind the offered rate, gave up"));
                    continue;
                }
                double p50 = 400 / (1 - load) * Math.exp(noise * random.nextGaussian());
                double p99 = p50 * 6 * Math.exp(2 * noise * random.nextGaussian());
                Map<Metric, Double> figures = new EnumMap<>(Metric.class);
                figures.put(Metric.EVENTS, 5e5);
                figures.put(Metric.SECONDS, 5e5 / offered);
                figures.put(Metric.EVENTS_PER_S, (double) offered);
                figures.put(Metric.CPU_S_PER_MILLION, 2.2);
                garbage(figures, 3, 12, 6);
                figures.put(Metric.LATENCY_P50_US, p50);
                figures.put(Metric.LATENCY_P90_US, p50 * 2);
                figures.put(Metric.LATENCY_P99_US, p99);
                figures.put(Metric.LATENCY_P999_US, p99 * 4);
                figures.put(Metric.LATENCY_MAX_US, p99 * 9);
                row(Row.ok(SWEEP, setting, run, Kind.LATENCY, offered, figures));
            }
        }
        return this;
    }

    /** Adds a failed run at full speed. */
    public SyntheticSweep failed(Point setting, int run, String reason) {
        row(Row.failed(SWEEP, setting, run, Kind.THROUGHPUT, 0, reason));
        return this;
    }

    private void row(Row row) {
        Provenance origin = new Provenance(
                START.plusSeconds(rows.size()), commit, row.point().value(Factor.JDK), 2, "A processor");
        rows.add(origin.csv() + "," + row.csv());
    }

    /** Writes both files; returns that of the results. */
    public Path write(Path folder) throws IOException {
        Path file = folder.resolve("sweep.csv");
        rows.add(0, Provenance.HEADER + "," + Row.HEADER);
        series.add(0, SeriesSample.HEADER);
        Files.write(file, rows);
        Files.write(folder.resolve("sweep-series.csv"), series);
        return file;
    }

    /** Writes a full sweep, to look at pictures, into the folder that is the first argument. */
    public static void main(String[] arguments) throws IOException {
        new SyntheticSweep(1)
                .full(List.of("v1", "v2"), List.of("17.0.19", "25.0.3"))
                .write(Path.of(arguments[0]));
    }
}
