package io.summarizer.bench.chaos;

import static io.summarizer.bench.chaos.ChaosException.require;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.report.Processes;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.cli.Main;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A run of a service with windows of a few seconds. The service is killed while windows close, and while their files
 * are written, replaced and deleted. One thread.
 *
 * <p>After each start, several checks have to hold. The rows of recent windows have no event twice, and have every
 * event that an earlier pull had. The number of rows in all windows equals the number in the ledger. No file has
 * changed. At the end, all windows are closed, and the deleted files are brought back. Then each event with a window
 * must be there once: in the rows of this window, or in the file of late messages. The ledger must account for each
 * event as applied, late, early or without a time.
 *
 * <p>This class has more than 500 lines, because sending, killing and checking share the state of one run.
 */
public final class WindowsRun extends ServiceRun {
    private static final String SLOTS = "Slots";
    private static final String BRIEF = "Brief";
    private static final String TOTALS = "Totals";
    /** Age up to which windows are pulled after each start, in µs. */
    private static final long RECENT_MICROS = TimeUnit.SECONDS.toMicros(40);

    /**
     * Number of messages that rsyslogd keeps in memory, so small that an outage of a few seconds makes rsyslogd use its
     * disk.
     */
    private static final int RSYSLOG_MEMORY = 10_000;

    private static final int KILLS_STARTING_MAX = 3;
    private static final int AFTER_MS_MAX = 1_000;
    private static final long WAIT_MS = 4_000;
    private static final int SHORT_MS_MAX = 6;
    private static final int PUT_MS_MAX = 80;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Settings settings;
    private final TimedEvents events = new TimedEvents();
    private final Relay relay;
    private final Sender sender;
    private final WindowFiles slots;
    private final WindowFiles briefs;
    /** Events that a pull of {@code Slots} had. */
    private final BitSet pulled = new BitSet();
    /** Late events in the files that were put, by the start of their window. */
    private final Map<Long, Set<Long>> corrections = new HashMap<>();

    private int kills;
    private int startsChecked;
    private long journalled;

    /**
     * Settings of a run.
     *
     * @param home the project's root
     * @param work an empty folder, for data and logs
     * @param kills the run ends after this number of kills
     * @param duration time after which the run ends
     * @param rate maximum number of events per second
     */
    public record Settings(Path home, Path work, long seed, int kills, Duration duration, long rate, boolean rsyslog) {}

    /** The moments at which the service is killed, and their frequencies. */
    private enum Moment {
        ANY(5),
        /** While the file of a window is written. */
        WRITING(5),
        /** Just after the file of a window appeared. */
        WRITTEN(4),
        /** Just after the file of a window was deleted. */
        DELETED(2),
        /** While a checkpoint is written. */
        CHECKPOINT(2),
        /** While a file with late events replaces the file of the same window. */
        PUT(2),
        /** While the service starts, once to three times. */
        STARTING(5);

        private final int weight;

        Moment(int weight) {
            this.weight = weight;
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private WindowsRun(Settings settings, PrintStream out) throws IOException, InterruptedException {
        super(settings.home, settings.work, settings.seed, out);
        this.settings = settings;
        Files.writeString(definitions.resolve("beat.proto"), TimedEvents.PROTO);
        Files.writeString(definitions.resolve("beat.summ"), TimedEvents.summ(true));
        Path links = work.resolve("links");
        Path windows = data.resolve("windows");
        slots = new WindowFiles(windows.resolve(SLOTS), links.resolve(SLOTS), TimedEvents.SLOT_MICROS, Long.MAX_VALUE);
        briefs = new WindowFiles(
                windows.resolve(BRIEF), links.resolve(BRIEF), TimedEvents.BRIEF_MICROS, TimedEvents.KEEP_MICROS);
        relay = new Relay();
        sender = settings.rsyslog
                ? RsyslogSender.relp(
                        home, work.resolve("rsyslog"), relay.port(), settings.rate, RSYSLOG_MEMORY, events::line)
                : new RelpSender(relay.port(), settings.rate, events::withId);
    }

    /**
     * Runs.
     *
     * @param out receives a line for each kill
     * @throws ChaosException when an event was lost or counted twice, or a file changed; {@code work} then has the
     *     evidence
     */
    public static RunFigures run(Settings settings, PrintStream out) throws IOException, InterruptedException {
        return new WindowsRun(settings, out).runAndClose();
    }

    @Override
    RunFigures run() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        List<Moment> moments = new ArrayList<>();
        for (Moment moment : Moment.values()) {
            for (int i = 0; i < moment.weight; i++) {
                moments.add(moment);
            }
        }
        startFirst();
        sender.allow(Long.MAX_VALUE);
        while (kills + killsStarting < settings.kills && System.nanoTime() - begun < settings.duration.toNanos()) {
            Moment moment = moments.get(random.nextInt(moments.size()));
            service.awaitReceived((long) service.metric("summarizer_received_total") + 1, LIMIT);
            if (random.nextBoolean()) {
                checkRecent();
            }
            slots.look();
            briefs.look();
            String more = killAt(moment);
            start();
            out.printf(
                    Locale.ROOT,
                    "%4d  %-10s %,9d events, %,5d files, %,5d deleted: %s took up in %,d ms%n",
                    kills + killsStarting,
                    moment.label(),
                    sender.sent(),
                    slots.windows() + briefs.windows(),
                    briefs.gone(),
                    more,
                    startMillis);
        }
        return end(begun);
    }

