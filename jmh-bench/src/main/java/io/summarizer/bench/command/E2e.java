package io.summarizer.bench.command;

import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.report.Provenance;
import io.summarizer.server.workload.AdsWorkload;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * TCP socket to aggregated state: events a second through a whole server, with the sender's work on the same cores.
 * <pre>
 *   bin/bench e2e [--workload v1|v2|all] [--events N] [--repeats N] [--set key=value]... [--run] [--record FILE]
 * </pre>
 * For each workload a file is generated (in memory where there is a /dev/shm), sent once or twice to warm up and then
 * {@code repeats} times over a new connection each. The clock runs from the order to send until the answer to
 * {@code GET /summaries} shows every event: that answer is a cut taken behind the last of them. {@code --run} measures
 * {@code bin/summarizer run} over the same file instead, as a whole process with its start and its CSV.
 */
public final class E2e {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int WARM_UPS = 3;

    private final Path home = Path.of(System.getProperty("summarizer.home", "."));
    private final PrintStream out = System.out;
    private final List<String> settings = new ArrayList<>();
    private String workload = "all";
    private long events;
    private int repeats = 7;
    private boolean run;
    private Path record = home.resolve("jmh-bench/results/e2e.csv");
    private boolean recording;

    private E2e() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        E2e benchmark = new E2e();
        benchmark.parse(List.of(arguments));
        for (String workload : benchmark.workload.equals("all") ? List.of("v1", "v2") : List.of(benchmark.workload)) {
            benchmark.measure(workload);
        }
    }

    private void parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            if (name.equals("--run")) {
                run = true;
                continue;
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("unknown option or no value: " + name);
            }
            String value = arguments.get(++i);
            switch (name) {
                case "--workload" -> workload = value;
                case "--events" -> events = Long.parseLong(value);
                case "--repeats" -> repeats = Integer.parseInt(value);
                case "--set" -> settings.add(value);
                case "--record" -> {
                    record = Path.of(value);
                    recording = true;
                }
                default -> throw new IllegalArgumentException("unknown option: " + name);
            }
        }
    }

    private void measure(String name) throws IOException, InterruptedException {
        long count = events > 0 ? events : name.equals("v1") ? 5_000_000 : 2_000_000;
        Path shared = Path.of("/dev/shm");
        Path folder = Files.isWritable(shared)
                ? Files.createTempDirectory(shared, "summarizer-e2e")
                : Files.createTempDirectory("summarizer-e2e");
        try {
            Path file = folder.resolve(name + ".log");
            try (OutputStream sink = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
                (name.equals("v1") ? AdsWorkload.v1(1) : AdsWorkload.v2(1)).writeTo(sink, count);
            }
            out.printf(
                    Locale.ROOT, "%s: %,d events, %.1f bytes each%n", name, count, (double) Files.size(file) / count);
            double[] seconds = run ? runOverFile(folder, file) : sendToServer(folder, file, count);
            report(name, count, seconds);
        } finally {
            delete(folder);
        }
    }

    private double[] sendToServer(Path folder, Path file, long count) throws IOException, InterruptedException {
        try (ServerProcess server =
                ServerProcess.start(home, Files.createDirectory(folder.resolve("data")), settings)) {
            try (SenderProcess sender = SenderProcess.start(file, server.syslogPort())) {
                double[] seconds = new double[repeats];
                long received = 0;
                long updates = 0;
                for (int pass = -WARM_UPS; pass < repeats; pass++) {
                    received += count;
                    Duration cpuBefore = server.cpu();
                    long start = System.nanoTime();
                    sender.pass();
                    awaitReceived(server, received);
                    long updatesNow = server.updates();
                    double elapsed = (System.nanoTime() - start) / 1e9;
                    var unused = sender.answer();
                    long applied = updatesNow - updates;
                    updates = updatesNow;
                    if (applied == 0 || applied % count != 0) {
                        throw new IOException(count + " events made " + applied + " updates");
                    }
                    double cpu = server.cpu().minus(cpuBefore).toMillis() / 1e3;
                    out.printf(
                            Locale.ROOT,
                            "  %s %,12.0f events/s, server CPU %.2f s per million%n",
                            pass < 0 ? "warm-up" : "pass   ",
                            count / elapsed,
                            cpu / count * 1e6);
                    if (pass >= 0) {
                        seconds[pass] = elapsed;
                    }
                }
                return seconds;
            }
        }
    }

    private static void awaitReceived(ServerProcess server, long expected) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        double received;
        while ((received = server.metric("summarizer_received_total")) < expected) {
            if (System.nanoTime() > deadline) {
                throw new IOException("only " + (long) received + " of " + expected + " events within " + LIMIT);
            }
            Thread.sleep(10);
        }
    }

    private double[] runOverFile(Path folder, Path file) throws IOException, InterruptedException {
        double[] seconds = new double[repeats];
        for (int pass = 0; pass < repeats; pass++) {
            Path csv = folder.resolve("csv" + pass);
            long start = System.nanoTime();
            Process process = new ProcessBuilder(
                            home.resolve("bin/summarizer").toString(),
                            "run",
                            "--definitions",
                            home.resolve("schemas").toString(),
                            "--out",
                            csv.toString(),
                            file.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor() != 0) {
                throw new IOException("run ended with status " + process.exitValue());
            }
            seconds[pass] = (System.nanoTime() - start) / 1e9;
            delete(csv);
        }
        return seconds;
    }

    private void report(String name, long count, double[] seconds) throws IOException, InterruptedException {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        double median = count / sorted[sorted.length / 2];
        double slowest = count / sorted[sorted.length - 1];
        double fastest = count / sorted[0];
        out.printf(
                Locale.ROOT,
                "%s %s: median %,.0f events/s (%,.0f to %,.0f over %d passes)%n",
                run ? "run" : "e2e",
                name,
                median,
                slowest,
                fastest,
                seconds.length);
        if (recording) {
            Provenance.of(home)
                    .append(
                            record,
                            "measure,workload,events,repeats,median_per_s,min_per_s,max_per_s,settings",
                            List.of(String.format(
                                    Locale.ROOT,
                                    "%s,%s,%d,%d,%.0f,%.0f,%.0f,%s",
                                    run ? "run" : "e2e",
                                    name,
                                    count,
                                    seconds.length,
                                    median,
                                    slowest,
                                    fastest,
                                    String.join(" ", settings))));
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(folder)) {
            paths = walk.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path path : paths) {
            Files.deleteIfExists(path);
        }
    }
}
