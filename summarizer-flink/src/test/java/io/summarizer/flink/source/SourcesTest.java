package io.summarizer.flink.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.receive.Framing;
import io.summarizer.flink.cluster.InJvmBroker;
import io.summarizer.flink.cluster.LocalCluster;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.options.StartAt;
import io.summarizer.flink.options.TopicFrom;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the folder, beforeAll the rest
class SourcesTest {
    private static final int PARALLELISM = 2;
    private static final int RECORDS = 150_000;

    @TempDir
    static Path shared;

    private static LocalCluster cluster;
    private static InJvmBroker broker;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.start(PARALLELISM);
        broker = InJvmBroker.start(shared.resolve("kafka"));
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
        cluster.close();
    }

    @Test
    void eachFrameOfEachFileIsReadOnce(TestInfo test, @TempDir Path folder) throws Exception {
        List<String> files = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int file = 0; file < 3; file++) {
            List<String> lines = IntStream.range(0, RECORDS + file)
                    .mapToObj(line -> "<13>a line " + line)
                    .toList();
            // Given in another order than that of their partitions.
            Path path = Files.write(folder.resolve("file" + file), lines);
            files.add(0, path.toUri().toString());
            for (String line : lines) {
                expected.add("null-" + file + " " + line);
            }
        }
        String name = test.getDisplayName();
        Recorder.Run run = Recorder.begin(name, () -> {});
        cluster.run(job(name, new Input.Files(files, Framing.AUTO), 0));
        assertThat(run.lines())
                .containsExactlyElementsOf(Recorder.Digest.of(expected).lines());
    }

    @Test
    void eachCommittedRecordOfKafkaIsInAResultOnceUpToTheEndsSeenAtTheStart(TestInfo test) throws Exception {
        broker.createTopic("orders", 3);
        List<String> expected = new ArrayList<>();
        long time = 1_700_000_000_000L;
        Map<String, Object> settings = Map.of("transactional.id", "test", "linger.ms", 5);
        try (Producer<byte[], byte[]> producer = broker.producer(settings)) {
            producer.initTransactions();
            producer.beginTransaction();
            for (int i = 0; i < RECORDS; i++) {
                int partition = i % 3;
                boolean isNull = i % 1000 == 0;
                ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>("orders", partition, time + i, null, isNull ? null : bytes("value " + i));
                if (i % 2 == 0) {
                    record.headers().add(new RecordHeader("kind", bytes("other")));
                    record.headers().add(new RecordHeader("kind", bytes("order.v" + i % 5)));
                }
                var unused = producer.send(record);
                expected.add("orders-" + partition + " @" + i / 3 + (isNull ? " null" : " value " + i)
                        + (i % 2 == 0 ? " order.v" + i % 5 : "") + " " + (time + i));
            }
            producer.commitTransaction();
            producer.beginTransaction();
            for (int partition = 0; partition < 3; partition++) {
                var unused = producer.send(new ProducerRecord<>("orders", partition, null, bytes("aborted")));
            }
            producer.flush();
            producer.abortTransaction();
        }
        String name = test.getDisplayName();
        Recorder.Run run = Recorder.begin(name, SourcesTest::sendLate);
        cluster.run(job(name, kafka("orders", StartAt.EARLIEST, TopicFrom.parse("header:kind")), RECORDS / 4));
        assertThat(run.failures()).isPositive();
        assertThat(run.lines())
                .containsExactlyElementsOf(Recorder.Digest.of(expected).lines());
    }

    /** Sends records that come after the ends that a job saw. */
    private static void sendLate() {
        try (Producer<byte[], byte[]> producer = broker.producer(Map.of())) {
            for (int partition = 0; partition < 3; partition++) {
                var unused = producer.send(new ProducerRecord<>("orders", partition, null, bytes("late")));
            }
        }
    }

    @Test
    void aJobBeginsAtTheFirstRecordThatIsNotOlderThanATime(TestInfo test) throws Exception {
        broker.createTopic("times", 1);
        try (Producer<byte[], byte[]> producer = broker.producer(Map.of())) {
            for (int i = 0; i < 10; i++) {
                var unused =
                        producer.send(new ProducerRecord<>("times", 0, 1_700_000_000_000L + i, null, bytes("v" + i)));
            }
        }
        String name = test.getDisplayName();
        Recorder.Run run = Recorder.begin(name, () -> {});
        StartAt start = StartAt.parse("2023-11-14T22:13:20.007Z");
        cluster.run(job(name, kafka("times", start, TopicFrom.TOPIC), 0));
        List<String> expected = IntStream.range(7, 10)
                .mapToObj(i -> "times-0 @" + i + " v" + i + " " + (1_700_000_000_000L + i))
                .toList();
        assertThat(run.lines())
                .containsExactlyElementsOf(Recorder.Digest.of(expected).lines());
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThatThrownBy(() -> Sources.partitions(kafka("nosuch", StartAt.EARLIEST, TopicFrom.TOPIC)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("there is no topic nosuch at ")
                .hasMessageEndingWith("; create it, or check --topics");
        Map<String, String> quick = Map.of("default.api.timeout.ms", "300", "request.timeout.ms", "200");
        Input closed =
                new Input.Kafka("127.0.0.1:1", List.of("orders"), TopicFrom.TOPIC, StartAt.EARLIEST, "group", quick);
        assertThatThrownBy(() -> Sources.partitions(closed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("could not be looked up at 127.0.0.1:1: no broker answered; check --brokers: ");
    }

    private static Input kafka(String topic, StartAt start, TopicFrom topicFrom) {
        return new Input.Kafka(broker.brokers(), List.of(topic), topicFrom, start, "summarizer", Map.of());
    }

    private static StreamExecutionEnvironment job(String name, Input input, int patience) {
        Configuration settings = new Configuration();
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(10));
        settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, shared.toUri() + "checkpoints");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO);
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(settings);
        environment.setParallelism(PARALLELISM);
        JobOptions options = new JobOptions(
                input,
                true,
                "",
                1,
                Duration.ofMillis(10),
                null,
                null,
                PARALLELISM,
                JobOptions.KEY_GROUPS_DEFAULT,
                ZoneOffset.UTC,
                1 << 18);
        Sources.connect(environment, options, Sources.partitions(input))
                .transform("recorder", SourceRecordSerializer.TYPE, new Recorder(name, patience))
                .sinkTo(new DiscardingSink<>());
        return environment;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