    private String killAt(Moment moment) throws IOException, InterruptedException {
        switch (moment) {
            case ANY -> {
                Thread.sleep(random.nextInt(AFTER_MS_MAX));
                kill();
                return "";
            }
            case WRITING -> {
                boolean seen = await(WAIT_MS, () -> isWriting(slots.folder()) || isWriting(briefs.folder()));
                kill();
                return seen ? "" : "no file was written,";
            }
            case WRITTEN -> {
                Set<String> slotsBefore = slots.names();
                Set<String> briefsBefore = briefs.names();
                boolean seen = await(
                        WAIT_MS, () -> isMore(slots.names(), slotsBefore) || isMore(briefs.names(), briefsBefore));
                Thread.sleep(random.nextInt(SHORT_MS_MAX));
                kill();
                return seen ? "" : "no file appeared,";
            }
            case DELETED -> {
                Set<String> before = briefs.names();
                boolean seen = await(WAIT_MS, () -> !briefs.names().containsAll(before));
                Thread.sleep(random.nextInt(SHORT_MS_MAX));
                kill();
                return seen ? "" : "no file was deleted,";
            }
            case CHECKPOINT -> {
                boolean seen = await(WAIT_MS, () -> isWriting(data.resolve("checkpoints")));
                kill();
                return seen ? "" : "no checkpoint was written,";
            }
            case PUT -> {
                return put();
            }
            case STARTING -> {
                kill();
                int more = random.nextInt(1, KILLS_STARTING_MAX + 1);
                for (int i = 0; i < more; i++) {
                    killStarting(random);
                }
                return more + " killed while starting,";
            }
        }
        throw new IllegalStateException(moment.toString());
    }

    private static boolean isWriting(Path folder) {
        String[] names = folder.toFile().list((parent, name) -> name.endsWith(".tmp"));
        return names != null && names.length > 0;
    }

    private static boolean isMore(Set<String> names, Set<String> before) {
        return names.stream().anyMatch(name -> name.endsWith(".state") && !before.contains(name));
    }

    /** Adds late events to the file of a window, puts the new file, and kills the service meanwhile. */
    private String put() throws IOException, InterruptedException {
        Path late = Files.createDirectories(work.resolve("puts").resolve(Integer.toString(kills)));
        for (String end : List.of(".log", ".frames")) { // the index first, so that each of its lines has a frame
            Path file = data.resolve("late").resolve(SLOTS + end);
            if (!Files.exists(file)) {
                kill();
                return "no events were late yet,";
            }
            Files.copy(file, late.resolve(SLOTS + end));
        }
        keepWholeLines(late.resolve(SLOTS + ".log"), Files.size(late.resolve(SLOTS + ".frames")));
        Map<Long, Set<Long>> byWindow = lateByWindow(late);
        SortedMap<Long, Path> files = slots.replaceable();
        files.keySet().retainAll(byWindow.keySet());
        if (files.isEmpty()) {
            kill();
            return "no window to put,";
        }
        List<Map.Entry<Long, Path>> some = List.copyOf(files.entrySet());
        Map.Entry<Long, Path> window = some.get(random.nextInt(some.size()));
        long start = window.getKey();
        Path corrected = late.resolve("corrected.state");
        var unused = Processes.output(Processes.java(
                        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dsummarizer.home=" + home),
                        Main.class,
                        List.of(
                                "run",
                                "--definitions",
                                definitions.toString(),
                                "--only",
                                SLOTS,
                                "--from-state",
                                window.getValue().toString(),
                                "--state",
                                corrected.toString(),
                                late.resolve(SLOTS + ".frames").toString()))
                .toArray(String[]::new));
        slots.putting(start, corrected);
        corrections.put(start, byWindow.get(start));
        CompletableFuture<HttpResponse<String>> answer =
                service.beginPost("/summaries/" + SLOTS + "/windows", corrected);
        Thread.sleep(random.nextInt(PUT_MS_MAX));
        kill();
        slots.look();
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            HttpResponse<String> answered = answer.join();
            require(answered.statusCode() == 200, "a put was refused: " + answered.body());
            require(slots.hasPut(start), "a put was acknowledged, and its file is not there: " + corrected);
        }
        return (slots.hasPut(start) ? "put," : "not put,");
    }

