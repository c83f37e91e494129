package io.summarizer.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.flink.cluster.InJvmBroker;
import io.summarizer.flink.cluster.LocalCluster;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.options.StartAt;
import io.summarizer.flink.options.TopicFrom;
import io.summarizer.flink.result.Results;
import io.summarizer.flink.submit.JobSetup;
import io.summarizer.server.cli.Commands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs jobs over events in Kafka and compares their results with those of {@code run} over the same events. */
@SuppressWarnings("NullAway.Init") // JUnit sets the folder, beforeAll the rest
class JobTest {
    private static final int PARTITIONS = 3;
    private static final long SEED = Long.getLong("summarizer.seed", 7);

    private static final String EVENTS = """
            syntax = "proto3";
            message Order { int64 customer = 1; string country = 2; double amount = 3; int64 at = 4; int64 id = 5; }
            """;

    private static final String DEFINITIONS = """
            import "events.proto";
            event Order on "shop.order.#" as csv dedup by id within 1h;
            summary Sales {
                key { string country = 1; }
                value {
                    count orders = 1; sumcurrency revenue = 2; multiset64 customers = 3; maxint64 last = 4;
                    summary Customer { key { int64 customer = 1; } value { count orders = 1; sumcurrency revenue = 2; } }
                    repeated Customer top = 5;
                }
            }
            map Order into Sales where amount > 0 {
                key { country; }
                orders += 1; revenue += amount; customers += customer; last += at;
                top[customer] { orders += 1; revenue += amount; }
            }
            """;

    /** One field more, and one with another name. */
    private static final String CHANGED = DEFINITIONS
            .replace("sumcurrency revenue = 2; multiset64", "sumcurrency turnover = 2; multiset64")
            .replace("revenue += amount; customers", "turnover += amount; customers")
            .replace("maxint64 last = 4;", "maxint64 last = 4; minint64 first = 6;")
            .replace("last += at;", "last += at; first += at;");

    private static final String WINDOWS = """
            import "events.proto";
            event Order on "shop.order.#" as csv;
            summary Minutes {
                window minute every 1m close after 10s;
                key { timestamp minute = 1; string country = 2; }
                value { count orders = 1; sumcurrency revenue = 2; multiset64 customers = 3; }
            }
            map Order into Minutes {
                key { minute = timestamp(at); country; }
                orders += 1; revenue += amount; customers += customer;
            }
            """;

    @TempDir
    static Path shared;

    private static LocalCluster cluster;
    private static InJvmBroker broker;

