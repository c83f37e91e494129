package io.summarizer.bench.chaos;

import io.summarizer.bench.e2e.DuckDb;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.report.Processes;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.server.cli.Main;
import io.summarizer.server.demo.KafkaBroker;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * A run of a service that reads Kafka. During the run, the service is killed, and the broker is killed or stopped. One
 * half of the events comes through an rsyslogd, the other half through a producer. At the end, the tables must equal
 * the tables that {@code run} and DuckDB compute from the sent events. The ledger must account for each record of the
 * topic. One thread, and a thread of each sender.
 */
public final class KafkaRun extends ServiceRun {
    private static final String TOPIC = "events";
    private static final int PARTITIONS = 4;
    private static final String HEAP = "-Xmx1g";
    /** Options of the JVM that computes the expected tables. */
    private static final List<String> RUN_OPTIONS = List.of("-Xmx2g", "-XX:+UseParallelGC");

    /** Time after which a wait without progress fails. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final int POLL_MS = 20;
    private static final int AFTER_MS_MAX = 200;
    private static final int AWAY_MS_MAX = 3_000;
    private static final int STARTING_ONE_IN = 5;
    private static final int CHECKPOINT_ONE_IN = 3;

    private final Settings settings;
    private final long half;

    private KafkaBroker broker;
    private int brokerKills;
    private int brokerStops;

    /**
     * Settings of a run.
     *
     * @param home the project's root
     * @param work an empty folder, for data and logs
     * @param kills number of kills of the service while events come in
     * @param restarts number of restarts of the broker, at most as many as kills
     * @param events number of events, a multiple of four
     * @param rate maximum number of events per second, of both senders together
     */
    public record Settings(Path home, Path work, long seed, int kills, int restarts, long events, long rate) {}

    @SuppressWarnings("NullAway.Init") // run() starts the broker first
    private KafkaRun(Settings settings, PrintStream out) throws IOException {
        super(settings.home, settings.work, settings.seed, out);
        this.settings = settings;
        half = settings.events / 2;
        Path shipped = home.resolve("schemas");
        Files.copy(shipped.resolve("ads.proto"), definitions.resolve("ads.proto"));
        // rsyslogd sends a message again when it does not know whether Kafka has it.
        Files.writeString(
                definitions.resolve("ads.summ"),
                Files.readString(shipped.resolve("ads.summ"))
                        .replaceAll(
                                "(?m)^(event .* as (csv|json));", "$1 dedup by syslog.sd[\"ev@32473\"].id within 1h;"));
    }

    /**
     * Runs.
     *
     * @param out receives a line for each incident
     * @throws ChaosException when an event was lost, counted twice or unaccounted for; {@code work} then has the
     *     evidence
     */
    public static RunFigures run(Settings settings, PrintStream out) throws IOException, InterruptedException {
        return new KafkaRun(settings, out).runAndClose();
    }

    @Override
    RunFigures run() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        try (AdEvents events = new AdEvents(settings.events, settings.seed, work);
                KafkaBroker started = KafkaBroker.start(work.resolve("broker"))) {
            broker = started;
            broker.createTopic(TOPIC, PARTITIONS, Map.of());
            startFirst();
            try (Sender rsyslog = RsyslogSender.kafka(
                            home, work.resolve("rsyslog"), broker.brokers(), settings.rate / 2, events::first);
                    Sender producer = new KafkaSender(broker, TOPIC, settings.rate / 2, events::second)) {
                for (int kill = 1; kill <= settings.kills; kill++) {
                    incident(kill, rsyslog, producer);
                }
                allow(half, rsyslog, producer);
                awaitProgress(() -> account().count(Fate.APPLIED) >= settings.events, rsyslog, producer);
                service.await("messages are in flight", LIMIT, () -> account().inFlight() == 0);
            }
            // rsyslogd may send a message again until it has ended.
            long records = records();
            service.await("records are not read", LIMIT, () -> account().decided() >= records);
            Account account = checked(records);
            Path pulled = work.resolve("pulled");
            service.pull(pulled);
            checkTables(events, pulled);
            restart();
            var unused = checked(records);
            Path again = work.resolve("pulled-again");
            service.pull(again);
            checkSame(pulled, again);
            service.stop();
            return new RunFigures(List.of())
                    .add("seed", settings.seed)
                    .add("events", "events sent, v1 and v2, two senders", settings.events)
                    .add("records", "records in Kafka", records)
                    .add("duplicates", "repeated by rsyslogd, and recognized", account.count(Fate.DUPLICATE))
                    .add("kills_in_traffic", "SIGKILL while events came in", settings.kills)
                    .add("kills_starting", "SIGKILL while starting", killsStarting)
                    .add("broker_kills", "SIGKILL of the broker", brokerKills)
                    .add("broker_stops", "orderly stops of the broker", brokerStops)
                    .add("rows", "rows equal to those of run and DuckDB", rows(pulled))
                    .add("lost", "lost", settings.events - account.count(Fate.APPLIED))
                    .add("counted_twice", "counted twice", 0)
                    .add("seconds", "seconds", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
        }
    }

