package io.summarizer.bench.chaos;

import io.summarizer.bench.chaos.Attack.Ports;
import io.summarizer.bench.e2e.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A run of a service under attack from all sides. The service has a small heap and otherwise its default limits. A good
 * sender sends at the same time, and its events have to be counted exactly. The attacks come in rounds of up to three
 * at a time. The seed determines the rounds. At the end, messages come whose keys are too large to keep. The service
 * journals and acknowledges these messages. Then the service is killed, and has to start again. The run uses the
 * caller's thread, and one more thread for each attack.
 */
public final class HostileRun extends ServiceRun {
    /**
     * Number of keys of 260 kB to send. With so many keys, a service of an earlier version failed, and failed again at
     * each later start.
     */
    public static final int LARGE_KEYS = 6_000;

    private static final String HEAP = "-Xmx512m";
    private static final int ATTACKS_AT_A_TIME = 3;
    private static final int HEALTH_LIMIT_MS = 1_000;
    /**
     * Time from the start to the first attack. Meanwhile the JVM compiles the code that serves the good sender and the
     * probe.
     */
    private static final int SETTLE_MS = 10_000;

    private static final int POLL_MS = 10;
    private static final int PULL_AGAIN_MS = 500;
    private static final int PULL_LIMIT_MS = 20_000;
    private static final Duration REST_LIMIT = Duration.ofMinutes(2);
    private static final int KEYS_AT_A_TIME = 300;
    private static final long KEYS_HOLD_MS = 3_000;
    private static final int OVERSIZE = 256 * 1024 + 1;

    private static final String PROTO = """
            syntax = "proto3";
            message Text { string k = 1; string v = 2; int64 n = 3; }
            """;
    private static final String SUMM = """
            import "hostile.proto";
            event Text on "hostile.text" as csv;
            summary Texts { key { string k = 1; } value { count events = 1; laststring v = 2; multiset64 numbers = 3; } }
            map Text into Texts { key { k; } events += 1; v += v; numbers += n; }
            """;

    private final Settings settings;
    private final List<String> faults = new ArrayList<>();
    private int rounds;
    private long heapMax;
    private long slowestPullMillis;

    /**
     * Settings of a run.
     *
     * @param home the project's root
     * @param work an empty folder, for data and logs
     * @param duration time in which attacks may begin
     * @param rate events of the good sender per second
     * @param connections number of hostile connections throughout the run, in addition to the connections of attacks
     * @param attacks kinds of attacks that may happen
     * @param largeKeys number of large keys that the service acknowledges before it is killed
     */
    public record Settings(
            Path home,
            Path work,
            long seed,
            Duration duration,
            long rate,
            int connections,
            List<Attack> attacks,
            int largeKeys) {
        public Settings {
            attacks = List.copyOf(attacks);
        }
    }

    private HostileRun(Settings settings, PrintStream out) throws IOException {
        super(settings.home, settings.work, settings.seed, out);
        this.settings = settings;
    }

    /**
     * Runs.
     *
     * @param out receives a line for each round
     * @throws ChaosException when the service failed, did not start again, or counted wrongly
     */
    public static RunFigures run(Settings settings, PrintStream out) throws IOException, InterruptedException {
        return new HostileRun(settings, out).runAndClose();
    }

    @Override
    RunFigures run() throws IOException, InterruptedException {
        Files.writeString(definitions.resolve("numbered.proto"), Numbered.PROTO);
        Files.writeString(definitions.resolve("numbered.summ"), Numbered.totals());
        Files.writeString(definitions.resolve("hostile.proto"), PROTO);
        Files.writeString(definitions.resolve("hostile.summ"), SUMM);
        start();
        try (RelpSender sender = new RelpSender(service.relp().getPort(), settings.rate, Numbered::withId);
                Hostiles hostiles = new Hostiles(settings.connections, OVERSIZE, settings.seed)) {
            sender.allow(Long.MAX_VALUE);
            hostiles.connect(service.relp(), service.syslog());
            HealthProbe probe = new HealthProbe(service.http().getPort(), HEALTH_LIMIT_MS);
            try {
                Thread.sleep(SETTLE_MS);
                attack(sender, probe);
            } finally {
                probe.end();
            }
            hostiles.disconnect();
            rest(sender);
            long events = sender.sent();
            if (sender.resent() > 0) {
                faults.add("the good sender's session broke: " + sender.resent() + " events were sent again");
            }
            check(events, "beside the attacks");
            journalLargeKeys();
            service.kill();
            start();
            check(events, "after SIGKILL and a start");
            service.stop();
            return new RunFigures(faults)
                    .add("seed", settings.seed)
                    .add("minutes", String.format(Locale.ROOT, "%.1f", settings.duration.toMillis() / 6e4))
                    .add("rate", settings.rate)
                    .add("connections", settings.connections)
                    .add("rounds", "rounds of attacks", rounds)
                    .add("events", "events of the good sender, counted exactly", events)
                    .add("resent", "sent again", sender.resent())
                    .add("probes", "/healthz asked", probe.probes())
                    .add("slowest_probe_ms", "slowest answer of /healthz, ms", probe.slowestMillis())
                    .add("slowest_pull_ms", "slowest pull beside attacks, ms", slowestPullMillis)
                    .add("heap_mib_max", "heap in use at most, MiB", heapMax >> 20)
                    .add("faults", "faults", faults.size());
        }
    }

