package io.summarizer.bench.chaos;

import static io.summarizer.bench.chaos.ChaosException.require;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A run of a service with hourly windows. The windows close one after the other, and each is exported. The service is
 * killed from time to time. Events are sent as fast as windows close. Twice, all traffic stops, and the live heap is
 * measured. At the end, each window and each export has to be there once, with the rows of all events that were sent.
 * One thread.
 */
public final class YearRun extends ServiceRun {
    /** Hours of a year. */
    public static final int YEAR = 8_760;

    private static final String HEAP = "-Xmx1g";
    /**
     * Maximum growth of the live heap for a closed window, in bytes. The list entry of a window and the mark of its
     * export take 110 bytes. The rest is for the pools and tables, which differ by some MB between the processes that
     * are compared.
     */
    private static final long WINDOW_BYTES_MAX = 2 * 1024;

    private static final int MEASURED_FIRST = 1_000;
    private static final int MEASURED_LAST = 8_000;
    /**
     * Maximum lead of the sender, in windows, counted from the last window file that the service has written. While
     * files are written, twice this number of windows may be in memory. So twice this maximum must stay below 256, the
     * service's limit of open windows.
     */
    private static final int AHEAD = 100;
    /** Minimum number of windows from a kill to the next measurement of the heap. */
    private static final int AWAY = 200;
    /**
     * Maximum number of exact ids. A recovery takes over twice as many from the checkpoint. They are far more than the
     * ids of the events that are sent again after a kill.
     */
    private static final int DEDUP_IDS = 10_000;
    /** Number of windows whose events reach every bound on ids. */
    private static final int IDS_FULL = 2 * DEDUP_IDS / YearEvents.AN_HOUR + 1;

    /** The class of dead space in the heap. */
    private static final String FILLER = "FillerElement";

    private static final int KILL_MS_MAX = 1_000;
    private static final int STARTING_ONE_IN = 4;
    private static final int POLL_MS = 20;
    /** Time between two events before a measurement of the heap. */
    private static final int PAUSE_MS = 150;

    private static final int PULLS = 200;
    private static final int PULLED_HOURS_MAX = 48;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long NEVER = Long.MAX_VALUE;

    private final Settings settings;
    private final YearFiles files;
    private final Relay relay;
    private final RelpSender sender;
    private final List<String> faults = new ArrayList<>();

    /**
     * Settings of a run.
     *
     * @param home the project's root
     * @param work an empty folder, for data, exports and logs
     * @param windows number of hours
     * @param kills number of kills while events come in
     * @param rate maximum number of windows per second, on average
     */
    public record Settings(Path home, Path work, long seed, int windows, int kills, int rate) {}

    private YearRun(Settings settings, PrintStream out) throws IOException {
        super(settings.home, settings.work, settings.seed, out);
        this.settings = settings;
        Files.writeString(definitions.resolve("year.proto"), YearEvents.PROTO);
        Files.writeString(definitions.resolve("year.summ"), YearEvents.SUMM);
        Path exports = Files.createDirectories(work.resolve("exports"));
        Files.writeString(work.resolve("summarizer.yaml"), """
                definitions: %s
                data: %s
                checkpoint.interval: 5s
                journal.max-size: 256MiB
                limits.dedup-ids: %d
                exports:
                  - summary: Hourly
                    on: close
                    to: %s/{summary}-{window}.csv
                """.formatted(definitions, data, DEDUP_IDS, exports));
        files = new YearFiles(data.resolve("windows").resolve(YearEvents.SUMMARY), exports);
        relay = new Relay();
        sender = new RelpSender(relay.port(), (long) settings.rate * YearEvents.AN_HOUR, YearEvents::message);
    }

    /**
     * Runs.
     *
     * @param out receives a line for each kill and each measurement
     * @throws ChaosException when a file, an export or a row is missing, wrong or changed; {@code work} then has the
     *     evidence
     */
    public static RunFigures run(Settings settings, PrintStream out) throws IOException, InterruptedException {
        return new YearRun(settings, out).runAndClose();
    }