    private static void allow(long limit, Sender... senders) {
        for (Sender sender : senders) {
            sender.allow(limit);
        }
    }

    /** Kills the service while events come in. Restarts the broker first, if a restart is due. */
    private void incident(int kill, Sender rsyslog, Sender producer) throws IOException, InterruptedException {
        long round = half / settings.kills;
        long begin = half * (kill - 1) / settings.kills;
        long middle = begin + round / 2;
        allow(middle, rsyslog, producer);
        String what = "";
        boolean away = false;
        if ((long) kill * settings.restarts / settings.kills > (kill - 1L) * settings.restarts / settings.kills) {
            int restart = brokerKills + brokerStops;
            away = restart % 3 == 2;
            awaitReceived(begin + random.nextLong(1 + round / 4), rsyslog, producer);
            if (!away) {
                what = restartBroker(restart % 3 == 1);
            }
        }
        if (random.nextInt(CHECKPOINT_ONE_IN) == 0) {
            // Otherwise services on a busy machine might all be killed before their first checkpoint.
            service.await("no checkpoint", LIMIT, () -> service.metric("summarizer_checkpoints_total") > 0);
        }
        allow(half * kill / settings.kills, rsyslog, producer);
        if (away) {
            broker.kill();
            brokerKills++;
            what = "broker killed; ";
        } else {
            awaitReceived(middle + random.nextLong(1 + round / 4), rsyslog, producer);
        }
        Thread.sleep(random.nextInt(AFTER_MS_MAX));
        Account before = account();
        service.kill();
        if (random.nextInt(STARTING_ONE_IN) == 0) {
            killStarting(random);
            what += "service killed while starting; ";
        }
        long begun = System.nanoTime();
        service = launch();
        if (away) {
            Thread.sleep(random.nextInt(AFTER_MS_MAX));
            broker.restart();
            what += "broker started after the service; ";
        }
        service.awaitListening();
        startMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        String recovered = service.complaints()
                .lines()
                .filter(line -> line.contains("recovered:"))
                .map(line -> line.substring(line.indexOf("recovered:")))
                .findFirst()
                .orElse("nothing to recover");
        out.printf(
                Locale.ROOT,
                "%4d  %,d sent, %,d received: %staken up in %,d ms, %s%n",
                kill,
                rsyslog.sent() + producer.sent(),
                before.received(),
                what,
                startMillis,
                recovered);
    }

    private String restartBroker(boolean orderly) throws IOException, InterruptedException {
        if (orderly) {
            broker.stop();
            brokerStops++;
        } else {
            broker.kill();
            brokerKills++;
        }
        int millis = random.nextInt(AWAY_MS_MAX);
        Thread.sleep(millis);
        broker.restart();
        return "broker " + (orderly ? "stopped" : "killed") + ", away for " + millis + " ms; ";
    }

    /** Waits until the service has received {@code each} messages per sender. */
    private void awaitReceived(long each, Sender rsyslog, Sender producer) throws IOException, InterruptedException {
        awaitProgress(() -> account().received() >= 2 * each, rsyslog, producer);
    }

