package io.summarizer.flink.source;

import io.summarizer.core.message.RejectReason;
import org.jspecify.annotations.Nullable;

/**
 * One record before evaluation: a record of Kafka, or a frame of a file.
 *
 * <p>Mutable: each reader fills a few instances again and again, and owns the arrays. A consumer has to use a record
 * before it returns, and to copy the data that it keeps. Nobody copies a record as long as the consumer is chained to
 * the source and the job reuses objects; between tasks, {@link SourceRecordSerializer} copies it.
 */
public final class SourceRecord {
    private static final byte[] NO_BYTES = {};

    private byte[] bytes = NO_BYTES;
    private int offset;
    private int length = -1;
    private @Nullable String topic;
    private byte @Nullable [] header;
    private int partition;
    private long position;
    private long timestampMillis;
    private RejectReason rejectReason = RejectReason.NONE;

    /** An empty record. */
    public SourceRecord() {}

    /** The array that has the value. */
    public byte[] bytes() {
        return bytes;
    }

    /** Start of the value in {@link #bytes()}. */
    public int offset() {
        return offset;
    }

    /** Number of bytes of the value; -1 when the value is null. */
    public int length() {
        return length;
    }

    /** Whether the value is null. */
    public boolean isNull() {
        return length < 0;
    }

    /** Name of the Kafka topic, usually the same object for all records of a partition; null for a file. */
    public @Nullable String topic() {
        return topic;
    }

    /** Value of the header that has the topic; null when there is no such header, or when the topic is elsewhere. */
    public byte @Nullable [] header() {
        return header;
    }

    /** Number of the Kafka partition within its topic; for a file, its index in the sorted list of files. */
    public int partition() {
        return partition;
    }

    /**
     * A number that grows from record to record of a partition and is the same after a recovery: the offset in Kafka;
     * for a file, the offset of a block plus the index of the frame in it.
     */
    public long position() {
        return position;
    }

    /** The record's timestamp in Kafka; for a file, the time when its bytes were read. In milliseconds since 1970. */
    public long timestampMillis() {
        return timestampMillis;
    }

    /**
     * The reason why the reader refuses the record: {@link RejectReason#FRAME} or {@link RejectReason#OVERSIZE};
     * otherwise {@link RejectReason#NONE}. The value of a refused record has only the bytes that are kept of a rejected
     * message.
     */
    public RejectReason rejectReason() {
        return rejectReason;
    }

    /** Sets the place of the record. */
    SourceRecord at(@Nullable String topic, int partition, long position, long timestampMillis) {
        this.topic = topic;
        this.partition = partition;
        this.position = position;
        this.timestampMillis = timestampMillis;
        return this;
    }

    /** Sets the value without a copy. */
    SourceRecord value(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        return this;
    }

    /** Sets a null value. */
    SourceRecord nullValue() {
        return value(NO_BYTES, 0, -1);
    }

    /** Sets the header's value. */
    SourceRecord header(byte @Nullable [] header) {
        this.header = header;
        return this;
    }

    /** Sets the reason why the record is refused. */
    SourceRecord rejectReason(RejectReason reason) {
        rejectReason = reason;
        return this;
    }

    /** Makes this record a copy of another one, with arrays of its own. */
    SourceRecord copyOf(SourceRecord other) {
        if (other.length < 0) {
            nullValue();
        } else {
            byte[] copy = new byte[other.length];
            System.arraycopy(other.bytes, other.offset, copy, 0, other.length);
            value(copy, 0, copy.length);
        }
        return at(other.topic, other.partition, other.position, other.timestampMillis)
                .header(other.header == null ? null : other.header.clone())
                .rejectReason(other.rejectReason);
    }

    @Override
    public String toString() {
        return (topic == null ? "file" : topic) + "-" + partition + "@" + position + ": "
                + (length < 0 ? "null" : length + " bytes");
    }
}
