package io.summarizer.flink.source;

import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Makes the source of a job. Stateless. */
public final class Sources {
    /** The name by which savepoints know the source. */
    private static final String UID = "source";

    private static final Duration DISCOVERY = Duration.ofSeconds(30);

    /** Time for a request about topics, and for all attempts together, unless the properties have other times. */
    private static final Duration REQUEST = Duration.ofSeconds(15);

    private static final Duration LOOK_UP = Duration.ofSeconds(30);

    private Sources() {}

    /**
     * Adds the source to a job. Its records have no watermarks, because the job itself keeps the progress of each
     * partition.
     *
     * @param partitions the partitions of Kafka, with the ends at which a job with {@code untilEnd} stops
     * @return the records; see {@link SourceRecord} for who may keep them
     */
    public static DataStream<SourceRecord> connect(
            StreamExecutionEnvironment environment, JobOptions options, Map<TopicPartition, Long> partitions) {
        Input input = options.input();
        boolean fromKafka = input instanceof Input.Kafka;
        Source<SourceRecord, ?, ?> source = input instanceof Input.Kafka kafka
                ? kafka(kafka, options.messageBytesMax(), options.untilEnd() ? partitions : Map.of())
                : files((Input.Files) input, options.messageBytesMax());
        SingleOutputStreamOperator<SourceRecord> records = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), fromKafka ? "Kafka" : "files")
                .returns(SourceRecordSerializer.TYPE)
                .uid(UID);
        // A subtask without a partition would end at once, and Flink completes no checkpoint when some subtasks have
        // ended.
        int most =
                Math.max(1, input instanceof Input.Files files ? files.paths().size() : partitions.size());
        if ((!fromKafka || options.untilEnd()) && environment.getParallelism() > most) {
            records.setParallelism(most);
        }
        return records;
    }

    /**
     * The partitions that a source of Kafka has now, and their ends; none for files.
     *
     * @throws IllegalArgumentException when Kafka's client does not take the properties; the message says why
     * @throws IllegalStateException when no broker answers, or when there is no such topic; the message says why
     */
    public static Map<TopicPartition, Long> partitions(Input input) {
        if (!(input instanceof Input.Kafka kafka)) {
            return Map.of();
        }
        Properties properties = new Properties();
        properties.putAll(kafka.properties());
        properties.setProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.brokers());
        if (!properties.containsKey(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG)) {
            properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, String.valueOf(LOOK_UP.toMillis()));
            properties.setProperty(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, String.valueOf(REQUEST.toMillis()));
        }
        String topic = "";
        boolean isAnswered = false;
        try (Admin admin = Admin.create(properties)) {
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            for (Map.Entry<String, KafkaFuture<TopicDescription>> described :
                    admin.describeTopics(kafka.topics()).topicNameValues().entrySet()) {
                topic = described.getKey();
                for (TopicPartitionInfo partition : described.getValue().get().partitions()) {
                    wanted.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest());
                }
            }
            isAnswered = true;
            Map<TopicPartition, Long> ends = new HashMap<>();
            admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                    .all()
                    .get()
                    .forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    problem(kafka, topic, isAnswered, e.getCause() == null ? e : e.getCause()), e);
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    "--properties-file: Kafka's client does not take it: " + e.getMessage(), e);
        } catch (KafkaException e) {
            // Its own message says only that there is no client.
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException(problem(kafka, topic, isAnswered, cause) + because(cause), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String because(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
    }

    private static String problem(Input.Kafka kafka, String topic, boolean isAnswered, Throwable cause) {
        if (cause instanceof UnknownTopicOrPartitionException) {
            return "there is no topic " + topic + " at " + kafka.brokers() + "; create it, or check --topics";
        }
        return "the topics " + kafka.topics() + " could not be looked up at " + kafka.brokers() + ": "
                + (cause instanceof TimeoutException && !isAnswered ? "no broker answered; check --brokers: " : "")
                + cause.getMessage();
    }

    @SuppressWarnings("deprecation") // the connector takes this class
    private static Source<SourceRecord, ?, ?> kafka(
            Input.Kafka kafka, int messageBytesMax, Map<TopicPartition, Long> ends) {
        Properties properties = new Properties();
        properties.putAll(kafka.properties());
        properties.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.setProperty(
                KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), String.valueOf(DISCOVERY.toMillis()));
        BoundedRecords.use(properties, messageBytesMax, kafka.topicFrom().header());
        KafkaSourceBuilder<SourceRecord> builder = KafkaSource.<SourceRecord>builder()
                .setProperties(properties)
                .setBootstrapServers(kafka.brokers())
                .setTopics(kafka.topics())
                .setGroupId(kafka.group())
                .setStartingOffsets(new PartitionStarts(kafka.start()))
                .setDeserializer(new KafkaRecords(kafka.topicFrom()));
        if (!ends.isEmpty()) {
            builder.setBounded(OffsetsInitializer.offsets(ends, OffsetResetStrategy.NONE));
        }
        return new KafkaToEnds(builder.build(), kafka.topics(), ends);
    }

    static FileSource<SourceRecord> files(Input.Files files, int messageBytesMax) {
        Path[] paths = files.paths().stream().map(Path::new).toArray(Path[]::new);
        return FileSource.forBulkFileFormat(new FrameFormat(files.framing(), messageBytesMax), paths)
                .setFileEnumerator(WholeFiles::new)
                .build();
    }
}
