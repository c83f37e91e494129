package io.summarizer.bench.advice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/** Results that a small model of the pipeline makes instead of a server: the same seed gives the same file. */
public final class SyntheticSweep {
    static final String HEADER = "when,commit,jdk,cpus,cpu,sweep,point,workload,mode,parse_queue,owner_queue,"
            + "parse_wait,owner_wait,parse_capacity,owner_capacity,netty_workers,parse_workers,owner_workers,"
            + "batch_messages,linger_us,gc,connections,run,kind,offered_per_s,events,seconds,events_per_s,"
            + "cpu_s_per_million,alloc_bytes_per_event,gc_pauses,gc_pause_ms,gc_pause_max_ms,parse_fill,"
            + "parse_full_share,parse_empty_share,owner_fill,owner_full_share,owner_empty_share,latency_p50_us,"
            + "latency_p90_us,latency_p99_us,latency_p999_us,latency_max_us,status";
    private static final String SERIES_HEADER =
            "point,run,kind,offered_per_s,t_ms,parse_fill,owner_fill_min,owner_fill_max,events_per_s";

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

    /** Standard deviation of repeats as a share. */
    public SyntheticSweep noise(double share) {
        noise = share;
        return this;
    }

    public SyntheticSweep repeats(int count) {
        repeats = count;
        return this;
    }

    /** Number of the first run of each point. */
    public SyntheticSweep from(int run) {
        from = run;
        return this;
    }

    public SyntheticSweep commit(String name) {
        commit = name;
        return this;
    }

