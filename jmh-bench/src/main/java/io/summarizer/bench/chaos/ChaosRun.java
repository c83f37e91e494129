package io.summarizer.bench.chaos;

import static io.summarizer.bench.chaos.ChaosException.require;

import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.report.Processes;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A run of a service under failures, from a start in an empty folder to the last orderly stop. One thread.
 *
 * <p>After each start, the service must have every acknowledged event, and no event twice. Senders reach the service
 * only after this check. From time to time all traffic stops, and then rows, totals, ledger and journal must agree
 * exactly. Afterwards, the summary that has a row for each event is reset, so that a run of any length is possible.
 *
 * <p>The class is longer than 500 lines, because all incidents are scripts over the same service, sender, relay and
 * book. Most of these scripts start and end alike.
 */
public final class ChaosRun extends ServiceRun {
    private static final int AFTER_MS_MIN = 50;
    private static final int AFTER_MS_MAX = 1_200;
    private static final int OVERSIZE = 8 * 1024;
    private static final int SETTLE_ROWS = 150_000;
    private static final int POLL_MS = 5;
    private static final Duration LAST_EVENTS_LIMIT = Duration.ofMinutes(3);
    private static final int NUDGE_EVENTS = 50;
    private static final Duration TRAFFIC_LIMIT = Duration.ofMinutes(1);
    private static final int OPENING_BYTES_MAX = 200;
    private static final long CHECKPOINT_WAIT_MS = 3_000;
    private static final int KILLS_STARTING_MAX = 3;
    private static final int RELOAD_MS_MAX = 80;
    private static final int RESET_MS_MAX = 30;
    private static final int CUTS_MAX = 4;
    private static final int CUT_BYTES_MAX = 300_000;
    private static final int CUT_ANSWER_BYTES_MAX = 40_000;
    private static final int CUT_PAUSE_MS = 400;
    private static final int STALL_MS_MAX = 1_500;
    private static final int CLOCK_SECONDS_MIN = 2 * 3_600;
    private static final int CLOCK_SECONDS_MAX = 12 * 3_600;
    /**
     * Largest error of the clock after an incident, in either direction. From one incident to the next, the error
     * changes by at most twice this value: half an hour. The service remembers ids for longer, for an hour.
     */
    private static final int CLOCK_LEFT_SECONDS_MAX = 15 * 60;

    private static final int CLOCK_WRONG_MS_MAX = 2_000;
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(30);

    private static final int DISK_MEBIBYTES = 128;
    private static final long FULL_NOTICED_MS = 8_000;
    private static final int FULL_MS_MAX = 1_500;
    /**
     * Idle time before a kill. It is longer than one second, because the journal writes a record of its end after a
     * second without messages.
     */
    private static final int IDLE_MS = 1_500;

    private static final int DAMAGED_TRAFFIC_MS = 1_000;
    private static final int SEGMENT_HEADER_BYTES = 64;
    private static final int IN_HEADER_ONE_IN = 8;

    private static final String HEADER_ONLY = "n,times\n";

    private final Settings settings;
    /** The kinds that may happen, each as often as its weight says. */
    private final List<Kind> kinds;

    private final Relay relay;
    private final Sender sender;
    private final Hostiles hostiles;
    private final Book book;

    private int incidents;
    private int killsInTraffic;
    private int kills;
    private int stops;
    private int startsChecked;
    private int rests;
    private long duplicates;
    private int connections;

    private @Nullable SmallDisk disk;
    private final @Nullable WallClock clock;
    private boolean wider;
    private long journalled;
    private boolean checkpointing = true;

    /**
     * Settings of a run.
     *
     * @param home the project's root
     * @param work an empty folder, for data and logs
     * @param kills the run ends after this number of kills under traffic; 0: kills do not end the run
     * @param duration time after which the run ends
     * @param events number of events, spread evenly over the kills; 0: as many as there is time for
     * @param rate maximum number of events per second
     * @param connections number of hostile connections
     * @param kinds incidents that may happen
     */
    public record Settings(
            Path home,
            Path work,
            long seed,
            int kills,
            Duration duration,
            long events,
            long rate,
            int connections,
            boolean rsyslog,
            List<Kind> kinds) {
        public Settings {
            kinds = List.copyOf(kinds);
        }
    }

