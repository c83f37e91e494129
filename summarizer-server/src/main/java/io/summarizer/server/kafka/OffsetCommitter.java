package io.summarizer.server.kafka;

import io.summarizer.core.recovery.KafkaOffsets;
import io.summarizer.server.net.ThrottledLog;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Commits the durable offsets to the group of the settings, for monitors of the lag. The service does not read these
 * offsets. One thread.
 */
final class OffsetCommitter {
    private final String group;
    private final KafkaOffsets offsets;
    private final ThrottledLog log;
    private Map<TopicPartition, OffsetAndMetadata> committed = Map.of();

    OffsetCommitter(String group, KafkaOffsets offsets, ThrottledLog log) {
        this.group = group;
        this.offsets = offsets;
        this.log = log;
    }

    /** Commits the offsets of these partitions if they have changed. Does nothing without a group. */
    void commit(Consumer<byte[], ByteBuffer> consumer, Map<TopicPartition, RecordIntake.Reading> readings) {
        if (group.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> durable = new HashMap<>();
        readings.forEach((name, reading) ->
                offsets.next(reading.name()).ifPresent(offset -> durable.put(name, new OffsetAndMetadata(offset))));
        if (durable.isEmpty() || durable.equals(committed)) {
            return;
        }
        committed = durable;
        consumer.commitAsync(durable, (unused, e) -> {
            if (e != null) {
                committed = Map.of();
                log.warn(
                        "offsets for monitors of the lag could not be committed",
                        () -> group + ": " + KafkaClients.text(e));
            }
        });
    }
}
