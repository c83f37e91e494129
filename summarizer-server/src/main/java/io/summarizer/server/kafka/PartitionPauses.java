package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The pauses of a consumer's partitions. All partitions pause while the sink has no room. Some partitions are held
 * until the next look at the topics, because the brokers refused them or do not have their next offset. One thread.
 */
final class PartitionPauses {
    private final Consumer<byte[], ByteBuffer> consumer;
    private final Set<TopicPartition> held = new HashSet<>();
    /**
     * The next offset of each partition that is held because the brokers do not have this offset. An entry stays until
     * the reason is known.
     */
    private final Map<TopicPartition, Long> outOfRange = new HashMap<>();

    private boolean all;

    PartitionPauses(Consumer<byte[], ByteBuffer> consumer) {
        this.consumer = consumer;
    }

    /** Pauses all partitions. */
    void pauseAll() {
        if (!all) {
            all = true;
            consumer.pause(consumer.assignment());
        }
    }

    /** Ends {@link #pauseAll}. Held partitions stay paused. */
    void resumeAll() {
        if (all) {
            all = false;
            Set<TopicPartition> names = new HashSet<>(consumer.assignment());
            names.removeAll(held);
            consumer.resume(names);
        }
    }

    /** Pauses new partitions of the consumer, too, while all partitions pause. */
    void assigned() {
        if (all) {
            consumer.pause(consumer.assignment());
        }
    }

    /** Holds a partition, because the brokers refused it. */
    void hold(TopicPartition name) {
        held.add(name);
        consumer.pause(Set.of(name));
    }

    /** Holds a partition, because the brokers said that they do not have its next offset. */
    void holdOutOfRange(TopicPartition name, long offset) {
        consumer.seek(name, offset);
        hold(name);
        outOfRange.put(name, offset);
    }

    /** Returns the offset of {@link #holdOutOfRange}, and forgets it; null when there is none. */
    @Nullable
    Long takeOutOfRange(TopicPartition name) {
        return outOfRange.remove(name);
    }

    /** Reads a partition again that was held. */
    void release(TopicPartition name) {
        held.remove(name);
        if (!all) {
            consumer.resume(Set.of(name));
        }
    }

    /**
     * Reads all held partitions again; the brokers may refuse them again.
     *
     * @param isAsked whether the brokers were asked about a partition and have not answered yet; such a partition stays
     *     held
     */
    void retry(Predicate<TopicPartition> isAsked) {
        if (all || held.isEmpty()) {
            return;
        }
        Set<TopicPartition> again = new HashSet<>(held);
        again.removeIf(isAsked);
        again.forEach(this::release);
    }

    /** Forgets the partitions of a topic that is not read any more. */
    void forget(String topic) {
        held.removeIf(name -> name.topic().equals(topic));
        outOfRange.keySet().removeIf(name -> name.topic().equals(topic));
    }
}