    private ChaosRun(Settings settings, PrintStream out) throws IOException, InterruptedException {
        super(settings.home, settings.work, settings.seed, out);
        this.settings = settings;
        kinds = settings.kinds.stream()
                .flatMap(kind -> Collections.nCopies(kind.weight, kind).stream())
                .toList();
        Files.writeString(definitions.resolve("numbered.proto"), Numbered.PROTO);
        define();
        clock = settings.kinds.contains(Kind.CLOCK) ? WallClock.make(work.resolve("clock")) : null;
        relay = new Relay();
        hostiles = new Hostiles(settings.connections, OVERSIZE, settings.seed);
        sender = settings.rsyslog
                ? RsyslogSender.relp(
                        home,
                        work.resolve("rsyslog"),
                        relay.port(),
                        settings.rate,
                        RsyslogSender.SHIPPED_MEMORY,
                        Numbered::line)
                : new RelpSender(relay.port(), settings.rate, Numbered::withId);
        book = new Book(!settings.rsyslog);
    }

    /**
     * Runs.
     *
     * @param out receives a line for each incident
     * @return the figures of the run; the first event that is lost or counted twice ends the run with an exception
     * @throws ChaosException when an event was lost, counted twice or unaccounted for; {@code work} then has the
     *     evidence
     */
    public static RunFigures run(Settings settings, PrintStream out) throws IOException, InterruptedException {
        return new ChaosRun(settings, out).runAndClose();
    }