    @Override
    ServerProcess launch() throws IOException {
        return launch(
                ServerProcess.SHORT_LIVED,
                null,
                List.of(
                        "definitions=" + definitions,
                        "data=" + data,
                        "journal.segment-size=1MiB",
                        "journal.max-size=256MiB",
                        "checkpoint.interval=2s",
                        "limits.dedup-ids=20000",
                        // Cuts hold files. With a listener that has no journal, a checkpoint precedes each file.
                        "http.cut-retention=1s",
                        "listen.syslog-tcp.bind=" + (random.nextBoolean() ? "off" : "127.0.0.1:0"),
                        "late.max-size=4GiB"),
                Map.of());
    }

    /** Starts a service and checks it. Only then lets the sender reach the service. */
    @Override
    void start() throws IOException, InterruptedException {
        begin();
        slots.look();
        briefs.look();
        checkRecent();
        checkLedger();
        startsChecked++;
        relay.target(service.relp());
    }

    private void kill() throws IOException {
        service.kill();
        kills++;
        relay.target(null);
        slots.look();
        briefs.look();
    }

    /** Checks that recent windows have each event once, and that no event that was pulled before is missing. */
    private void checkRecent() throws IOException, InterruptedException {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        long from = Math.floorDiv(now - RECENT_MICROS, TimedEvents.SLOT_MICROS) * TimedEvents.SLOT_MICROS;
        BitSet there = slotsIn(service.get("/summaries/Slots.csv?from=" + TimestampText.toString(from)));
        for (int n = pulled.nextSetBit(0); n >= 0; n = pulled.nextSetBit(n + 1)) {
            if (!there.get(n) && events.window(n, TimedEvents.SLOT_MICROS) >= from) {
                throw new ChaosException("event " + n + " was in the rows and is not there any more: " + service.log());
            }
        }
        pulled.or(there);
    }

    /** Returns the events in a pull of {@code Slots}. Checks that each event occurs once, in its own window. */
    private BitSet slotsIn(String csv) {
        long sent = sender.sent();
        BitSet there = new BitSet();
        csv.lines().skip(1).forEach(line -> {
            String[] cells = line.split(",", -1);
            int n = Integer.parseInt(cells[1]);
            if (n >= sent || !TimedEvents.hasWindow(n)) {
                throw new ChaosException("event " + n + " cannot have a window: sent=" + sent);
            }
            if (TimestampText.parse(cells[0]) != events.window(n, TimedEvents.SLOT_MICROS)
                    || !cells[2].equals("1")
                    || there.get(n)) {
                throw new ChaosException("event " + n + " counted in another window or again: " + line);
            }
            there.set(n);
        });
        return there;
    }

    /** Checks the ledger against the journal and the rows of all windows, while no message is in flight. */
    private LedgerCounts checkLedger() throws IOException, InterruptedException {
        journalled = JournalCopy.end(data.resolve("journal"), journalled);
        LedgerCounts ledger = service.ledger();
        Account total = ledger.total();
        require(
                total.received() == journalled && total.inFlight() == 0,
                "the journal has " + journalled + " messages, the ledger " + total);
        long rows = 0;
        for (JsonNode window : service.json("/summaries/" + SLOTS + "/windows")) {
            rows += window.path("rows").asLong();
        }
        long applied = ledger.intoSummary(SLOTS).count(Fate.APPLIED) + corrected();
        require(rows == applied, "windows have " + rows + " rows, the ledger and puts " + applied + ":\n" + ledger);
        long counted = sum(service.get("/summaries/Totals.csv"));
        Account totals = ledger.intoSummary(TOTALS);
        require(
                counted == totals.count(Fate.APPLIED) && totals.received() == counted + totals.count(Fate.DUPLICATE),
                "Totals has " + counted + " events, the ledger " + totals);
        return ledger;
    }

    /** Number of late events in those put files that are still there. */
    private long corrected() {
        return corrections.entrySet().stream()
                .filter(put -> slots.hasPut(put.getKey()))
                .mapToLong(put -> put.getValue().size())
                .sum();
    }