    @Override
    RunFigures run() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        start();
        int first = scaled(MEASURED_FIRST);
        int last = scaled(MEASURED_LAST);
        SortedSet<Integer> kills = kills(List.of(first, last));
        long firstBytes = 0;
        long lastBytes = 0;
        for (int stop : stops(kills, first, last)) {
            if (kills.contains(stop)) {
                progress(stop, NEVER);
                kill(stop);
            } else if (stop == first) {
                firstBytes = liveBytes(first);
            } else {
                lastBytes = liveBytes(last);
            }
        }
        long windowBytes = (lastBytes - firstBytes) / (last - first);
        if (settings.windows >= YEAR && windowBytes > WINDOW_BYTES_MAX) {
            faults.add("the live heap grows by " + windowBytes + " bytes for a closed window");
        }
        long events = (long) settings.windows * YearEvents.AN_HOUR;
        long duplicates = end(events);
        return new RunFigures(faults)
                .add("seed", settings.seed)
                .add("windows", "windows, each with a file and an export", settings.windows)
                .add("events", "events, counted exactly", events)
                .add("kills_in_traffic", "SIGKILL while events come in", kills.size())
                .add("kills_starting", "SIGKILL while starting", killsStarting)
                .add("resent", "sent again", sender.resent())
                .add("duplicates", "of these known duplicates", duplicates)
                .add("heap_first", "live heap at window " + first + ", bytes", firstBytes)
                .add("heap_last", "live heap at window " + last + ", bytes", lastBytes)
                .add("heap_window", "growth for a closed window, bytes", windowBytes)
                .add("heap_ratio", String.format(Locale.ROOT, "%.4f", (double) lastBytes / firstBytes))
                .add("pulls", "pulls by from and until", PULLS)
                .add("seconds", "seconds", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    }

    /** Converts a number of windows of the year to a run of another length. */
    private int scaled(int windows) {
        return (int) ((long) windows * settings.windows / YEAR);
    }

    /**
     * Returns the numbers of windows after which the service is killed. At least one kill precedes the first
     * measurement, and comes when ids have reached their bounds. So both measurements are made after a recovery of the
     * same number of ids.
     */
    private SortedSet<Integer> kills(List<Integer> measured) {
        SortedSet<Integer> kills = new TreeSet<>();
        if (settings.kills > 0) {
            int from = scaled(IDS_FULL);
            kills.add(from + 1 + random.nextInt(Math.max(1, measured.get(0) - scaled(AWAY) - from - 1)));
        }
        while (kills.size() < settings.kills) {
            int kill = 1 + random.nextInt(settings.windows - 2);
            if (measured.stream().allMatch(at -> kill < at - scaled(AWAY) || kill > at)) {
                kills.add(kill);
            }
        }
        return kills;
    }

    private static SortedSet<Integer> stops(Set<Integer> kills, int first, int last) {
        SortedSet<Integer> stops = new TreeSet<>(kills);
        stops.add(first);
        stops.add(last);
        return stops;
    }