    /** The default of a machine with two processors. */
    public static Setting usual(String workload, String jdk) {
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
                Map.of(Factor.BATCH_MESSAGES, "0", Factor.LINGER_US, "0", Factor.GC, "G1", Factor.CONNECTIONS, "2"));
        return Setting.of(values);
    }

    /** A setting of a mode without queues. */
    public static Setting without(String mode, String workload, String jdk, int netty) {
        Setting setting = usual(workload, jdk).with(Factor.MODE, mode).with(Factor.NETTY_WORKERS, "" + netty);
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

    /** The grid of the article, baselines, one factor at a time, and latency of some: what a full sweep has. */
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

    public static Setting grid(String workload, String jdk, String queues, int parsers, int owners) {
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
    public static double rate(Setting setting) {
        boolean nested = setting.get(Factor.WORKLOAD).equals("v2");
        double rate = nested ? 420e3 : 1.1e6;
        if (setting.get(Factor.MODE).equals("inline")) {
            rate *= 0.7 + 0.1 * Math.min(2, setting.number(Factor.NETTY_WORKERS));
        } else if (setting.get(Factor.MODE).equals("locked")) {
            rate *= 0.55;
        } else {
            double parsers = setting.number(Factor.PARSE_WORKERS);
            double owners = setting.number(Factor.OWNER_WORKERS);
            // v2 takes more to parse, v1 suffers from every thread beyond its cores.
            rate *= nested
                    ? 1 + 0.16 * (parsers - 1) - 0.05 * (owners - 1) * (owners - 1)
                    : 1 - 0.14 * (parsers - 1) + 0.12 * (owners - 1) - 0.06 * (owners - 1) * (owners - 1);
            rate *= setting.get(Factor.PARSE_QUEUE).equals("abq") ? 1 - 0.12 * (parsers - 1) : 1;
            rate *= setting.get(Factor.OWNER_QUEUE).equals("mpsc") ? 1.08 : 1;
            rate *= setting.get(Factor.OWNER_QUEUE).equals("disruptor") ? 1.05 : 1;
            rate *= setting.get(Factor.OWNER_WAIT).equals("busy-spin") ? 1.18 : 1;
            double batch = setting.number(Factor.BATCH_MESSAGES);
            rate *= batch > 0 ? batch / (batch + 4) : 1;
            rate *= setting.number(Factor.PARSE_CAPACITY) < 64 ? 0.9 : 1;
            rate *= setting.number(Factor.NETTY_WORKERS) > 2 ? 0.9 : 1;
        }
        rate *= setting.get(Factor.GC).equals("ZGC") ? 0.85 : 1;
        return rate * (setting.get(Factor.JDK).startsWith("17") ? 0.94 : 1);
    }

    /** Runs of a setting at full speed. */
    public SyntheticSweep point(Setting setting) {
        return point(setting, rate(setting));
    }

    /** Runs of a setting at full speed with this rate in the middle. */
    public SyntheticSweep point(Setting setting, double rate) {
        for (int run = from; run < from + repeats; run++) {
            double measured = rate * Math.exp(noise * random.nextGaussian());
            double cpu = 1.8 / (rate / 1e6) * Math.exp(noise * random.nextGaussian());
            boolean queued = setting.get(Factor.MODE).equals("queued");
            boolean nested = setting.get(Factor.WORKLOAD).equals("v2");
            double full = nested ? 0.93 : 0.15;
            String fills = queued
                    ? format("%.3f,%.3f,%.3f,%.3f,%.3f,%.3f", full, full * 0.9, 0.04, 0.4, nested ? 0.02 : 0.45, 0.5)
                    : ",,,,,";
            row(
                    setting,
                    run,
                    format("throughput,,%d,%.2f,%.0f", 2_000_000, 2e6 / measured, measured),
                    format("%.3f,%.1f,%d,%.1f,%.1f", cpu, 42.0, 12, 55.0, 9.0),
                    fills,
                    ",,,,",
                    "ok");
            if (queued && run == 1) {
                samples(setting, nested, measured);
            }
        }
        return this;
    }

    private void samples(Setting setting, boolean nested, double rate) {
        double parse = 0.5;
        for (int t = 0; t < 40; t++) {
            parse = Math.max(0, Math.min(1, parse + (nested ? 0.2 : -0.2) + 0.2 * random.nextGaussian()));
            series.add(format(
                    "%s,1,throughput,,%d,%.3f,%.3f,%.3f,%.0f",
                    name(setting),
                    t * 100,
                    parse,
                    nested ? 0 : 0.05 * random.nextDouble(),
                    1 - 0.1 * random.nextDouble(),
                    rate));
        }
    }

    /** Runs of a setting at a quarter, half, three quarters and nine tenths of what the default does. */
    public SyntheticSweep latency(Setting setting) {
        for (double share : new double[] {0.25, 0.5, 0.75, 0.9}) {
            double offered =
                    Math.rint(share * rate(usual(setting.get(Factor.WORKLOAD), setting.get(Factor.JDK))) / 1000) * 1000;
            double load = offered / rate(setting);
            for (int run = 1; run <= repeats; run++) {
                if (load >= 1) {
                    failed(setting, run, "latency," + format("%.0f", offered), "fell behind the offered rate, gave up");
                    continue;
                }
                double p50 = 400 / (1 - load) * Math.exp(noise * random.nextGaussian());
                double p99 = p50 * 6 * Math.exp(2 * noise * random.nextGaussian());
                row(
                        setting,
                        run,
                        format("latency,%.0f,%d,%.2f,%.0f", offered, 500_000, 5e5 / offered, offered),
                        format("%.3f,%.1f,%d,%.1f,%.1f", 2.2, 42.0, 3, 12.0, 6.0),
                        ",,,,,",
                        format("%.0f,%.0f,%.0f,%.0f,%.0f", p50, p50 * 2, p99, p99 * 4, p99 * 9),
                        "ok");
            }
        }
        return this;
    }

    /** A run that failed. */
    public SyntheticSweep failed(Setting setting, int run, String kindAndRate, String reason) {
        row(setting, run, kindAndRate + ",,,", ",,,,", ",,,,,", ",,,,", "\"failed: " + reason + "\"");
        return this;
    }

    private void row(
            Setting setting, int run, String rates, String costs, String fills, String latencies, String status) {
        StringBuilder factors = new StringBuilder();
        for (Factor factor : Factor.values()) {
            if (factor != Factor.JDK) {
                factors.append(setting.get(factor)).append(',');
            }
        }
        rows.add("2026-11-21T10:00:" + format("%02d", rows.size() % 60) + "Z," + commit + ","
                + setting.get(Factor.JDK) + ",2,A processor,synthetic," + name(setting) + "," + factors + run + ","
                + rates + "," + costs + "," + fills + "," + latencies + "," + status);
    }

    private static String name(Setting setting) {
        return Integer.toHexString(setting.toString().hashCode());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Writes both files; the results' own is returned. */
    public Path write(Path folder) throws IOException {
        Path file = folder.resolve("sweep.csv");
        rows.add(0, HEADER);
        series.add(0, SERIES_HEADER);
        Files.write(file, rows);
        Files.write(folder.resolve("sweep-series.csv"), series);
        return file;
    }

    /** Writes a full sweep into the folder that is the first argument: to look at pictures. */
    public static void main(String[] arguments) throws IOException {
        new SyntheticSweep(1)
                .full(List.of("v1", "v2"), List.of("17.0.19", "25.0.3"))
                .write(Path.of(arguments[0]));
    }
}