    @Override
    RunFigures run() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        long deadline = begun + settings.duration.toNanos();
        startFirst();
        while (System.nanoTime() < deadline && (settings.kills == 0 || killsInTraffic < settings.kills)) {
            long killsWanted = Math.max(1, settings.kills);
            sender.allow(
                    settings.events == 0
                            ? Long.MAX_VALUE
                            : settings.events * Math.min(killsWanted, killsInTraffic + 1) / killsWanted);
            SplittableRandom own = random.split();
            Kind kind = kinds.get(own.nextInt(kinds.size()));
            int afterMillis = own.nextInt(AFTER_MS_MIN, AFTER_MS_MAX);
            incidents++;
            awaitTraffic();
            Thread.sleep(afterMillis);
            long before = sender.sent();
            String said;
            try {
                said = perform(kind, own);
            } catch (ChaosException | IOException e) {
                throw new ChaosException("incident " + incidents + ", " + kind + ": " + e.getMessage());
            }
            out.printf(
                    Locale.ROOT,
                    "%4d  %-18s after %,5d ms, %,d events: %s%n",
                    incidents,
                    kind,
                    afterMillis,
                    before,
                    said);
            if (sender.sent() - book.settled() > SETTLE_ROWS) {
                settle();
            }
        }
        if (settings.events > 0) {
            sender.allow(settings.events);
            service.await("the last events are not out", LAST_EVENTS_LIMIT, () -> sender.sent() >= settings.events);
        }
        settle();
        end();
        return figures((System.nanoTime() - begun) / 1e9);
    }

    private RunFigures figures(double seconds) throws IOException {
        return new RunFigures(List.of())
                .add("sender", settings.rsyslog() ? "rsyslog" : "relp")
                .add("seed", settings.seed())
                .add("events", "events sent", sender.sent())
                .add("connections", "hostile connections at a time", connections)
                .add("incidents", "incidents", incidents)
                .add("kills_in_traffic", "SIGKILL while events came in", killsInTraffic)
                .add("kills_starting", "SIGKILL at other times", kills + killsStarting - killsInTraffic)
                .add("stops", "orderly stops", stops)
                .add("cuts", "connections cut off", relay.cuts())
                .add("starts_checked", "starts that had all", startsChecked)
                .add("rests_checked", "rows, totals, ledger and journal agreed", rests)
                .add("acknowledged_lost", "acknowledged and lost", 0)
                .add("counted_twice", "with an id and counted twice", 0)
                .add("resent", "sent again, as far as the sender can tell", sender.resent())
                .add("duplicates", "with an id and recognized", duplicates)
                .add("counted_again_without_id", "without an id and counted again", book.plainAgain())
                .add("reported_lost", "said to be lost with damaged files", book.reportedLost())
                .add("seconds", "seconds", Math.round(seconds));
    }

    /** Checks that an orderly stop leaves no message to replay, and that all events are in the rows. */
    private void end() throws IOException, InterruptedException {
        restart();
        settle();
        stop();
    }

    private String perform(Kind kind, SplittableRandom random) throws IOException, InterruptedException {
        switch (kind) {
            case KILL -> {
                killInTraffic();
                return started();
            }
            case KILL_STARTING -> {
                killInTraffic();
                int more = random.nextInt(1, KILLS_STARTING_MAX + 1);
                for (int i = 0; i < more; i++) {
                    killStarting(random);
                }
                return more + " killed while starting; " + started();
            }
            case KILL_CHECKPOINT -> {
                boolean seen = await(
                        CHECKPOINT_WAIT_MS,
                        () -> !Damage.files(data.resolve("checkpoints"), name -> name.endsWith(".tmp"))
                                .isEmpty());
                Thread.sleep(random.nextInt(POLL_MS));
                killInTraffic();
                return (seen ? "" : "no checkpoint was written; ") + started();
            }
            case KILL_RELOAD -> {
                wider = !wider;
                define();
                var unused = service.beginPost("/definitions/reload");
                Thread.sleep(random.nextInt(RELOAD_MS_MAX));
                killInTraffic();
                return started();
            }
            case KILL_RESET -> {
                Book.Seen seen = rest();
                var unused = service.beginPost("/summaries/Seen/reset");
                Thread.sleep(random.nextInt(RESET_MS_MAX));
                service.kill();
                kills++;
                gone();
                begin();
                boolean reset =
                        Rows.parse(service.get("/summaries/Seen.csv")).rows().isEmpty();
                if (reset) {
                    book.settle(seen, HEADER_ONLY);
                }
                connect();
                return (reset ? "it was reset; " : "it was not reset; ") + took();
            }
            case STOP -> {
                stop();
                return started();
            }
            case CUT -> {
                return cut(random) + " times";
            }
            case STALL -> {
                int millis = random.nextInt(STALL_MS_MAX);
                relay.stall(millis);
                return millis + " ms";
            }
            case RELOAD -> {
                wider = !wider;
                define();
                return service.post("/definitions/reload").lines().findFirst().orElse("");
            }
            case DAMAGED_CHECKPOINT -> {
                killInTraffic();
                List<Path> checkpoints = checkpoints();
                if (checkpoints.size() < 2) {
                    return "there are no two checkpoints; " + started();
                }
                Path newest = checkpoints.get(checkpoints.size() - 1);
                String done = Damage.doTo(newest, 0, Files.size(newest), random);
                String took = started();
                if (!service.complaints().contains("it is kept as")) {
                    throw new ChaosException(done + ", and the service took it: " + service.complaints());
                }
                for (Path aside : Damage.files(data.resolve("checkpoints"), name -> name.endsWith(".damaged"))) {
                    Files.delete(aside);
                }
                return done + "; " + took;
            }
            case DAMAGED_JOURNAL -> {
                return damageJournal(random);
            }
            case CLOCK -> {
                return setClock(random);
            }
            case FULL_DISK -> {
                return fillDisk(random);
            }
        }
        throw new IllegalStateException(kind.toString());
    }

    private int cut(SplittableRandom random) throws InterruptedException {
        int cuts = random.nextInt(1, CUTS_MAX + 1);
        for (int i = 0; i < cuts; i++) {
            boolean answers = random.nextBoolean();
            relay.cut(answers, random.nextInt(1, answers ? CUT_ANSWER_BYTES_MAX : CUT_BYTES_MAX));
            Thread.sleep(random.nextInt(CUT_PAUSE_MS));
        }
        return cuts;
    }

    /**
     * Sets the wall clock forward or back by more than the time for which ids are remembered, and makes the sender
     * repeat messages meanwhile. Then sets the clock to about the true time, with an error of at most {@link
     * #CLOCK_LEFT_SECONDS_MAX}, which stays until the clock is set again.
     */
    private String setClock(SplittableRandom random) throws IOException, InterruptedException {
        WallClock clock = this.clock;
        if (clock == null) {
            throw new IllegalStateException("services have the machine's clock");
        }
        Duration before = clock.ahead();
        int seconds = random.nextInt(CLOCK_SECONDS_MIN, CLOCK_SECONDS_MAX + 1);
        Duration ahead = Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds);
        clock.set(ahead);
        Duration seen = Duration.between(Instant.now(), time());
        require(
                seen.minus(ahead).abs().compareTo(CLOCK_TOLERANCE) <= 0,
                "the clock was set ahead by " + ahead + ", and the service has it ahead by " + seen);
        int cuts = cut(random);
        Thread.sleep(random.nextInt(CLOCK_WRONG_MS_MAX));
        Duration left = Duration.ofSeconds(random.nextInt(-CLOCK_LEFT_SECONDS_MAX, CLOCK_LEFT_SECONDS_MAX + 1));
        clock.set(left);
        return "from " + before + " to " + ahead + " and to " + left + ", cut off " + cuts + " times meanwhile";
    }

    /** Returns the service's time of day. */
    private Instant time() throws IOException, InterruptedException {
        return Instant.parse(service.json("/ledger").findPath("taken").asText());
    }

    /**
     * Damages a part of the journal that no checkpoint covers. The service has to report exactly the missing events. A
     * damaged event is not missing if the service also has the event in its rows or in an undamaged message.
     */
    private String damageJournal(SplittableRandom random) throws IOException, InterruptedException {
        stop();
        long from = JournalCopy.end(data.resolve("journal"), journalled);
        checkpointing = false;
        begin();
        checkpointing = true;
        Book.Seen covered = look();
        relay.target(service.relp()); // without hostile clients, every event is known
        sender.allow(Long.MAX_VALUE);
        awaitTraffic();
        Thread.sleep(random.nextInt(DAMAGED_TRAFFIC_MS));
        rest();
        Thread.sleep(IDLE_MS);
        service.kill();
        kills++;
        gone();

        Path folder = data.resolve("journal");
        JournalCopy copy = JournalCopy.of(folder, from);
        String done = damage(folder, from, random);
        begin();
        JournalCopy.Missing missing = copy.missing(service.complaints());
        Set<Long> lost = missing.events();
        lost.removeIf(covered::has);
        Set<Long> found = look().missing();
        if (!found.equals(lost)) {
            throw new ChaosException(done + ": missing are " + found.size() + " events, but " + lost.size()
                    + " are said to be: " + service.complaints());
        }
        book.lost(lost, missing.between());
        journalled = missing.end().orElse(journalled);
        connect();
        return String.format(
                Locale.ROOT,
                "%s; of %,d messages %,d events are said to be lost, and are; %s",
                done,
                copy.size(),
                lost.size(),
                took());
    }

    /** Damages a record that no checkpoint covers, or sometimes the header of the record's segment. */
    private static String damage(Path folder, long from, SplittableRandom random) throws IOException {
        record Place(String file, long from, long to) {}
        List<Place> places = new ArrayList<>();
        try (JournalReader reader = Journal.inspect(new FileDisk(folder), from, false)) {
            JournalReader.Entry entry;
            while ((entry = reader.next()) != JournalReader.Entry.END) {
                if (entry == JournalReader.Entry.MESSAGES && reader.firstSequence() >= from) {
                    places.add(new Place(reader.file(), reader.position(), reader.position() + reader.storedBytes()));
                }
            }
        }
        if (places.isEmpty()) {
            return "nothing to damage";
        }
        Place place = places.get(random.nextInt(places.size()));
        return random.nextInt(IN_HEADER_ONE_IN) == 0
                ? Damage.doTo(folder.resolve(place.file), 0, SEGMENT_HEADER_BYTES, random)
                : Damage.doTo(folder.resolve(place.file), place.from, place.to, random);
    }

    /**
     * Runs the service on a separate disk that is full for a while, to check that the service acknowledges no message
     * that it cannot keep.
     */
    private String fillDisk(SplittableRandom random) throws IOException, InterruptedException {
        stop();
        Path usual = data;
        SmallDisk small;
        try {
            small = SmallDisk.mount(work.resolve("small"), DISK_MEBIBYTES);
        } catch (IOException e) {
            return "not possible here (" + e.getMessage() + "); " + started();
        }
        disk = small;
        data = small.folder().resolve("data");
        copy(usual, data);
        start();
        sender.allow(Long.MAX_VALUE);
        awaitTraffic();
        small.fill();
        long noticed = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FULL_NOTICED_MS);
        while (service.readiness().equals("ready") && System.nanoTime() < noticed) {
            Thread.sleep(POLL_MS); // the segment that the journal prepared is not full yet
        }
        String readiness = service.readiness();
        Thread.sleep(random.nextInt(FULL_MS_MAX));
        boolean killed = random.nextBoolean();
        if (killed) {
            killInTraffic();
        }
        small.free();
        if (killed) {
            start();
        }
        awaitTraffic();
        stop();
        TemporaryFolder.delete(usual);
        copy(data, usual);
        data = usual;
        small.close();
        disk = null;
        return "it said: " + readiness + (killed ? "; killed; " : "; ") + started();
    }

    private static void copy(Path folder, Path absent) throws IOException, InterruptedException {
        Processes.run("cp", "-a", folder.toString(), absent.toString());
    }

    private void define() throws IOException {
        Files.writeString(definitions.resolve("numbered.summ"), Numbered.summ(wider));
    }

    private List<Path> checkpoints() throws IOException {
        return Damage.files(data.resolve("checkpoints"), name -> name.endsWith(".state"));
    }

    @Override
    ServerProcess launch() throws IOException {
        List<String> all = List.of(
                "definitions=" + definitions,
                "data=" + data,
                "journal.segment-size=1MiB",
                "journal.max-size=256MiB",
                "checkpoint.interval=" + (checkpointing ? "1s" : "0s"),
                "limits.dedup-ids=200000",
                "rejects.max-size=16MiB",
                "listen.relp.max-message-size=" + OVERSIZE + "B",
                "listen.syslog-tcp.max-message-size=" + OVERSIZE + "B",
                "listen.relp.message-timeout=5s",
                "listen.syslog-tcp.message-timeout=5s");
        return launch(ServerProcess.SHORT_LIVED, null, all, clock == null ? Map.of() : clock.environment());
    }

    /** Starts a service, checks that it has every acknowledged event, and only then lets senders reach it. */
    @Override
    void start() throws IOException, InterruptedException {
        begin();
        connect();
    }

    private String started() throws IOException, InterruptedException {
        start();
        return took();
    }

    private String took() throws IOException {
        return String.format(Locale.ROOT, "took up in %,d ms%s", startMillis, replayed());
    }

    private String replayed() throws IOException {
        return service.complaints()
                .lines()
                .filter(line -> line.startsWith("recovered: "))
                .map(line -> ", " + line.substring("recovered: ".length()))
                .findFirst()
                .orElse("");
    }

    private void connect() throws IOException, InterruptedException {
        Book.Seen seen = look();
        seen.complete();
        checkLedger(seen);
        startsChecked++;
        relay.target(service.relp());
        hostiles.connect(service.relp(), service.syslog());
    }

    private Book.Seen look() throws IOException, InterruptedException {
        long acknowledged = sender.acknowledged();
        String csv = service.get("/summaries/Seen.csv");
        return book.check(csv, acknowledged, sender.sent(), sender);
    }

    private void checkLedger(Book.Seen seen) throws IOException, InterruptedException {
        journalled = JournalCopy.end(data.resolve("journal"), journalled);
        LedgerCounts ledger = service.ledger();
        book.checkLedger(ledger, seen, journalled);
        ledger.events().stream()
                .filter(event -> event.name().equals("Once"))
                .forEach(event -> duplicates = event.count(Fate.DUPLICATE));
    }

    private void killInTraffic() throws InterruptedException {
        connections = Math.max(connections, hostiles.open());
        service.kill();
        kills++;
        killsInTraffic++;
        gone();
    }

    @Override
    void stop() throws IOException, InterruptedException {
        connections = Math.max(connections, hostiles.open());
        service.stop();
        stops++;
        gone();
    }

    private void gone() {
        relay.target(null);
        hostiles.disconnect();
    }

    /**
     * Waits until the rows have all events that were sent, and no event is in flight. Then checks that all numbers
     * agree.
     */
    private Book.Seen rest() throws IOException, InterruptedException {
        hostiles.quiet(true);
        if (!comesToRest(sender, this::isAtRest)) {
            throw new ChaosException("of " + sender.sent() + " events " + sender.acknowledged()
                    + " were acknowledged; missing of these: "
                    + look().missing().size() + "\n" + service.ledger()
                    + service.log());
        }
        Book.Seen seen = book.check(service.get("/summaries/Seen.csv"), sender.sent(), sender.sent(), sender);
        seen.complete();
        checkLedger(seen);
        rests++;
        return seen;
    }

    private boolean isAtRest() throws IOException, InterruptedException {
        long sent = sender.sent();
        if (!settings.rsyslog && sender.acknowledged() < sent) {
            return false;
        }
        LedgerCounts ledger = service.ledger();
        return ledger.total().inFlight() == 0
                && rowsSeen() >= book.rows(sent)
                && sender.sent() == sent
                && service.ledger().total().received() == ledger.total().received();
    }

    private long rowsSeen() throws IOException, InterruptedException {
        return service.json("/summaries?keep=no").findParents("name").stream()
                .filter(summary -> summary.path("name").asText().equals("Seen"))
                .mapToLong(summary -> summary.path("rows").asLong())
                .findFirst()
                .orElseThrow(() -> new ChaosException("the service does not list the summary Seen"));
    }

    /** Stops all traffic, checks the totals, and resets {@code Seen}. */
    private void settle() throws IOException, InterruptedException {
        Book.Seen seen = rest();
        String csv = service.get("/summaries/Seen.csv");
        String unused = service.post("/summaries/Seen/reset");
        book.settle(seen, csv);
        book.checkTotals(service.get("/summaries/OnceTotals.csv"), service.get("/summaries/PlainTotals.csv"));
        hostiles.quiet(false);
        sender.allow(settings.events == 0 ? Long.MAX_VALUE : sender.sent());
    }

    /**
     * Waits until the service acknowledges messages. The sign is that the service has sent more bytes than an answer to
     * {@code open} has.
     */
    private void awaitTraffic() throws InterruptedException {
        long before = relay.answerBytes();
        long nudgedNanos = System.nanoTime();
        long deadline = nudgedNanos + TRAFFIC_LIMIT.toNanos();
        while (relay.answerBytes() - before < OPENING_BYTES_MAX) {
            if (System.nanoTime() > deadline) {
                throw new ChaosException("no message was answered within " + TRAFFIC_LIMIT);
            }
            if (sender.sent() >= sender.limit && System.nanoTime() - nudgedNanos > NUDGE_NANOS) {
                nudgedNanos = System.nanoTime();
                sender.allow(sender.sent() + NUDGE_EVENTS);
            }
            Thread.sleep(POLL_MS);
        }
    }

    @Override
    void close() throws IOException, InterruptedException {
        super.close();
        hostiles.close();
        sender.close();
        relay.close();
        SmallDisk left = disk;
        if (left != null) {
            left.close();
        }
    }
}
