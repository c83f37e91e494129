package io.summarizer.bench.command;

import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.sweep.Input;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Tests whether a reload of definitions under full load loses or doubles an event, and measures the cost of reloads.
 * Reloads alternate between the definitions of {@code schemas/} and definitions with one more summary, and one more
 * field in {@code CampaignDetails}. Because of this field, each reload copies the rows of {@code CampaignDetails}.
 */
@Command(
        description = {
            "Tests whether reloads of definitions under full load lose or double an event, and measures the cost of reloads.",
            "The command sends a file of v1 events to a server in many passes, as fast as the server reads. Meanwhile it"
                    + " switches the definitions back and forth. Then another server gets the same number of passes without"
                    + " a reload. The CSV files of both servers must have the same rows; otherwise the exit status is 1."
        })
public final class Reload extends BenchCommand {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String FIRST_FIELD = "sumint32    impression_count = 1;";
    private static final String MORE = """

            summary Reloads { key { int64 campaign_id = 1; } value { count n = 1; } }
            map Click into Reloads { key { campaign_id; } n += 1; }
            """;

    private final PrintStream out = System.out;

    @Option(names = "--seconds", paramLabel = "N", description = "Time with reloads. Default: ${DEFAULT-VALUE}.")
    private long seconds = 60;

    @Option(names = "--events", paramLabel = "N", description = "Events in each pass. Default: ${DEFAULT-VALUE}.")
    private long events = 1_000_000;

    @Option(names = "--every", paramLabel = "MILLIS", description = "Time between reloads. Default: ${DEFAULT-VALUE}.")
    private long everyMillis = 1_000;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the servers, as for serve.")
    private List<String> settings = List.of();

    @Mixin
    private final Recording record = new Recording();

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeast(1, "--seconds", seconds);
        atLeast(1, "--events", events);
        atLeast(1, "--every", everyMillis);
        return measure() ? 0 : 1;
    }

    /**
     * One server's part of the test: the number of passes, the duration of each reload, the total time of the passes,
     * and the rows at the end.
     */
    private record Run(int passes, List<Double> switchSeconds, double seconds, Map<String, List<String>> rows) {}

    private boolean measure() throws IOException, InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.createInMemory("summarizer-reload")) {
            Path folder = scratch.path();
            Path file = folder.resolve("v1.log");
            Input.generated("v1", events, file);
            Run reloaded = run(folder.resolve("reloaded"), file, 0);
            Run uninterrupted = run(folder.resolve("uninterrupted"), file, reloaded.passes);
            boolean same = reloaded.rows.equals(uninterrupted.rows);
            report(reloaded, uninterrupted, same);
            return same;
        }
    }

    /**
     * Sends passes to a server.
     *
     * @param passes number of passes to make, without reloads; 0: passes with reloads, until the time is over
     */
    private Run run(Path folder, Path file, int passes) throws IOException, InterruptedException {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.copy(home.resolve("schemas/ads.proto"), definitions.resolve("ads.proto"));
        String ads = Files.readString(home.resolve("schemas/ads.summ"));
        String more = ads.replace(FIRST_FIELD, "count reloads = 99; " + FIRST_FIELD) + MORE;
        define(definitions, ads);
        List<String> all = new ArrayList<>(settings);
        all.add("definitions=" + definitions);
        try (ServerProcess server = ServerProcess.start(home, Files.createDirectory(folder.resolve("data")), all)) {
            try (SenderProcess sender =
                    SenderProcess.start(file, server.syslog().getPort())) {
                return run(server, sender, definitions, List.of(ads, more), passes);
            }
        }
    }

    private Run run(ServerProcess server, SenderProcess sender, Path definitions, List<String> contents, int passes)
            throws IOException, InterruptedException {
        List<Double> switches = new ArrayList<>();
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        long nextReload = start;
        int sent = 0;
        boolean underWay = false;
        while (true) {
            if (underWay && sender.answered()) {
                var unused = sender.answer();
                underWay = false;
            }
            boolean more = passes > 0 ? sent < passes : System.nanoTime() < end;
            if (!underWay && !more) {
                break;
            }
            if (!underWay) {
                sender.pass();
                sent++;
                underWay = true;
            }
            if (passes == 0 && System.nanoTime() >= nextReload) {
                nextReload += TimeUnit.MILLISECONDS.toNanos(everyMillis);
                switches.add(reload(server, definitions, contents.get((switches.size() + 1) % 2)));
            }
            Thread.sleep(2);
        }
        server.awaitReceived(sent * events, LIMIT);
        double elapsed = (System.nanoTime() - start) / 1e9;
        if (passes == 0 && switches.size() % 2 == 1) {
            switches.add(reload(server, definitions, contents.get(0)));
        }
        return new Run(sent, switches.stream().sorted().toList(), elapsed, rows(server));
    }

    private double reload(ServerProcess server, Path definitions, String content)
            throws IOException, InterruptedException {
        define(definitions, content);
        String answer = server.post("/definitions/reload");
        if (!answer.contains("reloaded ")) {
            throw new IOException("no reload: " + answer);
        }
        return server.metric("summarizer_reload_switch_seconds");
    }

    private static void define(Path definitions, String content) throws IOException {
        Path next = Files.writeString(definitions.resolve("ads.next"), content);
        Files.move(
                next,
                definitions.resolve("ads.summ"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static Map<String, List<String>> rows(ServerProcess server) throws IOException, InterruptedException {
        Map<String, List<String>> rows = new TreeMap<>();
        for (String path : server.csvPaths()) {
            rows.put(path, server.get(path).lines().sorted().toList());
        }
        return rows;
    }

    private void report(Run reloaded, Run uninterrupted, boolean same) throws IOException, InterruptedException {
        List<Double> switches = reloaded.switchSeconds;
        long total = reloaded.passes * events;
        int rows =
                uninterrupted.rows.values().stream().mapToInt(List::size).sum() - uninterrupted.rows.size(); // headers
        double median = switches.isEmpty() ? 0 : switches.get(switches.size() / 2);
        double longest = switches.isEmpty() ? 0 : switches.get(switches.size() - 1);
        out.printf(
                Locale.ROOT,
                "%,d events, %d reloads: %,.0f events/s; without: %,.0f events/s%n",
                total,
                switches.size(),
                total / reloaded.seconds,
                total / uninterrupted.seconds);
        out.printf(Locale.ROOT, "a switch took %.3f s (median), %.3f s (longest)%n", median, longest);
        for (String path : uninterrupted.rows.keySet()) {
            List<String> expected = uninterrupted.rows.getOrDefault(path, List.of());
            List<String> actual = reloaded.rows.getOrDefault(path, List.of());
            if (!expected.equals(actual)) {
                out.printf("%s: DIFFERENT, %d lines and %d%n", path, actual.size(), expected.size());
            }
        }
        out.printf(Locale.ROOT, "%,d rows: %s%n", rows, same ? "the same as without reloads" : "DIFFERENT");
        record.add(
                home,
                "events,reloads,events_per_s,events_per_s_without,switch_median_s,switch_max_s,rows,same,settings",
                List.of(String.format(
                        Locale.ROOT,
                        "%d,%d,%.0f,%.0f,%.3f,%.3f,%d,%s,%s",
                        total,
                        switches.size(),
                        total / reloaded.seconds,
                        total / uninterrupted.seconds,
                        median,
                        longest,
                        rows,
                        same,
                        String.join(" ", settings))));
    }
}
