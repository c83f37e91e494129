package io.summarizer.core.recovery;

import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.store.CutPart;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * For each Kafka partition, the offset after the last durable record; the service continues to read at this offset. A
 * record is durable when the journal has it as part of a range, or when it is in a checkpoint. The part {@value #PART}
 * of a checkpoint has these offsets.
 *
 * <p>Offsets only grow. Thread-safe.
 */
public final class KafkaOffsets {
    /** Name of the part in a state file. */
    public static final String PART = "kafka";

    private static final int VERSION = 1;

    /** Guarded by this. */
    private final Map<Partition, Long> next = new HashMap<>();

    /** Notes that a range is durable. */
    public synchronized void note(KafkaRange range) {
        next.merge(range.partition(), range.end(), Math::max);
    }

    /** The offset from which a partition has to be read; empty when the service never began to read it. */
    public synchronized OptionalLong next(Partition partition) {
        Long offset = next.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /** All offsets. */
    public synchronized Map<Partition, Long> all() {
        return Map.copyOf(next);
    }

    /** Forgets the offsets of a topic that no longer exists. */
    public synchronized void forget(long topicHigh, long topicLow) {
        next.keySet().removeIf(partition -> partition.topicHigh() == topicHigh && partition.topicLow() == topicLow);
    }

    /**
     * These offsets as a part: int version; int number of partitions. Then, for each partition: the id of its topic as
     * two longs, the name of the topic (as {@link DataOutputStream#writeUTF} writes it), int number of the partition,
     * long offset. All numbers are big-endian.
     */
    CutPart part() {
        return CutPart.of(PART, out -> {
            Map<Partition, Long> all = all();
            out.writeInt(VERSION);
            out.writeInt(all.size());
            for (Map.Entry<Partition, Long> entry : all.entrySet()) {
                Partition partition = entry.getKey();
                out.writeLong(partition.topicHigh());
                out.writeLong(partition.topicLow());
                out.writeUTF(partition.topic());
                out.writeInt(partition.number());
                out.writeLong(entry.getValue());
            }
        });
    }

    /** Reads a part. */
    static KafkaOffsets read(InputStream part) throws IOException {
        DataInputStream in = new DataInputStream(part);
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("the offsets of Kafka partitions were written by another version of this program"
                    + " (version=" + version + ", this one reads version=" + VERSION + ")");
        }
        KafkaOffsets offsets = new KafkaOffsets();
        for (int partitions = in.readInt(); partitions > 0; partitions--) {
            long high = in.readLong();
            long low = in.readLong();
            Partition partition = new Partition(high, low, in.readUTF(), in.readInt());
            offsets.next.put(partition, in.readLong());
        }
        return offsets;
    }
}