    /**
     * Lets events come in until {@code windows} windows have files.
     *
     * @param events events below this number may be sent
     */
    private void progress(int windows, long events) throws IOException, InterruptedException {
        long all = (long) settings.windows * YearEvents.AN_HOUR;
        int before = -1;
        long deadline = 0;
        while (before < windows) {
            int closed = files.windows();
            sender.allow(Math.min(Math.min(events, all), (long) (closed + AHEAD) * YearEvents.AN_HOUR));
            if (closed > before) {
                before = closed;
                deadline = System.nanoTime() + LIMIT.toNanos();
            } else if (System.nanoTime() > deadline) {
                throw new ChaosException("of " + windows + " windows " + closed + " have files, and "
                        + sender.acknowledged() + " of " + sender.sent() + " events were acknowledged: "
                        + service.ledger() + "\n" + service.log());
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    private void kill(int windows) throws IOException, InterruptedException {
        int millis = random.nextInt(KILL_MS_MAX);
        TimeUnit.MILLISECONDS.sleep(millis);
        service.kill();
        relay.target(null);
        files.look();
        int due = files.windows() - files.exports();
        String more = "";
        if (random.nextInt(STARTING_ONE_IN) == 0) {
            killStarting(random);
            more = "; killed while starting";
        }
        start();
        out.printf(
                Locale.ROOT,
                "killed %,d ms after window %,d, %,d exports due%s; took up in %,d ms%n",
                millis,
                windows,
                due,
                more,
                startMillis);
    }

    /** Bytes of live objects in the heap, measured when at least {@code windows} windows have files and exports. */
    private long liveBytes(int windows) throws IOException, InterruptedException {
        // The last hour stays open. Half of its events are enough to close the window before it. They are sent one by
        // one, because pools drop what a backlog has left only while there is some traffic.
        long events = (long) windows * YearEvents.AN_HOUR;
        progress(windows - 1, events);
        for (int i = 0; i < YearEvents.AN_HOUR / 2; i++) {
            events++;
            sender.allow(events);
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
        progress(windows, events);
        service.await("exports are due", LIMIT, () -> files.exports() == files.windows());
        files.look();
        String objects = service.liveObjects();
        Files.writeString(work.resolve("logs").resolve("heap-" + windows + ".txt"), objects);
        long bytes = objects.lines()
                .map(line -> line.strip().split(" +"))
                .filter(cells -> cells.length > 3 && cells[0].matches("\\d+:") && !cells[3].contains(FILLER))
                .mapToLong(cells -> Long.parseLong(cells[2]))
                .sum();
        out.printf(Locale.ROOT, "live heap after window %,d: %,d bytes%n", windows, bytes);
        return bytes;
    }

    /** Closes the last windows, and checks everything; returns the number of known duplicates. */
    private long end(long events) throws IOException, InterruptedException {
        progress(settings.windows - 1, events);
        sender.allow(events);
        service.await("events are not acknowledged", LIMIT, () -> sender.acknowledged() == events);
        service.await(
                "messages are in flight", LIMIT, () -> service.ledger().total().inFlight() == 0);
        var unused = service.post("/summaries/" + YearEvents.SUMMARY + "/windows/close");
        progress(settings.windows, events);
        service.await("exports are due", LIMIT, () -> files.exports() == settings.windows);
        files.look();
        long duplicates = checkLedger(events);
        checkPulls(events);
        service.stop();
        start();
        checkPulls(events);
        service.stop();
        files.complete(settings.windows, events);
        return duplicates;
    }

    private long checkLedger(long events) throws IOException, InterruptedException {
        LedgerCounts ledger = service.ledger();
        Account account = ledger.intoSummary(YearEvents.SUMMARY);
        long duplicates = account.count(Fate.DUPLICATE);
        require(
                account.count(Fate.APPLIED) == events && account.received() == events + duplicates,
                "not all of " + events + " events are applied once: " + ledger);
        return duplicates;
    }

    private void checkPulls(long events) throws IOException, InterruptedException {
        String csv = "/summaries/" + YearEvents.SUMMARY + ".csv";
        checkRows(csv, 0, settings.windows, events);
        for (int i = 0; i < PULLS; i++) {
            int from = random.nextInt(settings.windows);
            int until = Math.min(settings.windows, from + 1 + random.nextInt(PULLED_HOURS_MAX));
            String query = "?from=" + YearEvents.startText(from) + "&until=" + YearEvents.startText(until);
            checkRows(csv + query, from, until, events);
        }
        Map<String, String> states = new TreeMap<>();
        for (JsonNode window : service.json("/summaries/" + YearEvents.SUMMARY + "/windows")) {
            states.put(
                    window.path("start").asText(),
                    window.path("state").asText() + " " + window.path("rows").asLong());
        }
        for (int hour = 0; hour < settings.windows; hour++) {
            String expected = "closed " + YearEvents.rows(hour, events).lines().count();
            String listed = states.get(YearEvents.startText(hour));
            require(
                    expected.equals(listed) && states.size() == settings.windows,
                    "of " + states.size() + " windows, " + YearEvents.startText(hour) + " is listed as " + listed);
        }
    }

    private void checkRows(String path, int from, int until, long events) throws IOException, InterruptedException {
        String pulled = service.get(path);
        String expected = IntStream.range(from, until)
                .mapToObj(hour -> YearEvents.rows(hour, events))
                .collect(Collectors.joining("", YearEvents.HEADER, ""));
        if (!sorted(pulled).equals(sorted(expected))) {
            throw new ChaosException(path + " has other rows than were sent: "
                    + pulled.lines().count() + " lines instead of "
                    + expected.lines().count());
        }
    }

    private static List<String> sorted(String csv) {
        return csv.lines().sorted().toList();
    }

    @Override
    ServerProcess launch() throws IOException {
        return launch(ServerProcess.shippedOptions(HEAP), work.resolve("summarizer.yaml"), List.of(), Map.of());
    }

    @Override
    void start() throws IOException, InterruptedException {
        begin();
        relay.target(service.relp());
    }

    @Override
    void close() throws IOException, InterruptedException {
        super.close();
        sender.close();
        relay.close();
    }
}
