package io.summarizer.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.flink.options.TopicFrom;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // Flink declares that closing may be interrupted
class KafkaToEndsTest {
    private static KafkaPartitionSplit split(String topic, int partition, long offset) {
        return new KafkaPartitionSplit(new TopicPartition(topic, partition), offset);
    }

    /** The connector's reader, which keeps the partitions that it gets. */
    @SuppressWarnings("unchecked")
    private static SourceReader<SourceRecord, KafkaPartitionSplit> reader(List<KafkaPartitionSplit> added) {
        return (SourceReader<SourceRecord, KafkaPartitionSplit>) Proxy.newProxyInstance(
                KafkaToEndsTest.class.getClassLoader(),
                new Class<?>[] {SourceReader.class},
                (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "addSplits" -> added.addAll((List<KafkaPartitionSplit>) arguments[0]);
                        case "snapshotState" -> {
                            return List.copyOf(added);
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private static KafkaToEnds source(List<String> topics, Map<TopicPartition, Long> ends) {
        KafkaSource<SourceRecord> source = KafkaSource.<SourceRecord>builder()
                .setBootstrapServers("none:1")
                .setTopics(topics)
                .setGroupId("test")
                .setDeserializer(new KafkaRecords(TopicFrom.SYSLOG))
                .build();
        return new KafkaToEnds(source, topics, ends);
    }

    @Test
    void partitionsOfATopicThatIsLeftOutAreNotReadAndKeepTheirOffsets() throws Exception {
        List<KafkaPartitionSplit> read = new ArrayList<>();
        SourceReader<SourceRecord, KafkaPartitionSplit> reader =
                source(List.of("a"), Map.of()).reader(reader(read));
        List<KafkaPartitionSplit> saved = List.of(split("a", 0, 10), split("b", 0, 20), split("b", 1, 30));
        reader.addSplits(saved);
        assertThat(read).containsExactly(split("a", 0, 10));
        List<KafkaPartitionSplit> snapshot = reader.snapshotState(1);
        assertThat(snapshot).containsExactlyInAnyOrderElementsOf(saved);
        // A job that names the topic again goes on.
        List<KafkaPartitionSplit> again = new ArrayList<>();
        source(List.of("a", "b"), Map.of()).reader(reader(again)).addSplits(snapshot);
        assertThat(again).containsExactlyInAnyOrderElementsOf(saved);
    }

    @Test
    void partitionsHaveTheEndsOfThisJob() {
        List<KafkaPartitionSplit> read = new ArrayList<>();
        KafkaPartitionSplit ended = new KafkaPartitionSplit(new TopicPartition("a", 0), 10, 11);
        source(List.of("a"), Map.of(new TopicPartition("a", 0), 50L))
                .reader(reader(read))
                .addSplits(List.of(ended));
        assertThat(read).containsExactly(new KafkaPartitionSplit(new TopicPartition("a", 0), 10, 50));
    }
}
