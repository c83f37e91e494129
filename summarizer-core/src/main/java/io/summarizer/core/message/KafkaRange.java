package io.summarizer.core.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of records of a Kafka partition. A batch has a message for each record of the range. The offsets of a range
 * are not always consecutive: offsets are missing in a compacted topic, and where transactions have their control
 * records. Immutable.
 *
 * <p>A range without records only says that reading of the partition begins at {@link #first}.
 *
 * @see RecordRule
 */
public final class KafkaRange {
    /** Largest number of records of a range. */
    public static final int RECORDS_MAX = 1 << 20;

    private final Partition partition;
    private final RecordRule rule;
    private final long first;
    private final long end;
    private final int count;
    /** For each record, its offset minus the first offset; null when offsets are consecutive. */
    private final int @Nullable [] offsets;

    /**
     * A partition of a topic. A topic that is deleted and created again gets another id.
     *
     * @param topicHigh high half of the topic's id
     * @param topicLow low half of the topic's id
     * @param topic name of the topic
     * @param number number of the partition within the topic
     */
    public record Partition(long topicHigh, long topicLow, String topic, int number) {
        /**
         * Whether another partition belongs to the same topic. A topic that was deleted and created again is a
         * different topic.
         */
        public boolean isOfTopicOf(Partition other) {
            return topicHigh == other.topicHigh && topicLow == other.topicLow;
        }

        @Override
        public String toString() {
            return topic + "-" + number;
        }
    }

    private KafkaRange(
            Partition partition, RecordRule rule, long first, long end, int count, int @Nullable [] offsets) {
        if (first < 0 || end < first || count < 0 || count > end - first || count > RECORDS_MAX) {
            throw new IllegalArgumentException("first=" + first + " end=" + end + " count=" + count);
        }
        this.partition = partition;
        this.rule = rule;
        this.first = first;
        this.end = end;
        this.count = count;
        this.offsets = offsets;
    }

    /** Makes the range without records that marks the place where reading begins. */
    public static KafkaRange beginning(Partition partition, RecordRule rule, long offset) {
        return new KafkaRange(partition, rule, offset, offset, 0, null);
    }

    /**
     * A range of records.
     *
     * @param first offset of the first record
     * @param offsets for each record, the offset minus {@code first}; ascending from 0
     * @param count number of records, at least 1; elements of {@code offsets} beyond this number are not used
     */
    public static KafkaRange of(Partition partition, RecordRule rule, long first, int[] offsets, int count) {
        if (count < 1 || offsets[0] != 0) {
            throw new IllegalArgumentException("count=" + count + " first offset=" + (count < 1 ? -1 : offsets[0]));
        }
        for (int i = 1; i < count; i++) {
            if (offsets[i] <= offsets[i - 1]) {
                throw new IllegalArgumentException("offset " + offsets[i] + " after " + offsets[i - 1]);
            }
        }
        int last = offsets[count - 1];
        return new KafkaRange(
                partition,
                rule,
                first,
                first + last + 1,
                count,
                last == count - 1 ? null : Arrays.copyOf(offsets, count));
    }

    /** The partition. */
    public Partition partition() {
        return partition;
    }

    /** The rule by which records became messages. */
    public RecordRule rule() {
        return rule;
    }

    /** Offset of the first record. */
    public long first() {
        return first;
    }

    /** Offset after the last record. */
    public long end() {
        return end;
    }

    /** Number of records. */
    public int count() {
        return count;
    }

    /** Whether each offset from {@link #first} to {@link #end} has a record. */
    public boolean isConsecutive() {
        return offsets == null;
    }

    /** Offset of record {@code record}. */
    public long offset(int record) {
        return first + (offsets == null ? record : offsets[record]);
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof KafkaRange other
                && partition.equals(other.partition)
                && rule.equals(other.rule)
                && first == other.first
                && end == other.end
                && count == other.count
                && Arrays.equals(offsets, other.offsets);
    }

    @Override
    public int hashCode() {
        return 31 * partition.hashCode() + Long.hashCode(first);
    }

    @Override
    public String toString() {
        return partition + " from offset " + first + " to " + (end - 1) + ", records=" + count;
    }
}
