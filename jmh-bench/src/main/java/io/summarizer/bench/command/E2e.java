package io.summarizer.bench.command;

import io.summarizer.bench.e2e.DuckDb;
import io.summarizer.bench.e2e.OwnCertificate;
import io.summarizer.bench.e2e.PairedRatios;
import io.summarizer.bench.e2e.PassTimes;
import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.e2e.Traffic;
import io.summarizer.bench.report.Processes;
import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.sweep.Input;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures events per second from a TCP socket to aggregated state, through a whole server. The sender runs on the same
 * cores.
 */
@Command(
        description = {
            "Measures events a second from a TCP socket to aggregated state, through a whole server.",
            "For each workload, the command generates a file (in memory where there is a /dev/shm). It sends the file a few"
                    + " times to warm up, and then in as many passes as --repeats says, each over a new connection. The time of"
                    + " a pass ends when an answer to GET /summaries, which is a cut, shows every event.",
            "With --against, each pair measures this checkout and its rival, in turns. The ratios of their medians tell"
                    + " whether the difference is above the noise."
        })
public final class E2e extends BenchCommand {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int WARM_UPS = 3;
    private static final String DUCKDB = "duckdb";
    private static final int DUCKDB_PASSES = 3;
    private static final String ONE_CORE = "one-core";

    private final PrintStream out = System.out;

    @Option(
            names = "--workload",
            paramLabel = "v1|v2|access-log|fan-out|all",
            description = "Events to send, into the definitions for them. Default: ${DEFAULT-VALUE}.")
    private String workload = "all";

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Events in each pass. Default: 5 million of v1, 2 million of the others.")
    private long events;

    @Option(
            names = "--over",
            paramLabel = "tcp|relp|relps",
            description =
                    "relp: durable; the journal is in a folder of java.io.tmpdir, which should be on a disk, and a pass"
                            + " ends only when every event is acknowledged, too. relps: relp over TLS. Default: ${DEFAULT-VALUE}.")
    private String over = "tcp";

    @Option(names = "--repeats", paramLabel = "N", description = "Passes after the warm-up. Default: ${DEFAULT-VALUE}.")
    private int repeats = 7;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the server, as for serve.")
    private List<String> settings = List.of();

    @Option(
            names = "--run",
            description = "Measure 'bin/summarizer run' on the file instead, from its start to its CSV files.")
    private boolean run;

    @Option(
            names = "--against",
            paramLabel = "DIR|duckdb|one-core",
            description = "Compare with the built checkout of another commit in DIR; with DuckDB, which computes the"
                    + " same CSV files from the same file, or v2 from a file of its payloads (its best of three, and"
                    + " the results must be equal); or, with --run, with the same on one core (taskset).")
    private @Nullable String against;

    @Option(names = "--pairs", paramLabel = "N", description = "Pairs with --against. Default: ${DEFAULT-VALUE}.")
    private int pairs = 9;

