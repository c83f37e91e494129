package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.server.Await;
import io.summarizer.server.demo.KafkaBroker;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A service that reads a real broker. Each test has a topic of its own. */
class KafkaEndToEndTest {
    @TempDir
    private static Path brokerFolder;

    private static KafkaBroker broker;

    @TempDir
    Path folder;

    private String topic = "";
    private Path definitions = Path.of("");

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(brokerFolder.resolve("broker"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void define(TestInfo test) throws IOException {
        topic = "hit." + test.getTestMethod().orElseThrow().getName();
        definitions = Hits.define(folder);
    }

    private RunningService start(String... settings) throws Exception {
        List<String> all =
                new ArrayList<>(List.of("listen.kafka.brokers=" + broker.brokers(), "listen.kafka.topics=" + topic));
        all.addAll(List.of(settings));
        return RunningService.start(definitions, folder.resolve("data"), all.toArray(String[]::new));
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, int partition, @Nullable String value) {
        return new ProducerRecord<>(topic, partition, null, value == null ? null : value.getBytes(UTF_8));
    }

    private static void send(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        broker.send(Map.of(), records);
    }

    private void sendNumbers(int partition, int from, int to) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int n = from; n < to; n++) {
            records.add(record(topic, partition, "" + n));
        }
        send(records);
    }

    private static Map<String, String> seen(RunningService service) throws Exception {
        Map<String, String> seen = new TreeMap<>();
        service.pull("Seen", null).csv().lines().skip(1).forEach(row -> {
            String[] cells = row.split(",", -1);
            seen.put(cells[0], cells[1]);
        });
        return seen;
    }

    private static Account kafka(RunningService service) throws Exception {
        return service.ledger().listeners().stream()
                .filter(account -> account.name().equals("kafka"))
                .findFirst()
                .orElse(LedgerCounts.none("kafka"));
    }