    /** Starts a service with a small heap and frequent checkpoints. Its other settings are the defaults. */
    @Override
    ServerProcess launch() throws IOException {
        return launch(
                ServerProcess.shippedOptions(HEAP),
                null,
                List.of("definitions=" + definitions, "data=" + data, "checkpoint.interval=10s"),
                Map.of());
    }

    @Override
    void start() throws IOException, InterruptedException {
        begin();
        service.await(
                "not ready after its start",
                REST_LIMIT,
                () -> service.readiness().startsWith("ready"));
    }

    private void attack(RelpSender sender, HealthProbe probe) throws IOException, InterruptedException {
        Ports ports = new Ports(
                service.syslog().getPort(),
                service.relp().getPort(),
                service.http().getPort());
        ExecutorService threads = Executors.newFixedThreadPool(ATTACKS_AT_A_TIME);
        try {
            long deadline = System.nanoTime() + settings.duration.toNanos();
            while (System.nanoTime() < deadline) {
                long before = sender.acknowledged();
                long lateBefore = probe.late();
                List<Attack> chosen = new ArrayList<>();
                List<Future<Assault.Outcome>> running = new ArrayList<>();
                for (int i = random.nextInt(1, ATTACKS_AT_A_TIME + 1); i > 0; i--) {
                    Attack attack = settings.attacks.get(random.nextInt(settings.attacks.size()));
                    SplittableRandom own = random.split();
                    chosen.add(attack);
                    running.add(threads.submit(() -> attack.prepare(ports, own).run()));
                }
                pull();
                List<String> outcomes = new ArrayList<>();
                for (int i = 0; i < running.size(); i++) {
                    Assault.Outcome outcome = outcome(running.get(i));
                    outcomes.add(String.format(
                            Locale.ROOT,
                            "%s (%d connections, %,d bytes, answered %,d)",
                            chosen.get(i).label(),
                            outcome.connected(),
                            outcome.sentBytes(),
                            outcome.answeredBytes()));
                }
                rounds++;
                look();
                if (probe.late() > lateBefore) {
                    faults.add("round " + rounds + ", "
                            + chosen.stream().map(Attack::label).collect(Collectors.joining(", ")) + ": "
                            + (probe.late() - lateBefore) + " answers of /healthz were late");
                }
                out.printf(
                        Locale.ROOT,
                        "%4d  good events %,d, heap %,d MiB, slowest /healthz %,d ms: %s%n",
                        rounds,
                        sender.acknowledged() - before,
                        heapMax >> 20,
                        probe.slowestMillis(),
                        String.join("; ", outcomes));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Assault.Outcome outcome(Future<Assault.Outcome> running) throws InterruptedException {
        try {
            return running.get();
        } catch (ExecutionException e) {
            throw new ChaosException("an attack failed by itself: " + e.getCause());
        }
    }

    /** Pulls once during the attacks. Repeats the pull while the service refuses it or the connection breaks. */
    private void pull() throws InterruptedException {
        long begun = System.nanoTime();
        long millis = 0;
        boolean answered = false;
        while (!answered && millis < PULL_LIMIT_MS && service.isAlive()) {
            try {
                service.get("/summaries/OnceTotals.csv");
                answered = true;
            } catch (IOException e) {
                Thread.sleep(PULL_AGAIN_MS);
            }
            millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        }
        slowestPullMillis = Math.max(slowestPullMillis, millis);
        if (!answered) {
            faults.add("round " + (rounds + 1) + ": no pull was answered within " + PULL_LIMIT_MS + " ms");
        }
    }

    /** Checks that the service is running, and records its heap in use. */
    private void look() throws IOException, InterruptedException {
        if (!service.isAlive()) {
            throw new ChaosException("the service ended in round " + rounds + ": " + service.log());
        }
        long heap = (long) service.scrape("jvm_memory_used_bytes")
                .values(
                        "jvm_memory_used_bytes",
                        sample -> "heap".equals(sample.labels().get("area")))
                .sum();
        heapMax = Math.max(heapMax, heap);
    }

    /** Pauses the sender, and waits until all events that were sent are acknowledged. */
    private void rest(RelpSender sender) throws IOException, InterruptedException {
        sender.allow(0);
        Thread.sleep(POLL_MS); // the sender may still be sending an event
        service.await(
                "does not acknowledge the good sender's last events",
                REST_LIMIT,
                () -> sender.acknowledged() == sender.sent());
    }

    private void check(long events, String when) throws IOException, InterruptedException {
        Book book = new Book(true);
        book.counted(events);
        try {
            book.checkTotals(service.get("/summaries/OnceTotals.csv"), service.get("/summaries/PlainTotals.csv"));
        } catch (ChaosException e) {
            throw new ChaosException(when + ": " + e.getMessage());
        }
    }

    /** Sends keys that are too large to keep. The service acknowledges and journals their messages. */
    private void journalLargeKeys() throws IOException, InterruptedException {
        Ports ports = new Ports(0, service.relp().getPort(), 0);
        SplittableRandom random = new SplittableRandom(settings.seed);
        long before = received();
        for (int sent = 0; sent < settings.largeKeys; sent += KEYS_AT_A_TIME) {
            Attack.acknowledgedKeys(ports, random, KEYS_AT_A_TIME, KEYS_HOLD_MS).run();
        }
        out.printf(Locale.ROOT, "      keys of 260 kB acknowledged before SIGKILL: %,d%n", received() - before);
    }

    private long received() throws IOException, InterruptedException {
        return (long) service.metric("summarizer_received_total");
    }
}
