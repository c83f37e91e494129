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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** TCP socket to aggregated state: events a second through a whole server, with the sender's work on the same cores. */
@Command(
        description = {
            "Events a second from a TCP socket to aggregated state, through a whole server.",
            "For each workload a file is generated (in memory where there is a /dev/shm), sent some times to warm up and"
                    + " then as often as --repeats says, over a new connection each. The clock runs from the order to send until"
                    + " the answer to GET /summaries shows every event: that answer is a cut taken behind the last of them."
        })
public final class E2e extends BenchCommand {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int WARM_UPS = 3;
    private static final List<String> WORKLOADS = List.of("v1", "v2");

    private final PrintStream out = System.out;

    @Option(names = "--workload", paramLabel = "v1|v2|all", description = "Default: ${DEFAULT-VALUE}.")
    private String workload = "all";

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "In each pass. Default: 5 million of v1, 2 million of v2.")
    private long events;

    @Option(
            names = "--over",
            paramLabel = "tcp|relp",
            description =
                    "relp: durable, in a journal in a folder of java.io.tmpdir, which should be on a disk; the clock runs"
                            + " until all is acknowledged, too. Default: ${DEFAULT-VALUE}.")
    private String over = "tcp";

    @Option(names = "--repeats", paramLabel = "N", description = "Passes that count. Default: ${DEFAULT-VALUE}.")
    private int repeats = 7;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the server, as for serve.")
    private List<String> settings = List.of();

    @Option(
            names = "--run",
            description = "Measure bin/summarizer run over the same file instead, with its start and its CSV files.")
    private boolean run;

    @Option(names = "--record", paramLabel = "FILE", description = "Add a row for each workload to it.")
    private @Nullable Path record;

    /** Measures; see {@code --help}. */
    public static void main(String[] arguments) {
        main(new E2e(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> workloads = workload.equals("all") ? WORKLOADS : List.of(workload);
        among(WORKLOADS, "workload", workloads);
        among(List.of("tcp", "relp"), "transport", List.of(over));
        atLeast(0, "--events", events);
        atLeast(1, "--repeats", repeats);
        for (String one : workloads) {
            measure(one);
        }
        return 0;
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
        boolean relp = over.equals("relp");
        Path data = relp ? Files.createTempDirectory("summarizer-e2e") : Files.createDirectory(folder.resolve("data"));
        try (ServerProcess server = ServerProcess.start(home, data, settings)) {
            try (SenderProcess sender = SenderProcess.start(file, relp ? server.relpPort() : server.syslogPort())) {
                double[] seconds = new double[repeats];
                long received = 0;
                long updates = 0;
                for (int pass = -WARM_UPS; pass < repeats; pass++) {
                    received += count;
                    Duration cpuBefore = server.cpu();
                    long start = System.nanoTime();
                    if (relp) {
                        sender.relp();
                    } else {
                        sender.pass();
                    }
                    awaitReceived(server, received);
                    long updatesNow = server.updates();
                    if (relp) {
                        var unused = sender.answer();
                    }
                    double elapsed = (System.nanoTime() - start) / 1e9;
                    if (!relp) {
                        var unused = sender.answer();
                    }
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
        } finally {
            if (relp) {
                delete(data);
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
                measure(),
                name,
                median,
                slowest,
                fastest,
                seconds.length);
        if (record != null) {
            Provenance.of(home)
                    .append(
                            record,
                            "measure,workload,events,repeats,median_per_s,min_per_s,max_per_s,settings",
                            List.of(String.format(
                                    Locale.ROOT,
                                    "%s,%s,%d,%d,%.0f,%.0f,%.0f,%s",
                                    measure(),
                                    name,
                                    count,
                                    seconds.length,
                                    median,
                                    slowest,
                                    fastest,
                                    String.join(" ", settings))));
        }
    }

    private String measure() {
        return run ? "run" : over.equals("relp") ? "relp" : "e2e";
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