    @Mixin
    private final Recording record = new Recording();

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<String> workloads = workload.equals("all") ? Traffic.names() : List.of(workload);
        among(Traffic.names(), "workload", workloads);
        among(List.of("tcp", "relp", "relps"), "transport", List.of(over));
        atLeast(0, "--events", events);
        atLeast(1, "--repeats", repeats);
        atLeast(PairedRatios.LEAST, "--pairs", pairs);
        if (ONE_CORE.equals(against) && !run) {
            throw unusable("--against one-core is for --run");
        }
        if (DUCKDB.equals(against)) {
            among(List.of("v1", "v2"), "workload for DuckDB", workloads);
        }
        for (String one : workloads) {
            measure(one);
        }
        return 0;
    }

    private void measure(String name) throws IOException, InterruptedException {
        long count = events > 0 ? events : Traffic.of(name).events();
        try (TemporaryFolder scratch = TemporaryFolder.createInMemory("summarizer-e2e")) {
            Path folder = scratch.path();
            Path file = folder.resolve(name + ".log");
            Input.generated(name, count, file);
            out.printf(
                    Locale.ROOT, "%s: %,d events, %.1f bytes each%n", name, count, (double) Files.size(file) / count);
            if (against != null) {
                compare(against, name, folder, file, count);
            } else {
                record.add(
                        home,
                        PassTimes.HEADER,
                        List.of(measure(home, name, folder, file, count).csv()));
            }
        }
    }

    /** A rival of this checkout. */
    private interface Rival {
        /** Measures it over the same events. */
        PassTimes measure() throws IOException, InterruptedException;
    }

    private void compare(String against, String name, Path folder, Path file, long count)
            throws IOException, InterruptedException {
        switch (against) {
            case DUCKDB -> {
                DuckDb duckDb = new DuckDb(name, file, Files.createDirectory(folder.resolve(DUCKDB)));
                compare(DuckDb.version(), name, folder, file, count, () -> duckDb(duckDb, name, count), duckDb);
            }
            case ONE_CORE ->
                compare(
                        against,
                        name,
                        folder,
                        file,
                        count,
                        () -> times(
                                name, count, runOverFile(home, name, folder, file, "taskset", "-c", "0"), ", one core"),
                        null);
            default -> {
                Path other = Path.of(against).toAbsolutePath();
                String commit = Provenance.of(other).commit();
                compare(commit, name, folder, file, count, () -> measure(other, name, folder, file, count), null);
            }
        }
    }

    /**
     * Measures this checkout and a rival in pairs of passes. The two take turns to be first in a pair, so that neither
     * always has the warmer machine.
     */
    private void compare(
            String against, String name, Path folder, Path file, long count, Rival rival, @Nullable DuckDb yardstick)
            throws IOException, InterruptedException {
        List<Double> ratios = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (int pair = 1; pair <= pairs; pair++) {
            PassTimes theirs = pair % 2 == 0 ? rival.measure() : null;
            PassTimes ours = measure(home, name, folder, file, count);
            theirs = theirs == null ? rival.measure() : theirs;
            if (yardstick != null) {
                yardstick.check(csv(folder), run ? 1 : WARM_UPS + repeats);
            }
            ratios.add(ours.median() / theirs.median());
            rows.add(ours.csvBeside(theirs, against, pair));
        }
        out.printf("%s %s against %s: %s%n", measure(), name, against, PairedRatios.of(ratios));
        record.add(home, PassTimes.PAIR_HEADER, rows);
    }

    /** Returns the fastest of three passes as the only pass. */
    private PassTimes duckDb(DuckDb duckDb, String name, long count) throws IOException {
        double best = Double.MAX_VALUE;
        for (int pass = 0; pass < DUCKDB_PASSES; pass++) {
            best = Math.min(best, duckDb.seconds());
        }
        return times(name, count, List.of(best), ", DuckDB's best of three");
    }

    private static Path csv(Path folder) {
        return folder.resolve("csv");
    }

    private PassTimes measure(Path home, String name, Path folder, Path file, long count)
            throws IOException, InterruptedException {
        List<Double> seconds =
                run ? runOverFile(home, name, folder, file) : sendToServer(home, name, folder, file, count);
        return times(name, count, seconds, home.equals(this.home) ? "" : ", " + home);
    }

    private PassTimes times(String name, long count, List<Double> seconds, String of) {
        PassTimes times = new PassTimes(measure(), name, count, seconds, settings);
        out.println(times + of);
        return times;
    }

    private List<Double> sendToServer(Path home, String name, Path folder, Path file, long count)
            throws IOException, InterruptedException {
        boolean relp = !over.equals("tcp");
        OwnCertificate certificate = over.equals("relps") ? OwnCertificate.in(folder) : null;
        List<String> settings = new ArrayList<>(List.of("definitions=" + definitions(name)));
        settings.addAll(this.settings);
        if (certificate != null) {
            settings.add("listen.relp.tls.certificate=" + certificate.certificate());
            settings.add("listen.relp.tls.key=" + certificate.key());
        }
        try (TemporaryFolder data = relp
                        ? TemporaryFolder.create("summarizer-e2e") // a disk, usually
                        : TemporaryFolder.createIn(folder, "data");
                ServerProcess server = ServerProcess.start(home, data.path(), settings)) {
            try (SenderProcess sender = relp
                    ? SenderProcess.startComputing(
                            file, server.relp().getPort(), certificate == null ? null : certificate.certificate())
                    : SenderProcess.start(file, server.syslog().getPort())) {
                List<Double> seconds = new ArrayList<>();
                long received = 0;
                long updates = 0;
                for (int pass = -WARM_UPS; pass < repeats; pass++) {
                    received += count;
                    double allocatedBefore = server.allocatedBytes();
                    Duration cpuBefore = server.cpu();
                    long start = System.nanoTime();
                    if (relp) {
                        sender.relp();
                    } else {
                        sender.pass();
                    }
                    // No questions before the end of the sending, because questions take time of the server.
                    server.await("not all events were sent", LIMIT, sender::answered);
                    var unused = sender.answer();
                    double allocated = server.allocatedBytes() - allocatedBefore; // before cuts and most questions
                    server.awaitReceived(received, LIMIT);
                    long updatesNow = server.updates();
                    double elapsed = (System.nanoTime() - start) / 1e9;
                    long applied = updatesNow - updates;
                    updates = updatesNow;
                    if (applied == 0 || applied % count != 0) {
                        throw new IOException(count + " events made " + applied + " updates");
                    }
                    double cpu = server.cpu().minus(cpuBefore).toMillis() / 1e3;
                    out.printf(
                            Locale.ROOT,
                            "  %s %,12.0f events/s, server CPU %.2f s per million, %.2f bytes allocated for each%n",
                            pass < 0 ? "warm-up" : "pass   ",
                            count / elapsed,
                            cpu / count * 1e6,
                            allocated / count);
                    if (pass >= 0) {
                        seconds.add(elapsed);
                    }
                }
                if (DUCKDB.equals(against)) {
                    server.pull(csv(folder));
                }
                return seconds;
            }
        }
    }

    /**
     * Measures 'run'. Leaves the CSV files of the last pass.
     *
     * @param prefix of the command
     */
    private List<Double> runOverFile(Path home, String name, Path folder, Path file, String... prefix)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(List.of(home.resolve("bin/summarizer").toString(), "run"));
        command.addAll(List.of("--definitions", definitions(name).toString()));
        command.addAll(List.of("--out", csv(folder).toString(), file.toString()));
        Processes.run(home.resolve("bin/summarizer").toString(), "--help"); // makes the archive of classes, once
        List<Double> seconds = new ArrayList<>();
        for (int pass = 0; pass < repeats; pass++) {
            if (Files.exists(csv(folder))) {
                TemporaryFolder.delete(csv(folder));
            }
            long start = System.nanoTime();
            Processes.run(command.toArray(String[]::new));
            seconds.add((System.nanoTime() - start) / 1e9);
        }
        return seconds;
    }

    /**
     * The definitions of this checkout. The rival checkout uses them, too, because it may not have these definitions
     * itself.
     */
    private Path definitions(String name) {
        return Traffic.of(name).definitions(home);
    }

    private String measure() {
        return run ? "run" : over.equals("tcp") ? "e2e" : over;
    }
}
