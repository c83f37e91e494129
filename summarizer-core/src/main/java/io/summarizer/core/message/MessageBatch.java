package io.summarizer.core.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one read, and an index of the messages in these bytes. A batch is the unit of the parse queue.
 *
 * <p>The receiver appends bytes at {@link #limit()}. The framer finds frames in these bytes, and appends an entry to
 * the index for each message. The envelope parser sets the slices of the message. A partial frame at the end is carried
 * over into the next batch, so that every message lies within one array.
 *
 * <p>Not thread-safe: a batch has one holder at a time, and queues hand the batch over. Memory: {@value #STRIDE} ints
 * per message. Reused batches allocate nothing in the steady state.
 */
public final class MessageBatch {
    /** Capacity in bytes of a pooled batch; also the maximum number of bytes of one read from a socket. */
    public static final int DEFAULT_BYTES = 64 * 1024;

    /** The whole frame, which is kept when the message is rejected. */
    public static final int FRAME = 0;
    /** TIMESTAMP as text. */
    public static final int TIMESTAMP = 1;
    /** HOSTNAME. */
    public static final int HOST = 2;
    /** APP-NAME, or the TAG of RFC 3164 without its pid. */
    public static final int APP_NAME = 3;
    /** PROCID. */
    public static final int PROC_ID = 4;
    /** MSGID. */
    public static final int MSG_ID = 5;
    /** STRUCTURED-DATA, brackets included. */
    public static final int STRUCTURED_DATA = 6;
    /**
     * The payload: MSG without BOM, without a {@code @cee:} cookie before JSON, and without one leading space. In RFC
     * 3164, a space follows the TAG. rsyslog's {@code %msg%} often copies this space to RFC 5424 messages.
     */
    public static final int PAYLOAD = 7;
    /** The topic of the message, according to the listener's rule. */
    public static final int TOPIC = 8;

    /**
     * Number of low bits of {@link IMessage#eventStamp()} that contain the source of a message, if the message has a
     * source.
     */
    public static final int SOURCE_BITS = 11;

    private static final int FIELDS = 9;
    private static final int FLAGS = 2 * FIELDS;
    private static final int ORDINAL = FLAGS + 1;
    private static final int STRIDE = ORDINAL + 1;

    /** Stands for the {@link #sequence} of a message that is in no journal. */
    public static final long NOT_JOURNALLED = -1;

    private static final int SOURCE_MASK = (1 << SOURCE_BITS) - 1;
    private static final int NO_SOURCE = -1;

    private static final int DEFAULT_MESSAGES = 64;

    /** Number of messages up to which a reused batch keeps its index. */
    private static final int KEPT_MESSAGES = 1024;

    private byte[] bytes;
    private int limit;
    private int[] index;
    private int count;
    private long firstStamp;
    private long firstSequence = NOT_JOURNALLED;
    private int listener;
    private int pipeline;
    private int source = NO_SOURCE;
    private @Nullable Receipt receipt;
    private @Nullable KafkaRange range;
    private KafkaRange.@Nullable Partition partition;
    private final Cursor cursor = new Cursor();

    /** A batch with room for {@code capacity} bytes. */
    public MessageBatch(int capacity) {
        this(capacity, DEFAULT_MESSAGES);
    }

    /**
     * Makes a batch for {@code capacity} bytes and {@code messages} messages. The batch grows when it gets more bytes
     * or messages.
     */
    public MessageBatch(int capacity, int messages) {
        bytes = new byte[capacity];
        index = new int[STRIDE * messages];
    }

    /** Bytes of memory that this batch takes, including the index of its messages. */
    public long heldBytes() {
        return bytes.length + (long) Integer.BYTES * index.length;
    }

    /** The raw bytes; the bytes from {@link #limit()} on are free. */
    public byte[] bytes() {
        return bytes;
    }

    /** End of the bytes in use. */
    public int limit() {
        return limit;
    }

    /** Sets the end of the bytes in use. */
    public void limit(int limit) {
        assert limit >= 0 && limit <= bytes.length;
        this.limit = limit;
    }

    /** Ensures a total capacity of {@code capacity} bytes. Keeps the bytes in use. */
    public void ensureCapacity(int capacity) {
        if (capacity > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(capacity, (int) Math.min(Integer.MAX_VALUE - 8L, bytes.length * 2L)));
        }
    }

    /** Number of messages, including rejected messages. */
    public int count() {
        return count;
    }

    /** Appends a message that has a frame and no other slices. Returns the position of the message. */
    public int append(int frameOffset, int frameLength) {
        int base = count * STRIDE;
        if (base + STRIDE > index.length) {
            index = Arrays.copyOf(index, index.length * 2);
        }
        int[] index = this.index;
        index[base] = frameOffset;
        index[base + 1] = frameLength;
        clearSlices(count);
        index[base + FLAGS] = 13; // user.notice, the default of RFC 3164 for a message without PRI
        index[base + ORDINAL] = count;
        return count++;
    }

    /**
     * Appends a copy of message {@code message} of another batch. The copy keeps the {@link #ordinal} of the original.
     * If both batches have the same first stamp and first sequence, the copy has the same arrival stamp and sequence as
     * the original.
     */
    public void appendFrom(MessageBatch other, int message) {
        int from = message * STRIDE;
        int frame = other.index[from];
        int length = other.index[from + 1];
        ensureCapacity(limit + length);
        System.arraycopy(other.bytes, frame, bytes, limit, length);
        int to = append(limit, length) * STRIDE;
        int moved = limit - frame;
        for (int field = 1; field < FIELDS; field++) {
            assert other.isInFrame(message, field) : "slice " + field + " is not within its frame";
            index[to + 2 * field] = other.index[from + 2 * field] + moved;
            index[to + 2 * field + 1] = other.index[from + 2 * field + 1];
        }
        index[to + FLAGS] = other.index[from + FLAGS];
        index[to + ORDINAL] = other.index[from + ORDINAL];
        limit += length;
    }

    private boolean isInFrame(int message, int field) {
        int offset = offset(message, field);
        int length = length(message, field);
        int frame = offset(message, FRAME);
        return length < 0 || (offset >= frame && offset + length <= frame + length(message, FRAME));
    }

    /** Offset of slice {@code field} of message {@code message}. */
    public int offset(int message, int field) {
        return index[message * STRIDE + 2 * field];
    }

    /** Length of slice {@code field} of message {@code message}; negative when there is none. */
    public int length(int message, int field) {
        return index[message * STRIDE + 2 * field + 1];
    }

    /** Sets slice {@code field} of message {@code message}. */
    public void slice(int message, int field, int offset, int length) {
        int at = message * STRIDE + 2 * field;
        index[at] = offset;
        index[at + 1] = length;
    }

    /** Clears all slices of message {@code message} except for the frame. */
    public void clearSlices(int message) {
        int base = message * STRIDE;
        for (int field = 1; field < FIELDS; field++) {
            index[base + 2 * field + 1] = -1;
        }
    }

    /** Sets PRI (0 to 191) of message {@code message}. */
    public void priority(int message, int priority) {
        assert priority >= 0 && priority <= 191;
        index[message * STRIDE + FLAGS] = priority;
    }

    /** Marks message {@code message} as one that cannot be processed. */
    public void reject(int message, RejectReason reason) {
        int at = message * STRIDE + FLAGS;
        index[at] = (index[at] & 0xff) | reason.ordinal() << 8;
    }

    /**
     * Whether the batch can hold a message whose own stamp is {@code stamp}, see {@link #ordinal(int, int)}. The stamp
     * must be at most about half an hour before or after the first stamp.
     */
    public boolean canStamp(long stamp) {
        return (int) (stamp - firstStamp) == stamp - firstStamp;
    }

    /**
     * The distance of the stamp of message {@code message} from {@link #firstStamp()}. If the message has no stamp of
     * its own, the distance is its position in the received batch, of which this batch may be a part.
     */
    public int ordinal(int message) {
        return index[message * STRIDE + ORDINAL];
    }

    /**
     * Sets the {@linkplain #ordinal(int) distance} of message {@code message} from the first stamp. This is necessary
     * if earlier messages of the received batch are missing in this batch, or if the message has its own stamp. Within
     * a batch, the distances have to ascend.
     */
    public void ordinal(int message, int ordinal) {
        index[message * STRIDE + ORDINAL] = ordinal;
    }

    /** Arrival stamp of the first message of the received batch; 0 before the batch has stamps. */
    public long firstStamp() {
        return firstStamp;
    }

    /** Sets the stamps: message i has {@code firstStamp} plus its {@link #ordinal}. */
    public void firstStamp(long firstStamp) {
        this.firstStamp = firstStamp;
    }

    /** Sequence in the journal of the first message of the received batch, or {@link #NOT_JOURNALLED}. */
    public long firstSequence() {
        return firstSequence;
    }

    /** Sets the sequences in the journal: message i has {@code firstSequence} plus its {@link #ordinal}. */
    public void firstSequence(long firstSequence) {
        this.firstSequence = firstSequence;
    }

    /** Place of message {@code message} in the journal, or {@link #NOT_JOURNALLED}. */
    public long sequence(int message) {
        return firstSequence < 0 ? NOT_JOURNALLED : firstSequence + ordinal(message);
    }

    /** Sequence of the last message in this batch, plus one; 0 when the batch is not journalled, or has no message. */
    public long endSequence() {
        return firstSequence < 0 || count == 0 ? 0 : sequence(count - 1) + 1;
    }

    /** The receipt that is notified of the progress of the batch. */
    public @Nullable Receipt receipt() {
        return receipt;
    }

    /** Sets the receipt that is notified of the progress of the batch. */
    public void receipt(@Nullable Receipt receipt) {
        this.receipt = receipt;
    }

    /**
     * The range of Kafka records from which the messages came; null for other messages, and for a part of a received
     * batch.
     */
    public @Nullable KafkaRange range() {
        return range;
    }

    /** Sets the range of Kafka records from which the messages came. */
    public void range(KafkaRange range) {
        this.range = range;
        partition = range.partition();
    }

    /**
     * The Kafka partition from which the messages came, even if this batch is a part of a received batch; null for
     * other messages.
     */
    public KafkaRange.@Nullable Partition partition() {
        return partition;
    }

    /** Sets the Kafka partition of a batch without a range: a part of a received batch, or a replayed batch. */
    public void partition(KafkaRange.@Nullable Partition partition) {
        this.partition = partition;
    }

    /** Number of the listener that filled this batch. */
    public int listener() {
        return listener;
    }

    /** Sets the number of the listener that filled this batch. */
    public void listener(int listener) {
        this.listener = listener;
    }

    /**
     * Sets the source of all messages. Messages of one source must have different arrival stamps. Messages of two
     * sources may have equal arrival stamps if the sources differ modulo 2,048. The reason is that event stamps also
     * contain the source modulo 2,048.
     */
    public void source(int source) {
        this.source = source & SOURCE_MASK;
    }

    /** Number of the pipeline of this batch; 0 until a sink sets the number. */
    public int pipeline() {
        return pipeline;
    }

    /** Sets the number of the pipeline of this batch. */
    public void pipeline(int pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * Empties the batch for reuse. Releases an array larger than {@link #DEFAULT_BYTES}, and an index of more than
     * {@value #KEPT_MESSAGES} messages.
     */
    public void clear() {
        if (bytes.length > DEFAULT_BYTES) {
            bytes = new byte[DEFAULT_BYTES];
        }
        if (index.length > STRIDE * KEPT_MESSAGES) {
            index = new int[STRIDE * KEPT_MESSAGES];
        }
        limit = 0;
        count = 0;
        firstStamp = 0;
        firstSequence = NOT_JOURNALLED;
        listener = 0;
        pipeline = 0;
        source = NO_SOURCE;
        receipt = null;
        range = null;
        partition = null;
    }

    /** Moves the only cursor of this batch to message {@code message}, and returns it. */
    public IMessage message(int message) {
        cursor.base = message * STRIDE;
        return cursor;
    }

    private final class Cursor implements IMessage {
        private int base;

        @Override
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public int offset(int field) {
            return index[base + 2 * field];
        }

        @Override
        public int length(int field) {
            return index[base + 2 * field + 1];
        }

        @Override
        public int facility() {
            return (index[base + FLAGS] & 0xff) >>> 3;
        }

        @Override
        public int severity() {
            return index[base + FLAGS] & 7;
        }

        @Override
        public long arrivalStamp() {
            return firstStamp + index[base + ORDINAL];
        }

        @Override
        public long eventStamp() {
            return source == NO_SOURCE ? arrivalStamp() : (arrivalStamp() << SOURCE_BITS) | source;
        }

        @Override
        public int listener() {
            return listener;
        }

        @Override
        public RejectReason rejectReason() {
            return RejectReason.of(index[base + FLAGS] >>> 8);
        }
    }
}
