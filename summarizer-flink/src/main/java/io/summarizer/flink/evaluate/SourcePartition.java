package io.summarizer.flink.evaluate;

import io.summarizer.core.window.WindowInput;
import io.summarizer.flink.record.Progress;
import io.summarizer.flink.source.SourceRecord;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The data of the evaluating operator about one partition of the source. One thread. */
final class SourcePartition {
    private static final int STAMPS_A_MILLI = 1000;

    private final @Nullable String topic;
    private final int number;
    /** The name of the Kafka topic, which may be the topic of a bare payload; empty for a file. */
    final byte[] topicBytes;
    /** Number of the source for {@link io.summarizer.core.message.MessageBatch#source}. */
    final int source;

    /** The time when the clock was last read. The clock is read again only when a timestamp is later than this time. */
    private long clockMillis = Long.MIN_VALUE;
    /** The stamp of the last record, in µs since the epoch. */
    private long lastStamp;
    /** The progress of each summary. */
    private final long[] marks;

    /**
     * Whether a record has come since the job began, or since it was restored from a state. Only then does the
     * partition belong to this subtask.
     */
    private boolean seen;
    /** The oldest timestamp of the records since {@link #tick} was called last, in ms since the epoch. */
    private long oldestMillis = Long.MAX_VALUE;

    /** Whether {@link #report} has something new. */
    private boolean changed;
    /** The time, since the job began or was restored, in which no old record waited. */
    private long clearMillis;

    /**
     * A partition without records.
     *
     * @param inputs names of the partitions that the source had at the start of the job
     */
    SourcePartition(@Nullable String topic, int number, int summaries, List<String> inputs) {
        this.topic = topic;
        this.number = number;
        topicBytes = topic == null ? new byte[0] : topic.getBytes(StandardCharsets.UTF_8);
        int position = Collections.binarySearch(inputs, name());
        source = position >= 0 ? position : inputs.size() + number; // found later, or a file
        marks = new long[summaries];
        Arrays.fill(marks, WindowInput.NONE);
    }

    /** Whether a record is one of this partition. */
    @SuppressWarnings("ReferenceEquality") // the names of a partition's records are mostly the same object
    boolean has(SourceRecord record) {
        return record.partition() == number && (record.topic() == topic || Objects.equals(record.topic(), topic));
    }

    /** Name of the input. */
    String name() {
        return (topic == null ? "file" : topic) + "-" + number;
    }

    /**
     * The stamp of the next record, in µs. A stamp consists of the record's timestamp in ms and, in the digits below
     * the millisecond, the number of the partition. A stamp is always greater than the previous stamp. A producer may
     * write any timestamp. If a timestamp is later than the clock, the time of the clock counts instead, so that no
     * record makes windows close too early.
     */
    long nextStamp(long timestampMillis) {
        seen = true;
        changed = true; // also without a mark, the coordinator has to know that the input has records
        oldestMillis = Math.min(oldestMillis, timestampMillis);
        long millis = timestampMillis;
        if (millis < 0) { // Kafka's -1: it has none
            millis = System.currentTimeMillis();
        } else if (millis > clockMillis) {
            clockMillis = System.currentTimeMillis();
            millis = Math.min(millis, clockMillis);
        }
        long stamp = millis * STAMPS_A_MILLI + number % STAMPS_A_MILLI;
        lastStamp = Math.max(stamp, lastStamp + 1);
        return lastStamp;
    }

    /** Records that the events of a summary have reached {@code time}. */
    void progress(int summary, long time) {
        if (time > marks[summary]) {
            marks[summary] = time;
            changed = true;
        }
    }

    /**
     * Increases the clear time by the time since the last call, unless an old record has come: then more old records
     * may wait. Timestamps in the future tell nothing about this, so it is the oldest record that counts.
     *
     * @param millis the time since the last call, or less if the operator was held up meanwhile
     * @param currentMillis records with this timestamp, in ms since the epoch, or a later one are new
     */
    void tick(long millis, long currentMillis) {
        if (seen && oldestMillis >= currentMillis) {
            clearMillis += millis;
            changed = true;
        }
        oldestMillis = Long.MAX_VALUE;
    }

    /** The progress to report; null when the partition does not belong to this subtask, or when nothing is new. */
    @Nullable
    Progress report() {
        if (!seen || !changed) {
            return null;
        }
        changed = false;
        return new Progress(name(), marks.clone(), clearMillis);
    }

    /** Makes all further stamps greater than {@code stamp}, which another subtask or an earlier run gave. */
    void goOn(long stamp) {
        lastStamp = Math.max(lastStamp, stamp);
    }

    /** Writes the last stamp. The coordinator keeps the marks. */
    void writeTo(DataOutputStream out) throws IOException {
        out.writeBoolean(topic != null);
        if (topic != null) {
            out.writeUTF(topic);
        }
        out.writeInt(number);
        out.writeLong(lastStamp);
    }

    static SourcePartition readFrom(DataInputStream in, int summaries, List<String> inputs) throws IOException {
        SourcePartition read =
                new SourcePartition(in.readBoolean() ? in.readUTF() : null, in.readInt(), summaries, inputs);
        read.lastStamp = in.readLong();
        return read;
    }

    long lastStamp() {
        return lastStamp;
    }
}