    /** Waits for a condition while messages come in. */
    private void awaitProgress(ServerProcess.Condition condition, Sender rsyslog, Sender producer)
            throws IOException, InterruptedException {
        long received = -1;
        long deadline = 0;
        while (!condition.holds()) {
            long now = account().received();
            if (now > received) {
                received = now;
                deadline = System.nanoTime() + LIMIT.toNanos();
            } else if (System.nanoTime() > deadline) {
                throw new ChaosException(rsyslog.sent() + " and " + producer.sent() + " events were sent, Kafka has "
                        + producer.acknowledged() + " of the producer, and the service has " + account() + "\n"
                        + service.complaints());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private Account account() throws IOException, InterruptedException {
        return service.ledger().total();
    }

    /**
     * Returns the ledger's counts of records. Checks that the ledger counts each record once, and that it has one
     * applied record for each event.
     */
    private Account checked(long records) throws IOException, InterruptedException {
        Account account = account();
        if (account.count(Fate.APPLIED) != settings.events
                || account.count(Fate.DUPLICATE) != records - settings.events
                || account.received() != records
                || account.decided() != records) {
            throw new ChaosException("of " + records + " records with " + settings.events + " events, the service has "
                    + account + "\n" + service.complaints());
        }
        return account;
    }

    private long records() throws InterruptedException {
        try (Admin admin = broker.admin()) {
            return admin
                    .listOffsets(IntStream.range(0, PARTITIONS)
                            .boxed()
                            .collect(Collectors.toMap(
                                    partition -> new TopicPartition(TOPIC, partition),
                                    partition -> OffsetSpec.latest())))
                    .all()
                    .get()
                    .values()
                    .stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        } catch (ExecutionException e) {
            throw new ChaosException("the broker does not say how many records it has: " + e.getCause());
        }
    }

    /**
     * Compares the pulled tables with the results of {@code run} and of DuckDB for the same events and the shipped
     * definitions.
     */
    private void checkTables(AdEvents events, Path pulled) throws IOException, InterruptedException {
        Path run = work.resolve("run");
        Processes.run(Processes.java(
                        RUN_OPTIONS,
                        Main.class,
                        List.of(
                                "run",
                                "--definitions",
                                home.resolve("schemas").toString(),
                                "--out",
                                run.toString(),
                                events.v1().toString(),
                                events.v2().toString()))
                .toArray(String[]::new));
        checkSame(run, pulled);
        DuckDb duckDb = new DuckDb(events.v1(), events.v2(), Files.createDirectories(work.resolve("duckdb")));
        var unused = duckDb.seconds();
        duckDb.check(pulled, 1);
        out.println("run and " + DuckDb.version() + " agree");
    }

    private static void checkSame(Path expected, Path found) throws IOException {
        for (Path table : tables(expected)) {
            List<String> wanted = sorted(table);
            List<String> rows = sorted(found.resolve(table.getFileName()));
            if (!wanted.equals(rows)) {
                List<String> missing = new ArrayList<>(wanted);
                missing.removeAll(Set.copyOf(rows));
                throw new ChaosException(table.getFileName() + " has " + rows.size() + " lines instead of "
                        + wanted.size() + "; " + missing.size() + " are missing, the first are "
                        + missing.subList(0, Math.min(3, missing.size())));
            }
        }
    }

    private static List<Path> tables(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".csv")).toList();
        }
    }

    private static List<String> sorted(Path csv) throws IOException {
        try (Stream<String> lines = Files.lines(csv)) {
            return lines.sorted().toList();
        }
    }

    private static long rows(Path folder) throws IOException {
        long rows = 0;
        for (Path table : tables(folder)) {
            rows += sorted(table).size() - 1;
        }
        return rows;
    }

    @Override
    ServerProcess launch() throws IOException {
        return launch(
                ServerProcess.shippedOptions(HEAP),
                null,
                List.of(
                        "definitions=" + definitions,
                        "data=" + data,
                        "checkpoint.interval=2s",
                        "limits.dedup-ids=500000",
                        "listen.kafka.brokers=" + broker.brokers(),
                        "listen.kafka.topics=" + TOPIC),
                Map.of());
    }
}
