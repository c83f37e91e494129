package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.server.Await;
import io.summarizer.server.demo.KafkaBroker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process, killed while it reads Kafka: each record counts once. Each test has the topic {@code hit} anew. */
class KafkaKillTest {
    private static final int PARTITIONS = 3;

    @TempDir
    private static Path brokerFolder;

    private static KafkaBroker broker;

    @TempDir
    Path folder;

    private final long seed = Seeds.first();
    private final Random random = new Random(seed);
    private int sent;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(brokerFolder.resolve("broker"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void define() throws Exception {
        Path unused = Hits.define(folder);
        broker.createTopic("hit", PARTITIONS, Map.of());
    }

    @AfterEach
    void deleteTopic() throws Exception {
        try (Admin admin = broker.admin()) {
            admin.deleteTopics(List.of("hit")).all().get();
        }
    }

    private ServeProcess start(String name, String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "definitions=" + folder.resolve("definitions"),
                "data=" + folder.resolve("data"),
                "journal.segment-size=1MiB",
                "listen.kafka.brokers=" + broker.brokers(),
                "listen.kafka.topics=hit",
                "listen.kafka.topic-from=topic"));
        all.addAll(List.of(settings));
        return ServeProcess.start(folder.resolve(name), all);
    }

    /** Sends the next numbers, each once. */
    private void send(int count) throws InterruptedException {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(new ProducerRecord<>(
                    "hit", sent % PARTITIONS, null, Integer.toString(sent).getBytes(UTF_8)));
            sent++;
        }
        broker.send(Map.of("linger.ms", 5), records);
    }

    private static Map<Integer, String> seen(ServeProcess serve) throws Exception {
        Map<Integer, String> seen = new TreeMap<>();
        serve.get("/summaries/Seen.csv").lines().skip(1).forEach(row -> {
            String[] cells = row.split(",");
            seen.put(Integer.valueOf(cells[0]), cells[1]);
        });
        return seen;
    }

    private void awaitRows(ServeProcess serve, int rows) {
        Await.until(serve::log, () -> {
            try {
                return seen(serve).size() >= rows;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static Account kafka(ServeProcess serve) throws Exception {
        LedgerCounts counts =
                LedgerJson.read(new ByteArrayInputStream(serve.get("/ledger").getBytes(UTF_8)));
        LedgerAssert.assertBalances(counts);
        return counts.listeners().stream()
                .filter(account -> account.name().equals("kafka"))
                .findFirst()
                .orElseThrow();
    }

    private void assertEachOnce(ServeProcess serve) throws Exception {
        Map<Integer, String> seen = seen(serve);
        assertThat(seen).as(Seeds.replay(seed)).hasSize(sent);
        assertThat(seen.values()).as(Seeds.replay(seed)).containsOnly("1");
        assertThat(kafka(serve).count(Fate.APPLIED)).isEqualTo(sent);
        assertThat(kafka(serve).count(Fate.LOST)).isZero();
    }

    @Test
    void eachRecordCountsOnceOverKillsOfTheServiceAndOfTheBroker() throws Exception {
        for (int kill = 0; kill < Seeds.count(3); kill++) {
            try (ServeProcess serve = start("run-" + kill, "checkpoint.interval=" + (kill % 2 == 0 ? "0s" : "200ms"))) {
                int before = sent;
                send(2_000);
                if (kill == 1) {
                    broker.kill();
                    TimeUnit.MILLISECONDS.sleep(random.nextInt(500));
                    broker.restart();
                    send(2_000);
                }
                awaitRows(serve, before + 1 + random.nextInt(1_500));
                serve.kill();
            }
        }
        try (ServeProcess serve = start("last")) {
            awaitRows(serve, sent);
            assertEachOnce(serve);
            serve.stop();
        }
        try (ServeProcess serve = start("after a stop")) {
            assertEachOnce(serve);
            assertThat(serve.log()).doesNotContain("recovered:");
        }
    }

    @Test
    void aStartWaitsForABrokerThatHasWhatTheJournalNeeds() throws Exception {
        try (ServeProcess serve = start("killed", "checkpoint.interval=0s")) {
            send(1_000);
            awaitRows(serve, 1_000);
            serve.kill();
        }
        broker.kill();
        Thread later = new Thread(() -> {
            try {
                Await.until(
                        () -> "no log",
                        () -> Files.exists(folder.resolve("waits.err"))
                                && read(folder.resolve("waits.err")).contains("waits for Kafka"));
                hangUp();
                broker.restart();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        later.start();
        try (ServeProcess serve = start("waits")) {
            later.join();
            assertThat(serve.log())
                    .contains(
                            "the start waits for Kafka's brokers",
                            "definitions were not reloaded: the service is starting",
                            "recovered: 1,000 messages");
            assertEachOnce(serve);
        }
    }

    /** Sends SIGHUP to the process that is starting. */
    private static void hangUp() throws IOException, InterruptedException {
        List<ProcessHandle> children = ProcessHandle.current().children().toList();
        assertThat(children).hasSize(1); // the broker was killed
        String pid = Long.toString(children.get(0).pid());
        assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void recordsThatWereDeletedBeforeTheyWereReadAgainAreLostAndCounted() throws Exception {
        try (ServeProcess serve = start("killed", "checkpoint.interval=0s")) {
            send(3_000);
            awaitRows(serve, 3_000);
            serve.kill();
        }
        try (Admin admin = broker.admin()) {
            admin.deleteRecords(Map.of(new TopicPartition("hit", 0), RecordsToDelete.beforeOffset(600)))
                    .all()
                    .get();
        }
        try (ServeProcess serve = start("gap")) {
            assertThat(kafka(serve)).hasToString("kafka: received=3000 applied=2400 lost=600");
            assertThat(seen(serve)).hasSize(2_400);
            assertThat(serve.log()).contains("count as lost");
            assertThat(serve.get("/readyz")).contains("600 messages are lost");
            send(3);
            awaitRows(serve, 2_403);
        }
    }

    @Test
    void recordsOfATopicThatWasCreatedAgainAreLostAndCounted() throws Exception {
        try (ServeProcess serve = start("killed", "checkpoint.interval=0s")) {
            send(300);
            awaitRows(serve, 300);
            serve.kill();
        }
        deleteTopic();
        broker.createTopic("hit", PARTITIONS, Map.of());
        send(300);
        try (ServeProcess serve = start("gap")) {
            assertThat(kafka(serve)).hasToString("kafka: received=300 lost=300");
            Await.until(serve::log, () -> serve.log().contains("is not read"));
            assertThat(seen(serve)).isEmpty();
        }
    }

    /** Offsets that compaction removed before they were read are no loss. */
    @Test
    void holesOfACompactedTopicAreNoLoss() throws Exception {
        broker.createTopic(
                "hit.compacted",
                1,
                Map.of(
                        "cleanup.policy", "compact",
                        "segment.ms", "100",
                        "min.cleanable.dirty.ratio", "0.01",
                        "delete.retention.ms", "0",
                        "file.delete.delay.ms", "0"));
        int keys = 100;
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int n = 0; n < 10 * keys; n++) {
            byte[] key = Integer.toString(n % keys).getBytes(UTF_8);
            records.add(new ProducerRecord<>(
                    "hit.compacted", 0, key, Integer.toString(n).getBytes(UTF_8)));
        }
        broker.send(Map.of(), records);
        Await.until(() -> "not compacted", () -> {
            try {
                // rolls the active segment, which is never compacted
                broker.send(
                        Map.of(),
                        List.of(new ProducerRecord<>("hit.compacted", 0, "x".getBytes(UTF_8), "5000".getBytes(UTF_8))));
                return records("hit.compacted") < 2L * keys;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        String[] settings = {
            "listen.kafka.topics=hit.compacted", "listen.kafka.topic-from=topic", "checkpoint.interval=0s"
        };
        try (ServeProcess serve = start("killed", settings)) {
            awaitRows(serve, keys + 1);
            serve.kill();
        }
        try (ServeProcess serve = start("again", settings)) {
            assertThat(kafka(serve).count(Fate.APPLIED)).isGreaterThan(keys);
            assertThat(seen(serve)).containsKey(10 * keys - 1);
            Map<Integer, String> numbers = seen(serve);
            numbers.remove(5000);
            assertThat(numbers.values()).containsOnly("1");
        }
    }

    private long records(String topic) {
        try (var consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.brokers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            Long end = consumer.endOffsets(List.of(partition)).get(partition);
            long count = 0;
            while (end != null && consumer.position(partition) < end) {
                count += consumer.poll(Duration.ofMillis(100)).count();
            }
            return count;
        }
    }
}
