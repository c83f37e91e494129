package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames of one stream, in place. For each frame, parses the envelope and appends a message. Each connection
 * or file has its own framer. One thread at a time.
 *
 * <p>The caller copies bytes to the batch's limit. The framer takes whole frames and leaves the unfinished rest, the
 * <em>tail</em>, at the end of the batch. Before the batch is handed over, the tail moves into the next batch ({@link
 * #carryOver}) or into the framer ({@link #park}). Thus a message always lies within one array, and an idle connection
 * holds no batch. The steps for a connection:
 * <pre>
 *   framer.begin(batch);                        // puts the parked tail in; the batch may hold messages of others
 *   while (in.isReadable() &amp;&amp; !framer.closed()) {
 *       if (!framer.reserve(batch)) {           // no room: hand over and go on with another one
 *           batch = framer.carryOver(batch, pool.take()), and offer the former;
 *           continue;
 *       }
 *       copy min(in.readableBytes(), room) bytes to batch.limit(), move batch.limit();
 *       while (framer.frame(batch) == Outcome.FULL) {
 *           batch = framer.carryOver(batch, pool.take()), and offer the former;
 *       }
 *   }
 *   framer.park(batch);                         // at the end of the read, unless tailLength() &gt; PARK_BYTES_MAX
 * </pre>
 * A file is read in the same way, without {@code park}. At the end of a connection or file, call {@link #end}.
 *
 * <p>Memory: the tail has at most the bytes of the largest message plus a header. When a frame is longer than a batch
 * of ordinary size, the batch grows as bytes arrive. It does not grow to the announced length of the frame at once.
 * Nothing is allocated per message. A framer keeps a small array for parking.
 */
public abstract sealed class StreamFramer permits SyslogFramer, RelpFramer {
    /**
     * Maximum number of bytes of a tail that is copied into the framer after a read, and back before the next read. A
     * longer tail stays in its batch.
     */
    public static final int PARK_BYTES_MAX = 16 * 1024;

    /** Maximum number of messages of a batch, so that a stream of tiny frames cannot make the batch's index huge. */
    public static final int MESSAGES_MAX = 4096;

    private static final int KEPT_ARRAY_BYTES = 512;
    private static final byte[] NO_BYTES = {};

    /** Stands for the position after a frame that is not complete yet. */
    static final int WAIT = -1;

    /** The outcome of {@link #frame}. */
    public enum Outcome {
        /** All whole frames are appended; more bytes may follow. */
        MORE,
        /**
         * The batch is full, although frames may be left in its tail: carry the tail over, then call {@code frame}
         * again.
         */
        FULL,
        /** The stream is not read any more: hand over the batch and close the connection. */
        CLOSED
    }

    final int messageBytesMax;
    private final @Nullable EnvelopeParser envelope;

    /** Start of the tail in the batch. */
    int tail;

    private @Nullable String closeReason;
    private byte[] parked = NO_BYTES;
    private int parkedLength;

    /**
     * A framer at the start of a stream.
     *
     * @param messageBytesMax bound on a message's bytes
     * @param envelope parses the envelope of each message; null when only the frames are wanted
     */
    StreamFramer(int messageBytesMax, @Nullable EnvelopeParser envelope) {
        if (messageBytesMax < 1 || messageBytesMax > 1 << 29) {
            throw new IllegalArgumentException("messageBytesMax=" + messageBytesMax + ", 1 to " + (1 << 29));
        }
        this.messageBytesMax = messageBytesMax;
        this.envelope = envelope;
    }

    /**
     * Begins to append frames to a batch, after the batch's current contents. Moves a parked tail to the end of the
     * batch.
     */
    public final void begin(MessageBatch batch) {
        put(parked, 0, parkedLength, batch);
        parkedLength = 0;
        if (parked.length > KEPT_ARRAY_BYTES) {
            parked = NO_BYTES;
        }
    }

    /**
     * Makes space for at least one byte after the limit. A batch that holds only an unfinished frame grows for this
     * purpose. A batch with messages that has grown, for example for inflated bytes, is full at the ordinary size;
     * otherwise it would be filled and grow again and again.
     *
     * @return false when the batch is full and has messages: carry the tail over and hand the batch over first
     */
    public final boolean reserve(MessageBatch batch) {
        if (batch.count() > 0) {
            return batch.limit() < Math.min(batch.bytes().length, MessageBatch.DEFAULT_BYTES);
        }
        if (batch.limit() < batch.bytes().length) {
            return true;
        }
        int length = tailLength(batch);
        if (tail > 0) {
            System.arraycopy(batch.bytes(), tail, batch.bytes(), 0, length);
            tail = 0;
            batch.limit(length);
        } else {
            batch.ensureCapacity(length + 1);
        }
        return true;
    }

    /**
     * Takes whole frames from the bytes up to the batch's limit. May move the tail; the limit then moves along with the
     * tail.
     */
    public abstract Outcome frame(MessageBatch batch);

    /**
     * Ends the stream because its sender ended it. The protocol decides how an unfinished frame is treated. Call this
     * method after {@link #frame} returned {@link Outcome#MORE}. The batch has to be {@linkplain #begin begun}.
     * Afterwards there is no tail.
     */
    public abstract void end(MessageBatch batch);

    /**
     * Ends a stream that broke off. Does the same as {@link #end}, except that an unfinished frame is never taken for a
     * whole frame.
     */
    public abstract void breakOff(MessageBatch batch);

    /** Start of the tail in the batch. */
    public final int tail() {
        return tail;
    }

    /** Bytes of the tail. The tail is the beginning of an incomplete frame. */
    public final int tailLength(MessageBatch batch) {
        return batch.limit() - tail;
    }

    /**
     * Moves the tail out of the batch {@code from}, and appends it to the batch {@code to}. The batch {@code to} is
     * usually empty. After the call, {@code from} may be handed over.
     *
     * @return {@code to}
     */
    public final MessageBatch carryOver(MessageBatch from, MessageBatch to) {
        int start = tail;
        put(from.bytes(), start, from.limit() - start, to);
        from.limit(start);
        return to;
    }

    /**
     * Moves the tail from {@code from} into the framer. {@code from} may then be handed over or used for other streams.
     */
    public final void park(MessageBatch from) {
        int length = tailLength(from);
        if (length > parked.length || parked.length > Math.max(KEPT_ARRAY_BYTES, 2 * length)) {
            parked = length == 0 ? NO_BYTES : new byte[length];
        }
        System.arraycopy(from.bytes(), tail, parked, 0, length);
        parkedLength = length;
        from.limit(tail);
    }

    /** Bytes that {@link #park} keeps. */
    public final int parkedLength() {
        return parkedLength;
    }

    /** Whether the stream is not read any more. */
    public boolean closed() {
        return closeReason != null;
    }

    /**
     * The sender's fault that ended this stream, as a text for the log; null while the stream goes on, or when the
     * stream ended properly.
     */
    public final @Nullable String closeReason() {
        return closeReason;
    }

    /** Ends the stream because of a fault of its sender. */
    final void close(String reason) {
        closeReason = reason;
    }

    /** Appends the message at {@code [offset, end)}, which may end with a line feed. */
    final void append(MessageBatch batch, int offset, int end) {
        int message = batch.append(offset, end - offset);
        if (envelope != null) {
            envelope.parse(batch, message);
        }
    }

    /** Appends a rejected frame, cut to the bound. */
    final void reject(MessageBatch batch, int offset, int length, RejectReason reason) {
        // Of an oversized frame, keep one byte above the bound. Without this byte, the shortened frame, if sent again,
        // would be accepted as a message that nobody sent.
        int kept = reason == RejectReason.OVERSIZE ? messageBytesMax + 1 : messageBytesMax;
        batch.reject(batch.append(offset, Math.min(length, kept)), reason);
    }

    private void put(byte[] source, int offset, int length, MessageBatch to) {
        int start = to.limit();
        to.ensureCapacity(start + length);
        System.arraycopy(source, offset, to.bytes(), start, length);
        to.limit(start + length);
        tail = start;
    }
}