    /** Waits until so many records were read by all processes of the data folder, and processed. */
    private static void awaitRead(RunningService service, long records) {
        Await.until(() -> text(service), () -> {
            try {
                Account account = kafka(service);
                return account.received() == records && account.inFlight() == 0;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void awaitMetric(RunningService service, String series, long value) {
        Await.until(
                () -> text(service),
                () -> text(service)
                        .lines()
                        .anyMatch(line -> line.startsWith(series + " ")
                                && (long) Double.parseDouble(line.substring(series.length() + 1)) == value));
    }

    private static String text(RunningService service) {
        try {
            HttpResponse<String> metrics = service.get("/metrics");
            return metrics.body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String lag(int partition) {
        return "summarizer_kafka_lag{partition=\"" + partition + "\",topic=\"" + topic + "\"}";
    }

    @Test
    void syslogMessagesGoOnWhereTheLastProcessEnded() throws Exception {
        broker.createTopic(topic, 2, Map.of());
        send(List.of(record(topic, 0, "<134>1 - h a - hit - 1"), record(topic, 1, "<134>hit: 2")));
        try (RunningService service = start()) {
            awaitRead(service, 2);
            assertThat(seen(service)).isEqualTo(Map.of("1", "1", "2", "1"));
            awaitMetric(service, lag(0), 0);
            assertThat(service.metric("summarizer_kafka_up")).isEqualTo(1);
            assertThat(service.metric("summarizer_listener_messages_total{listener=\"kafka\"}"))
                    .isEqualTo(2);
        }
        send(List.of(record(topic, 0, "<134>1 - h a - hit - 1")));
        try (RunningService service = start()) {
            awaitRead(service, 3);
            assertThat(seen(service)).isEqualTo(Map.of("1", "2", "2", "1"));
        }
    }

    @Test
    void barePayloadsHaveTheTopicOfKafka() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        sendNumbers(0, 0, 1_000);
        try (RunningService service = start("listen.kafka.topic-from=topic")) {
            awaitRead(service, 1_000);
            assertThat(seen(service)).hasSize(1_000).containsEntry("999", "1");
            assertThat(kafka(service)).hasToString("kafka: received=1000 applied=1000");
        }
    }

    @Test
    void hostileRecordsAreCountedAndKept() throws Exception {
        broker.createTopic(topic, 1, Map.of("max.message.bytes", "10000000"));
        ProducerRecord<byte[], byte[]> good = record(topic, 0, "1");
        good.headers().add("type", "hit.x".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> missing = record(topic, 0, "2");
        missing.headers().add("other", "hit.x".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> impossible = record(topic, 0, "3");
        impossible.headers().add("type", "hit x".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> unknown = record(topic, 0, "4");
        unknown.headers().add("type", "other".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> none = record(topic, 0, null);
        none.headers().add("type", "hit.x".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> bad = record(topic, 0, "five");
        bad.headers().add("type", "hit.x".getBytes(UTF_8));
        ProducerRecord<byte[], byte[]> large = record(topic, 0, "6".repeat(5_000));
        large.headers().add("type", "hit.x".getBytes(UTF_8));
        send(List.of(good, missing, impossible, unknown, none, bad, large, good));
        try (RunningService service =
                start("listen.kafka.topic-from=header:type", "listen.kafka.max-message-size=1KiB")) {
            awaitRead(service, 8);
            assertThat(seen(service)).isEqualTo(Map.of("1", "2"));
            assertThat(kafka(service))
                    .hasToString("kafka: received=8 applied=2 unmatched=2 oversize=1 envelope=1 payload=2");
            service.stop();
            assertThat(RejectFiles.frames(service.rejects(), "oversize"))
                    .containsExactly("<13>1 - - - - hit.x - " + "6".repeat(1_025));
            assertThat(RejectFiles.frames(service.rejects(), "envelope")).containsExactly("<13>1 - - - - - - 3");
            assertThat(RejectFiles.frames(service.rejects(), "payload"))
                    .containsExactly("<13>1 - - - - hit.x - ", "<13>1 - - - - hit.x - five");
        }
    }

    /** Each of these records is a few KB for the broker, and 20 MB for a client. */
    @Test
    void compressedBombsDoNotFillTheMemory() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        List<ProducerRecord<byte[], byte[]>> bombs = new ArrayList<>();
        String bomb = "0".repeat(20_000_000);
        for (int i = 0; i < 20; i++) {
            bombs.add(record(topic, 0, bomb));
        }
        for (int i = 0; i < 100; i++) {
            bombs.add(record(topic, 0, "0".repeat(200_000))); // not oversized, and together more than a poll
        }
        bombs.add(record(topic, 0, "1"));
        sendCompressed(bombs);
        try (ServeProcess serve = serve()) {
            Await.until(serve::log, () -> pull(serve).contains("1,1"));
            assertThat(serve.get("/metrics")).contains("summarizer_rejected_total{reason=\"oversize\"} 20.0");
            serve.stop();
        }
    }

    private static void sendCompressed(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        Map<String, Object> compressed = Map.of(
                "compression.type", "zstd",
                "max.request.size", 100_000_000,
                "buffer.memory", 200_000_000L,
                "batch.size", 200_000_000,
                "linger.ms", 100);
        broker.send(compressed, records);
    }

    private ServeProcess serve() throws IOException {
        return ServeProcess.start(
                folder.resolve("serve"),
                List.of(
                        "definitions=" + definitions,
                        "data=" + folder.resolve("data"),
                        "listen.kafka.brokers=" + broker.brokers(),
                        "listen.kafka.topics=" + topic,
                        "listen.kafka.topic-from=topic"));
    }

    /** The values are small or absent; the rest of each record takes 10 MB or more. So does a recovery. */
    @Test
    void largeKeysAndHeadersDoNotFillTheMemory() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        byte[] large = new byte[10_000_000];
        byte[] zero = "0".getBytes(UTF_8);
        List<Header> many = Collections.nCopies(100_000, new RecordHeader("", new byte[0]));
        List<Header> one = List.of(new RecordHeader("large", large));
        List<ProducerRecord<byte[], byte[]>> bombs = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            bombs.add(new ProducerRecord<>(topic, 0, null, large, zero, List.of()));
            bombs.add(new ProducerRecord<>(topic, 0, null, large, null, List.of()));
            bombs.add(new ProducerRecord<>(topic, 0, null, null, zero, one));
            bombs.add(new ProducerRecord<>(topic, 0, null, zero, null, one));
            bombs.add(new ProducerRecord<>(topic, 0, null, null, zero, many));
        }
        bombs.add(record(topic, 0, "1"));
        sendCompressed(bombs);
        for (int start = 0; start < 2; start++) {
            try (ServeProcess serve = serve()) {
                Await.until(serve::log, () -> pull(serve).contains("1,1"));
                assertThat(pull(serve)).contains("0,120");
                assertThat(serve.get("/metrics")).contains("summarizer_rejected_total{reason=\"payload\"} 80.0");
                serve.kill();
            }
        }
    }

    /** The advice of the documentation against producers that nobody trusts. */
    @Test
    void aTopicThatIsNotCompressedRefusesRecordsThatGrow() throws Exception {
        broker.createTopic(topic, 1, Map.of("compression.type", "uncompressed", "max.message.bytes", "1048576"));
        ProducerRecord<byte[], byte[]> bomb = new ProducerRecord<>(topic, 0, null, new byte[20_000_000]);
        assertThatThrownBy(() -> sendCompressed(List.of(bomb)))
                .isInstanceOf(KafkaException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
    }

    private static String pull(ServeProcess serve) {
        try {
            return serve.get("/summaries/Seen.csv");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void readsFromATime() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        long time = 1_795_000_000_000L; // 2026-11-18T11:06:40Z
        send(List.of(
                new ProducerRecord<>(topic, 0, time - 1, null, "1".getBytes(UTF_8)),
                new ProducerRecord<>(topic, 0, time, null, "2".getBytes(UTF_8)),
                new ProducerRecord<>(topic, 0, time + 1, null, "3".getBytes(UTF_8))));
        try (RunningService service =
                start("listen.kafka.topic-from=topic", "listen.kafka.start=2026-11-18T12:06:40+01:00")) {
            awaitRead(service, 2);
            assertThat(seen(service).keySet()).containsExactly("2", "3");
        }
    }

    /** The latest records begin after the first start; later partitions begin with their first record. */
    @Test
    void readsTheLatestRecordsAndAllOfLaterPartitions() throws Exception {
        broker.createTopic(topic, 2, Map.of());
        sendNumbers(0, 0, 3);
        sendNumbers(1, 0, 3);
        String[] settings = {"listen.kafka.topic-from=topic", "listen.kafka.start=latest"};
        try (RunningService service = start(settings)) {
            awaitMetric(service, lag(0), 0);
            awaitMetric(service, lag(1), 0);
            sendNumbers(0, 10, 11);
            awaitRead(service, 1);
        }
        sendNumbers(1, 11, 12);
        try (Admin admin = broker.admin()) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3)))
                    .all()
                    .get();
        }
        sendNumbers(2, 12, 13);
        try (RunningService service = start(settings)) {
            awaitRead(service, 3);
            assertThat(seen(service).keySet()).containsExactly("10", "11", "12");
        }
    }

    @Test
    void abortedTransactionsAreNoMessages() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        try (Producer<byte[], byte[]> producer = broker.producer(Map.of("transactional.id", topic))) {
            producer.initTransactions();
            for (int transaction = 0; transaction < 10; transaction++) {
                producer.beginTransaction();
                var one = producer.send(record(topic, 0, "" + transaction));
                var other = producer.send(record(topic, 0, "100"));
                if (transaction % 3 == 0) {
                    producer.flush();
                    assertThat(one.isDone() && other.isDone()).isTrue();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
        try (RunningService service = start("listen.kafka.topic-from=topic")) {
            awaitRead(service, 12);
            assertThat(seen(service).keySet()).containsExactly("1", "100", "2", "4", "5", "7", "8");
            assertThat(seen(service)).containsEntry("100", "6");
            awaitMetric(service, lag(0), 4); // two markers and the two records of the last transaction are holes
        }
    }

    @Test
    void deletedRecordsBeforeTheNextOffsetAreCounted() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        sendNumbers(0, 0, 10);
        try (RunningService service = start("listen.kafka.topic-from=topic")) {
            awaitRead(service, 10);
        }
        sendNumbers(0, 10, 20);
        delete(topic, 0, 15);
        try (RunningService service = start("listen.kafka.topic-from=topic")) {
            awaitRead(service, 15);
            assertThat(seen(service).keySet())
                    .hasSize(15)
                    .doesNotContain("10", "14")
                    .contains("15");
            assertThat(service.metric("summarizer_kafka_deleted_total")).isEqualTo(5);
        }
    }

    static void delete(String topic, int partition, long before) throws InterruptedException {
        try (Admin admin = broker.admin()) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    private void recreate() throws Exception {
        try (Admin admin = broker.admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
            Await.until(() -> topic + " still exists", () -> {
                try {
                    return !admin.listTopics().names().get().contains(topic);
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            });
        }
        broker.createTopic(topic, 1, Map.of());
    }

    @Test
    void aTopicThatIsCreatedAgainIsNotReadUntilItWasTakenOut() throws Exception {
        String stopped = "summarizer_kafka_stopped{topic=\"" + topic + "\"}";
        broker.createTopic(topic, 1, Map.of());
        broker.createTopic(topic + ".other", 1, Map.of());
        sendNumbers(0, 0, 3);
        String from = "listen.kafka.topic-from=topic";
        try (RunningService service = start(from)) {
            awaitRead(service, 3);
            recreate();
            sendNumbers(0, 10, 20);
            awaitMetric(service, stopped, 1);
            assertThat(kafka(service).received()).isEqualTo(3);
        }
        String other = "listen.kafka.topics=" + topic + ".other";
        try (RunningService service = start(from, "listen.kafka.topics=" + topic + "," + topic + ".other")) {
            awaitMetric(service, stopped, 1);
            send(List.of(record(topic + ".other", 0, "7")));
            awaitRead(service, 4); // another topic is read
            assertThat(seen(service).keySet()).containsExactly("0", "1", "2", "7");
        }
        try (RunningService service = start(from, other)) {
            awaitMetric(service, "summarizer_kafka_up", 1);
            send(List.of(record(topic + ".other", 0, "8")));
            awaitRead(service, 5);
        }
        try (RunningService service = start(from)) {
            awaitRead(service, 15);
            assertThat(service.metric(stopped)).isZero();
        }
    }

    @Test
    void pausesWhileThereIsNoRoomAndLosesNothing() throws Exception {
        broker.createTopic(topic, 3, Map.of());
        int each = 30_000;
        try (RunningService service = start(
                "listen.kafka.topic-from=topic",
                "pipeline.parse.capacity=2",
                "pipeline.summarize.capacity=2",
                "limits.queues=1MiB",
                "journal.segment-size=1MiB",
                "journal.max-size=64MiB")) {
            String pauses = "summarizer_listener_pauses_total{listener=\"kafka\"}";
            int sent = 0;
            while (service.metric(pauses) == 0) { // each round may be processed faster than it is read
                assertThat(sent).isLessThan(10 * each);
                for (int partition = 0; partition < 3; partition++) {
                    sendNumbers(partition, sent, sent + each);
                }
                sent += each;
                awaitRead(service, 3L * sent);
            }
            assertThat(kafka(service).count(Fate.APPLIED)).isEqualTo(3L * sent);
            assertThat(seen(service))
                    .hasSize(sent)
                    .allSatisfy((n, times) -> assertThat(times).isEqualTo("3"));
        }
    }

    @Test
    void startsWhileTheBrokerIsAwayAndReadsWhenItComes() throws Exception {
        try (KafkaBroker away = KafkaBroker.start(folder.resolve("away"))) {
            away.createTopic(topic, 1, Map.of());
            away.send(Map.of(), List.of(record(topic, 0, "1")));
            away.kill();
            try (RunningService service =
                    start("listen.kafka.brokers=" + away.brokers(), "listen.kafka.topic-from=topic")) {
                assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
                assertThat(service.metric("summarizer_kafka_up")).isZero();
                away.restart();
                awaitRead(service, 1);
                awaitMetric(service, "summarizer_kafka_up", 1);
            }
        }
    }

    @Test
    void commitsOffsetsForMonitorsOnly() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        sendNumbers(0, 0, 5);
        String group = "listen.kafka.group=" + topic;
        try (RunningService service = start("listen.kafka.topic-from=topic", group);
                Admin admin = broker.admin()) {
            awaitRead(service, 5);
            TopicPartition partition = new TopicPartition(topic, 0);
            Await.until(() -> "no offsets", () -> {
                try {
                    var offset = admin.listConsumerGroupOffsets(topic)
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .get(partition);
                    return offset != null && offset.offset() == 5;
                } catch (InterruptedException | ExecutionException e) {
                    throw new AssertionError(e);
                }
            });
        }
        try (RunningService anew = RunningService.start(
                definitions,
                folder.resolve("other-data"),
                "listen.kafka.brokers=" + broker.brokers(),
                "listen.kafka.topics=" + topic,
                "listen.kafka.topic-from=topic",
                group)) {
            awaitRead(anew, 5); // another data folder begins anew, whatever was committed
        }
    }

    @Test
    void aPropertiesFileMustNotChangeWhatExactnessDependsOn() throws Exception {
        Path file = Files.writeString(folder.resolve("kafka.properties"), """
                security.protocol=PLAINTEXT
                auto.offset.reset=latest
                sasl.jaas.config=secret
                """);
        assertThatThrownBy(() -> start("listen.kafka.properties-file=" + file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("auto.offset.reset")
                .hasMessageNotContaining("secret");
        Files.writeString(file, "security.protocol=NONSENSE\nsasl.jaas.config=secret\n");
        assertThatThrownBy(() -> start("listen.kafka.properties-file=" + file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("security.protocol")
                .hasMessageNotContaining("secret");
    }
}