    private final Random random = new Random(SEED);
    private final List<String> sent = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        System.out.println("summarizer.seed=" + SEED);
        cluster = LocalCluster.start(3);
        broker = InJvmBroker.start(shared.resolve("kafka"));
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
        cluster.close();
    }

    @Test
    void tablesAreThoseOfRunAfterLossesOfTaskManagersRescalingAndOtherDefinitions(@TempDir Path folder)
            throws Exception {
        broker.createTopic("orders", PARTITIONS);
        Path first = definitions(folder.resolve("first"), DEFINITIONS);
        Path changed = definitions(folder.resolve("changed"), CHANGED);
        Path exports = folder.resolve("exports");
        send("orders", 20_000);
        JobID job = cluster.submit(job("orders", first, exports, 1, null, false));
        awaitReceived(exports, 5_000);
        cluster.replaceTaskManager(0);
        send("orders", 20_000);
        awaitReceived(exports, 30_000);
        String savepoint = stop(job, folder.toUri() + "savepoints");
        job = cluster.submit(job("orders", first, exports, 3, savepoint, false));
        send("orders", 20_000);
        awaitReceived(exports, 50_000);
        cluster.replaceTaskManager(1);
        String abandoned = stop(job, folder.toUri() + "savepoints");
        assertThat(abandoned).isNotEqualTo(savepoint);
        send("orders", 5_000);
        job = cluster.submit(job("orders", first, exports, 2, savepoint, false));
        awaitReceived(exports, 65_000);
        savepoint = stop(job, folder.toUri() + "savepoints");
        send("orders", 5_000);
        cluster.run(job("orders", changed, exports, 2, savepoint, true));

        Path run = run(changed, folder);
        // The field that was added has seen only events of the last part of the job.
        assertThat(rows(exports, "Sales", "country,orders,turnover,customers,last"))
                .containsExactlyElementsOf(rows(run.resolve("Sales.csv"), 5));
        assertThat(rows(exports, "Sales/top", null)).containsExactlyElementsOf(rows(run.resolve("Sales.top.csv"), 99));
        LedgerCounts ledger = Results.newest(exports).ledger();
        assertThat(ledger.total().received()).isEqualTo(sent.size());
        assertThat(ledger.total().decided()).isEqualTo(sent.size());
    }

    @Test
    void closedWindowsAndOpenOnesAreOneTableAndNothingIsLateWhenEachPartitionIsInOrder(@TempDir Path folder)
            throws Exception {
        broker.createTopic("minutes", PARTITIONS);
        Path definitions = definitions(folder.resolve("windows"), WINDOWS);
        Path exports = folder.resolve("exports");
        send("minutes", 30_000);
        JobID job = cluster.submit(job("minutes", definitions, exports, 2, null, false));
        awaitReceived(exports, 30_000);
        await(exports, manifest -> !manifest.summaries().get(0).windows().isEmpty());
        Manifest.OfSummary closed = Results.newest(exports).summaries().get(0);
        cluster.replaceTaskManager(0);
        send("minutes", 30_000);
        awaitReceived(exports, 60_000);
        await(
                exports,
                manifest -> manifest.summaries().get(0).windows().size()
                        > closed.windows().size());
        String savepoint = stop(job, folder.toUri() + "savepoints");
        cluster.run(job("minutes", definitions, exports, 3, savepoint, true));

        Manifest last = Results.newest(exports);
        assertThat(last.summaries().get(0).windows()).containsAll(closed.windows());
        Path run = run(definitions, folder);
        assertThat(rows(exports, "Minutes", null)).containsExactlyElementsOf(rows(run.resolve("Minutes.csv"), 99));
        assertThat(last.ledger().mappings().get(0).account().rejected()).isZero();
    }

    @Test
    void aTopicThatIsLeftOutAndNamedAgainCountsOnce(@TempDir Path folder) throws Exception {
        broker.createTopic("kept", PARTITIONS);
        broker.createTopic("left", PARTITIONS);
        Path definitions = definitions(folder.resolve("definitions"), DEFINITIONS);
        Path exports = folder.resolve("exports");
        send("kept", 1_000);
        send("left", 1_000);
        JobID job = cluster.submit(job("kept,left", definitions, exports, 2, null, false));
        awaitReceived(exports, 2_000);
        String savepoint = stop(job, folder.toUri() + "savepoints");
        send("left", 500);
        send("kept", 500);
        job = cluster.submit(job("kept", definitions, exports, 1, savepoint, false));
        awaitReceived(exports, 2_500);
        savepoint = stop(job, folder.toUri() + "savepoints");
        assertThat(Results.newest(exports).ledger().total().received()).isEqualTo(2_500);
        cluster.run(job("kept,left", definitions, exports, 2, savepoint, true));

        assertThat(Results.newest(exports).ledger().total().received()).isEqualTo(3_000);
        assertThat(rows(exports, "Sales", null))
                .containsExactlyElementsOf(rows(run(definitions, folder).resolve("Sales.csv"), 5));
    }

    @Test
    void hostileRecordsAreCountedAndKeptAndStopNothing(@TempDir Path folder) throws Exception {
        broker.createTopic("hostile", 1);
        Path definitions = definitions(folder.resolve("definitions"), DEFINITIONS);
        Path exports = folder.resolve("exports");
        try (Producer<byte[], byte[]> producer =
                broker.producer(Map.of("max.request.size", 4 << 20, "compression.type", "zstd"))) {
            List<byte[]> values = new ArrayList<>();
            values.add(null);
            values.add(new byte[0]);
            values.add("<13>1 - - - - shop.order - not,a,number,x,y".getBytes(StandardCharsets.UTF_8));
            values.add("<999>1 broken".getBytes(StandardCharsets.UTF_8));
            values.add("<13>1 2026-99-99 - - - - -".getBytes(StandardCharsets.UTF_8));
            values.add(new byte[900_000]);
            values.add("<13>1 - - - - other.topic - text".getBytes(StandardCharsets.UTF_8));
            values.add("<13>1 - - - - shop.order - 1,DE,2.5,3,4".getBytes(StandardCharsets.UTF_8));
            for (byte[] value : values) {
                ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>("hostile", 0, value == null ? null : new byte[500_000], value);
                record.headers().add("large", new byte[300_000]);
                var unused = producer.send(record).get();
            }
        }
        cluster.run(job("hostile", definitions, exports, 1, null, true));
        LedgerCounts ledger = Results.newest(exports).ledger();
        assertThat(ledger.total().received()).isEqualTo(8);
        assertThat(ledger.total().decided()).isEqualTo(8);
        Map<Fate, Long> rejected = new TreeMap<>();
        Fate.all().stream()
                .filter(fate -> ledger.total().count(fate) > 0)
                .forEach(fate -> rejected.put(fate, ledger.total().count(fate)));
        assertThat(rejected)
                .isEqualTo(Map.of(
                        Fate.APPLIED, 1L, Fate.UNMATCHED, 2L, Fate.PAYLOAD, 2L, Fate.ENVELOPE, 2L, Fate.OVERSIZE, 1L));
        assertThat(rows(exports, "Sales", null)).containsExactly("DE,1,2.500000,1,3");
        StringBuilder kept = new StringBuilder();
        try (Stream<Path> files = Files.list(exports.resolve("rejected"))) {
            for (Path file : files.sorted().toList()) {
                kept.append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        assertThat(kept.toString())
                .contains("43 <13>1 - - - - shop.order - not,a,number,x,y")
                .contains("13 <999>1 broken")
                .contains("262145 \0\0");
    }

    @Test
    void extremeTimesOfEventsAndRecordsCloseNoWindowOfThePresent(@TempDir Path folder) throws Exception {
        broker.createTopic("times", 1);
        Path definitions = definitions(folder.resolve("windows"), WINDOWS);
        Path exports = folder.resolve("exports");
        long present = System.currentTimeMillis();
        long least = Math.floorDiv(Long.MIN_VALUE, 1000) + 1;
        long future = Instant.parse("2200-01-01T00:00:00Z").toEpochMilli();
        JobID job = cluster.submit(job("times", definitions, exports, 1, null, false));
        sendOrder("times", present, least);
        awaitReceived(exports, 1);
        sendOrder("times", future, least + 290_000_000);
        awaitReceived(exports, 2);
        sendOrder("times", future, future);
        awaitReceived(exports, 3);
        for (long minute = 0; minute < 5; minute++) {
            sendOrder("times", present, present + (10 + minute) * 60_000); // later than the clock will be
        }
        awaitReceived(exports, 8);
        String savepoint = stop(job, folder.toUri() + "savepoints");
        cluster.run(job("times", definitions, exports, 1, savepoint, true)); // reads the results back

        Manifest last = Results.newest(exports);
        Account account = last.ledger().mappings().get(0).account();
        assertThat(account.count(Fate.EARLY)).isEqualTo(1);
        assertThat(account.count(Fate.APPLIED) + account.count(Fate.UNTIMED) + account.count(Fate.LATE))
                .isEqualTo(7);
        assertThat(rows(exports, "Minutes", null))
                .filteredOn(row -> !row.startsWith("-")) // years before 0
                .hasSize(5);
    }

    private static void sendOrder(String topic, long timestamp, long at) throws Exception {
        try (Producer<byte[], byte[]> producer = broker.producer(Map.of())) {
            var unused = producer.send(new ProducerRecord<>(
                            topic,
                            0,
                            timestamp,
                            null,
                            ("<13>1 - - - - shop.order - 1,DE,2.5," + at + ",4").getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    @Test
    void otherKeysAreRefusedWithTheReason(@TempDir Path folder) throws Exception {
        broker.createTopic("keys", PARTITIONS);
        Path exports = folder.resolve("exports");
        send("keys", 100);
        JobID job =
                cluster.submit(job("keys", definitions(folder.resolve("one"), DEFINITIONS), exports, 1, null, false));
        awaitReceived(exports, 100);
        String savepoint = stop(job, folder.toUri() + "savepoints");
        Path other = definitions(
                folder.resolve("other"),
                DEFINITIONS
                        .replace("key { string country = 1; }", "key { int64 buyer = 1; }")
                        .replace("key { country; }", "key { buyer = customer; }"));
        JobID refused = cluster.submit(job("keys", other, exports, 1, savepoint, true));
        assertThat(failure(refused)).contains("the key of Sales differs from that in the savepoint");
    }

    private static String failure(JobID job) {
        try {
            cluster.awaitFinish(job);
            return "";
        } catch (Exception e) {
            StringBuilder all = new StringBuilder();
            for (Throwable at = e; at != null; at = at.getCause()) {
                all.append(at).append('\n');
            }
            return all.toString();
        }
    }

    /** Stops a job with a savepoint, as soon as it runs again after a loss. */
    private static String stop(JobID job, String folder) throws Exception {
        while (true) {
            try {
                return cluster.stopWithSavepoint(job, folder);
            } catch (ExecutionException e) {
                assertThat(cluster.running()).contains(job);
                if (!String.valueOf(e.getMessage()).contains("not being executed at the moment")) {
                    throw e;
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static Path definitions(Path folder, String summ) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("events.proto"), EVENTS);
        Files.writeString(folder.resolve("orders.summ"), summ);
        return folder;
    }

    /** Sends orders, those of each partition in the order of their times. */
    private void send(String topic, int count) {
        long start = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli();
        try (Producer<byte[], byte[]> producer = broker.producer(Map.of("linger.ms", 5))) {
            for (int i = 0; i < count; i++) {
                int number = sent.size();
                // A tenth of the ids come again.
                int id = random.nextInt(10) == 0 && number > 0 && topic.equals("orders")
                        ? Math.max(0, number - 1 - random.nextInt(1000))
                        : number;
                String payload = id == number
                        ? random.nextInt(500) + "," + "DE FR IT ES".split(" ")[random.nextInt(4)] + ","
                                + random.nextInt(100_000) / 100.0 + "," + (start + number * 20L) + "," + id
                        : sent.get(id).substring(sent.get(id).indexOf(" - ", 20) + 3);
                String message = "<13>1 - - - - shop.order - " + payload;
                sent.add(message);
                var unused = producer.send(new ProducerRecord<>(
                        topic, number % PARTITIONS, null, message.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private static StreamExecutionEnvironment job(
            String topics,
            Path definitions,
            Path exports,
            int parallelism,
            @Nullable String savepoint,
            boolean untilEnd)
            throws Exception {
        Configuration settings = new Configuration();
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, topics.equals("keys") ? 0 : 1000);
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(settings);
        JobOptions options = new JobOptions(
                new Input.Kafka(
                        broker.brokers(),
                        List.of(topics.split(",")),
                        TopicFrom.SYSLOG,
                        StartAt.EARLIEST,
                        "summarizer",
                        Map.of()),
                untilEnd,
                exports.toUri().toString(),
                3,
                Duration.ofMillis(200),
                null,
                savepoint,
                parallelism,
                JobOptions.KEY_GROUPS_DEFAULT,
                ZoneOffset.UTC,
                1 << 18);
        Map<String, String> texts =
                Map.of("events.proto", EVENTS, "orders.summ", Files.readString(definitions.resolve("orders.summ")));
        JobSetup.build(environment, options, texts);
        return environment;
    }

    private interface Condition {
        boolean holds(Manifest manifest);
    }

    private static void awaitReceived(Path exports, long messages) throws Exception {
        await(exports, manifest -> manifest.ledger().total().received() >= messages);
    }

    private static void await(Path exports, Condition condition) throws Exception {
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!condition.holds(Results.newest(exports))) {
            assertThat(System.nanoTime() - deadline).as("no such result").isNegative();
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private Path run(Path definitions, Path folder) throws IOException {
        Path log = Files.write(folder.resolve("sent.log"), sent);
        Path out = folder.resolve("run");
        Commands.Outcome outcome =
                Commands.run("run", "--definitions", definitions.toString(), "--out", out.toString(), log.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return out;
    }

    private static List<String> rows(Path exports, String table, @Nullable String columns) {
        List<String> command = new ArrayList<>(List.of("state", exports.toString(), table));
        if (columns != null) {
            command.addAll(List.of("--columns", columns));
        }
        Commands.Outcome outcome = Commands.run(command.toArray(String[]::new));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome.out().lines().skip(1).sorted().toList();
    }

    private static List<String> rows(Path csv, int columns) throws IOException {
        try (Stream<String> lines = Files.lines(csv)) {
            return lines.skip(1)
                    .map(line -> String.join(
                            ",",
                            List.of(line.split(",", -1)).subList(0, Math.min(columns, line.split(",", -1).length))))
                    .sorted()
                    .toList();
        }
    }
}