    private static long sum(String csv) {
        return csv.lines()
                .skip(1)
                .mapToLong(line -> Long.parseLong(line.split(",", -1)[1]))
                .sum();
    }

    /** Waits until all events that were sent are in the rows. */
    private void rest() throws IOException, InterruptedException {
        if (!comesToRest(sender, this::isAtRest)) {
            throw new ChaosException(
                    "not all of " + sender.sent() + " events came: " + service.ledger() + service.log());
        }
    }

    private boolean isAtRest() throws IOException, InterruptedException {
        long sent = sender.sent();
        return service.ledger().total().inFlight() == 0
                && sum(service.get("/summaries/Totals.csv")) >= sent
                && sender.sent() == sent;
    }

    private RunFigures end(long begun) throws IOException, InterruptedException {
        rest();
        long sent = sender.sent();
        for (String summary : List.of(SLOTS, BRIEF)) {
            var unused = service.post("/summaries/" + summary + "/windows/close");
            service.await("windows of " + summary + " are not closed", LIMIT, () -> isClosed(summary));
        }
        LedgerCounts ledger = checkLedger();
        slots.look();
        briefs.look();
        service.stop();
        slots.look();
        briefs.look();
        int deleted = briefs.gone();
        Files.writeString(definitions.resolve("beat.summ"), TimedEvents.summ(false));
        briefs.bringBack();
        begin();
        Set<Long> lateSlots = late(data.resolve("late"), SLOTS, TimedEvents.SLOT_MICROS);
        Set<Long> lateBriefs = late(data.resolve("late"), BRIEF, TimedEvents.BRIEF_MICROS);
        checkSlots(service.get("/summaries/Slots.csv"), lateSlots, sent);
        checkSums(service.get("/summaries/Brief.csv"), lateBriefs, TimedEvents.BRIEF_MICROS, sent);
        checkSums(service.get("/summaries/Totals.csv"), Set.of(), 0, sent);
        Account inSlots = checkFates(ledger, SLOTS, lateSlots, sent);
        var unused = checkFates(ledger, BRIEF, lateBriefs, sent);
        service.stop();
        return new RunFigures(List.of())
                .add("sender", settings.rsyslog ? "rsyslog" : "relp")
                .add("seed", settings.seed)
                .add("events", "events sent", sent)
                .add("kills_in_traffic", "SIGKILL while events came in", kills)
                .add("kills_starting", "SIGKILL while starting", killsStarting)
                .add("starts_checked", "starts that had all", startsChecked)
                .add("windows", "files of windows", slots.windows() + briefs.windows() + deleted)
                .add("deleted", "of these deleted, kept no longer", deleted)
                .add(
                        "puts",
                        "windows replaced by puts",
                        corrections.keySet().stream().filter(slots::hasPut).count())
                .add(
                        "puts_lost",
                        "puts that a kill prevented",
                        corrections.size()
                                - corrections.keySet().stream()
                                        .filter(slots::hasPut)
                                        .count())
                .add("late", "late events of " + SLOTS, lateSlots.size())
                .add(
                        "late_unexpected",
                        "of these with a short delay",
                        lateSlots.stream().filter(n -> !TimedEvents.isLate(n)).count())
                .add("early", "early messages", inSlots.count(Fate.EARLY))
                .add("untimed", "untimed messages", inSlots.count(Fate.UNTIMED))
                .add("duplicates", "messages that came again", inSlots.count(Fate.DUPLICATE))
                .add("lost_or_twice", "events lost or counted twice", 0)
                .add("seconds", "seconds", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
    }

    private boolean isClosed(String summary) throws IOException, InterruptedException {
        for (JsonNode window : service.json("/summaries/" + summary + "/windows")) {
            if (!window.path("state").asText().equals("closed")) {
                return false;
            }
        }
        return true;
    }

    /** Late events by the start of their window in {@code Slots}. */
    private Map<Long, Set<Long>> lateByWindow(Path folder) throws IOException {
        Map<Long, Set<Long>> byWindow = new HashMap<>();
        for (long n : late(folder, SLOTS, TimedEvents.SLOT_MICROS)) {
            byWindow.computeIfAbsent(events.window(n, TimedEvents.SLOT_MICROS), start -> new HashSet<>())
                    .add(n);
        }
        return byWindow;
    }

    /**
     * Cuts an index off before the first line that is incomplete or belongs to an incomplete frame, because the service
     * was still writing that line or frame.
     */
    private static void keepWholeLines(Path index, long framesBytes) throws IOException {
        String text = Files.readString(index);
        StringBuilder whole = new StringBuilder();
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            JsonNode entry = JSON.readTree(line);
            int length = entry.path("length").asInt();
            int prefix = Integer.toString(length).length() + 1;
            if (entry.path("offset").asLong() + prefix + length > framesBytes) {
                break;
            }
            whole.append(line).append('\n');
        }
        Files.writeString(index, whole);
    }

    /** Returns the events in a file of late messages. The file may repeat messages that an earlier process wrote. */
    private Set<Long> late(Path folder, String summary, long widthMicros) throws IOException {
        Set<Long> late = new HashSet<>();
        Path index = folder.resolve(summary + ".log");
        if (!Files.exists(index)) {
            return late;
        }
        byte[] frames = Files.readAllBytes(folder.resolve(summary + ".frames"));
        for (String line : Files.readAllLines(index)) {
            JsonNode entry = JSON.readTree(line);
            int offset = entry.path("offset").asInt();
            int length = entry.path("length").asInt();
            int prefix = Integer.toString(length).length() + 1;
            String[] cells = new String(frames, offset + prefix, length, StandardCharsets.US_ASCII).split(",", -1);
            long n = Long.parseLong(cells[cells.length - 3]);
            require(
                    TimestampText.parse(entry.path("window").asText()) == events.window(n, widthMicros),
                    "a late event of another window: " + line);
            late.add(n);
        }
        return late;
    }

    private void checkSlots(String csv, Set<Long> late, long sent) {
        BitSet there = slotsIn(csv);
        for (int n = 0; n < sent; n++) {
            long start = TimedEvents.hasWindow(n) ? events.window(n, TimedEvents.SLOT_MICROS) : 0;
            boolean added = slots.hasPut(start)
                    && corrections.getOrDefault(start, Set.of()).contains((long) n);
            boolean counts = TimedEvents.hasWindow(n) && (!late.contains((long) n) || added);
            require(
                    there.get(n) == counts,
                    "event " + n + " is " + (counts ? "in neither" : "in both") + " the rows and the late events");
        }
    }

    /**
     * Checks sums by key.
     *
     * @param widthMicros width of the windows; 0 for none
     */
    private void checkSums(String csv, Set<Long> late, long widthMicros, long sent) {
        Map<String, long[]> expected = new HashMap<>();
        for (long n = 0; n < sent; n++) {
            if (widthMicros == 0 || (TimedEvents.hasWindow(n) && !late.contains(n))) {
                String window = widthMicros == 0 ? "" : TimestampText.toString(events.window(n, widthMicros)) + ",";
                long[] row = expected.computeIfAbsent(window + Numbered.key(n), key -> new long[2]);
                row[0]++;
                row[1] += Numbered.amount(n);
            }
        }
        csv.lines().skip(1).forEach(line -> {
            int amountAt = line.lastIndexOf(',');
            int eventsAt = line.lastIndexOf(',', amountAt - 1);
            long[] row = expected.remove(line.substring(0, eventsAt));
            require(
                    row != null && line.substring(eventsAt + 1).equals(row[0] + "," + row[1]),
                    "a wrong row: " + line + (row == null ? "" : " instead of " + row[0] + "," + row[1]));
        });
        require(expected.isEmpty(), "missing rows: " + expected.keySet());
    }

    /**
     * Checks the ledger of a windowed summary. The ledger may count a refused event more than once, because the event
     * may come again and is then refused again.
     */
    private static Account checkFates(LedgerCounts ledger, String summary, Set<Long> late, long sent) {
        long untimed = 0;
        long early = 0;
        for (long n = 0; n < sent; n++) {
            untimed += TimedEvents.isUntimed(n) ? 1 : 0;
            early += TimedEvents.isEarly(n) ? 1 : 0;
        }
        Account account = ledger.intoSummary(summary);
        require(
                account.count(Fate.APPLIED) == sent - untimed - early - late.size()
                        && account.count(Fate.UNTIMED) >= untimed
                        && account.count(Fate.EARLY) >= early
                        && account.count(Fate.LATE) >= late.size()
                        && account.count(Fate.APPLIED)
                                        + account.count(Fate.DUPLICATE)
                                        + account.count(Fate.UNTIMED)
                                        + account.count(Fate.EARLY)
                                        + account.count(Fate.LATE)
                                == account.received(),
                "of " + sent + " events " + untimed + " are untimed, " + early + " early and " + late.size()
                        + " late, and the ledger of " + summary + " has " + account);
        return account;
    }

    @Override
    void close() throws IOException, InterruptedException {
        super.close();
        sender.close();
        relay.close();
    }
}
