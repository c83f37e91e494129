package io.summarizer.core.receive;

import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames of one stream, in place, and appends a message with its envelope peeled for each. One for each
 * connection or file; used by one thread at a time.
 *
 * <p>The caller copies bytes in behind the batch's limit; the framer takes whole frames and leaves the unfinished rest,
 * the <em>tail</em>, at the end of the batch. Before the batch is handed over, the tail goes into the next batch
 * ({@link #carryOver}) or into the framer itself ({@link #park}), so that a message always lies within one array and an
 * idle connection holds no batch. A connection:
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
 * A file is read the same way without {@code park}; at the end of either, {@link #end}.
 *
 * <p>What is not a message: empty lines, and the one LF that may follow a counted frame. All else becomes one: a frame
 * that cannot be used is appended as a rejected message with its bytes, so whoever takes the batch counts and keeps it.
 * A broken frame within an intact stream (too long a line, bad compression) harms no neighbour; a broken octet count
 * leaves no way to find the next frame, so the framer is {@link #closed()} for good.
 *
 * <p>Memory: the tail is at most the bound on message size plus a count; a batch of ordinary size grows to hold it only as
 * its bytes arrive. No allocation per message; parking keeps a small array. Cost: one pass for LF, eight bytes at a time,
 * remembered over reads.
 */
public final class SyslogFramer {
    /** A tail longer than this is better left in its batch than copied out and in with each read. */
    public static final int PARK_BYTES_MAX = 16 * 1024;

    /** Messages of a batch, so that a stream of tiny frames cannot blow up its index. */
    public static final int MESSAGES_MAX = 4096;
    /** Inflated bytes after which a batch is handed over. */
    static final int INFLATED_BYTES_MAX = 4 * MessageBatch.DEFAULT_BYTES;

    private static final int COUNT_DIGITS_MAX = 9;
    private static final int KEPT_ARRAY_BYTES = 512;
    private static final byte[] NO_BYTES = {};
    /** Returned by a state's method in place of a position: the frame is not complete. */
    private static final int WAIT = -1;

    /** What {@link #frame} came to. */
    public enum Outcome {
        /** All whole frames are appended; more bytes are welcome. */
        MORE,
        /** The batch holds enough though frames may be left in its tail: carry over, then call {@code frame} again. */
        FULL,
        /** The stream cannot be framed any more: hand over the batch and close the connection. */
        CLOSED
    }

    private enum State {
        /** At the first byte of a frame whose framing is not known yet. */
        START,
        /** Within a line; {@link #scanned} bytes of it hold no LF. */
        LINE,
        /** Within a counted frame; {@link #header} and {@link #counted} are known. */
        COUNTED,
        /** Behind a counted frame where an LF may follow; in octet framing only, since else an empty line is nothing. */
        AFTER_COUNTED,
        /** Within the rest of a line that was rejected. */
        DISCARD,
        CLOSED
    }

    private final Framing framing;
    private final int messageBytesMax;
    private final EnvelopeParser envelope;

    private State state = State.START;
    private @Nullable String closeReason;
    /** Where the tail starts in the batch; relative positions below count from here. */
    private int tail;

    private int scanned;
    private int header;
    private int counted;
    /** End of the inflated frames, which lie behind the bytes that were read; the tail moves behind them. */
    private int inflatedEnd;

    private byte[] parked = NO_BYTES;
    private int parkedLength;

    /**
     * A framer at the start of a stream.
     *
     * @param messageBytesMax bound on a frame's bytes, without count or line end; also of a compressed one's content
     */
    public SyslogFramer(Framing framing, int messageBytesMax, EnvelopeParser envelope) {
        if (messageBytesMax < 1 || messageBytesMax > 1 << 29) {
            throw new IllegalArgumentException("messageBytesMax=" + messageBytesMax + ", 1 to " + (1 << 29));
        }
        this.framing = framing;
        this.messageBytesMax = messageBytesMax;
        this.envelope = envelope;
    }

    /** Starts on a batch, behind what it holds already: puts the parked tail, if any, at its end. */
    public void begin(MessageBatch batch) {
        put(parked, 0, parkedLength, batch);
        parkedLength = 0;
        if (parked.length > KEPT_ARRAY_BYTES) {
            parked = NO_BYTES;
        }
    }

    /**
     * Makes room for at least one byte behind the limit, by growing the batch where an unfinished frame is all it holds.
     *
     * @return false when the batch is full and has messages: hand it over and carry the tail over first
     */
    public boolean reserve(MessageBatch batch) {
        if (batch.limit() < batch.bytes().length) {
            return true;
        }
        if (batch.count() > 0) {
            return false;
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
     * Takes whole frames from the bytes up to the batch's limit. Inflating grows the batch and may move the tail (and so
     * the limit) to its end.
     */
    public Outcome frame(MessageBatch batch) {
        int limit = batch.limit();
        inflatedEnd = limit;
        int at = tail;
        Outcome outcome = Outcome.MORE;
        while (at < limit && state != State.CLOSED) {
            if (batch.count() >= MESSAGES_MAX || inflatedEnd - limit >= INFLATED_BYTES_MAX) {
                outcome = Outcome.FULL;
                break;
            }
            int next = switch (state) {
                case START -> start(batch, at, limit);
                case LINE -> line(batch, at, limit);
                case COUNTED -> counted(batch, at, limit);
                case AFTER_COUNTED -> afterCounted(batch, at);
                case DISCARD -> discard(batch, at, limit);
                case CLOSED -> limit;
            };
            if (next == WAIT) {
                break;
            }
            at = next;
        }
        tail = at;
        if (inflatedEnd > limit) {
            int length = limit - at;
            batch.ensureCapacity(inflatedEnd + length);
            System.arraycopy(batch.bytes(), at, batch.bytes(), inflatedEnd, length);
            tail = inflatedEnd;
            batch.limit(inflatedEnd + length);
        }
        return state == State.CLOSED ? Outcome.CLOSED : outcome;
    }

    /**
     * Ends the stream: an unterminated line is a message, part of a counted frame is a rejected one. To be called when
     * {@link #frame} said {@link Outcome#MORE}, on a batch that has been begun; afterwards another stream may start.
     */
    public void end(MessageBatch batch) {
        int length = tailLength(batch);
        if (length > 0 && state != State.CLOSED) {
            if (state == State.COUNTED || framing == Framing.OCTET) {
                reject(batch, tail, length, RejectReason.FRAME);
            } else {
                take(batch, tail, tail + length);
            }
        }
        tail = batch.limit();
        scanned = 0;
        if (state != State.CLOSED) {
            state = State.START;
        }
    }

    /** Where the tail starts in the batch. */
    public int tail() {
        return tail;
    }

    /** Bytes of the tail: what came of a frame that is not complete. */
    public int tailLength(MessageBatch batch) {
        return batch.limit() - tail;
    }

    /**
     * Moves the tail out of {@code from}, which may be handed over then, to the end of {@code to}, which is usually empty.
     *
     * @return {@code to}
     */
    public MessageBatch carryOver(MessageBatch from, MessageBatch to) {
        int start = tail;
        put(from.bytes(), start, from.limit() - start, to);
        from.limit(start);
        return to;
    }

    /** Moves the tail out of {@code from}, which may be handed over or used for other streams then, into the framer. */
    public void park(MessageBatch from) {
        int length = tailLength(from);
        if (length > parked.length || parked.length > Math.max(KEPT_ARRAY_BYTES, 2 * length)) {
            parked = length == 0 ? NO_BYTES : new byte[length];
        }
        System.arraycopy(from.bytes(), tail, parked, 0, length);
        parkedLength = length;
        from.limit(tail);
    }

    /** Bytes that {@link #park} keeps. */
    public int parkedLength() {
        return parkedLength;
    }

    /** Whether a broken octet count put an end to this stream. */
    public boolean closed() {
        return state == State.CLOSED;
    }

    /** What put an end to this stream, for people; null while it goes on. */
    public @Nullable String closeReason() {
        return closeReason;
    }

    private void put(byte[] source, int offset, int length, MessageBatch to) {
        int start = to.limit();
        to.ensureCapacity(start + length);
        System.arraycopy(source, offset, to.bytes(), start, length);
        to.limit(start + length);
        tail = start;
    }

    private int start(MessageBatch batch, int at, int limit) {
        byte first = batch.bytes()[at];
        if (framing == Framing.OCTET || (framing == Framing.AUTO && isDigit(first))) {
            return count(batch, at, limit);
        }
        state = State.LINE;
        return line(batch, at, limit);
    }

    private int count(MessageBatch batch, int at, int limit) {
        byte[] bytes = batch.bytes();
        int end = Math.min(limit, at + COUNT_DIGITS_MAX);
        int count = 0;
        int digitsEnd = at;
        while (digitsEnd < end && isDigit(bytes[digitsEnd])) {
            count = count * 10 + (bytes[digitsEnd++] - '0');
        }
        if (framing == Framing.AUTO) {
            boolean line = digitsEnd < limit && bytes[digitsEnd] != ' ';
            if (!line && digitsEnd + 1 < limit) {
                line = bytes[digitsEnd + 1] != '<' && bytes[digitsEnd + 1] != 'z';
            }
            if (line) {
                state = State.LINE;
                return line(batch, at, limit);
            }
            if (digitsEnd + 1 >= limit) {
                return WAIT;
            }
        }
        if (bytes[at] == '0') {
            return close(batch, at, limit, RejectReason.FRAME, "octet count starts with 0");
        }
        if (digitsEnd == limit) {
            return WAIT;
        }
        if (bytes[digitsEnd] != ' ' || digitsEnd == at) {
            return isDigit(bytes[digitsEnd])
                    ? close(batch, at, limit, RejectReason.OVERSIZE, "octet count has more than 9 digits")
                    : close(batch, at, limit, RejectReason.FRAME, "octet count is not digits and a space");
        }
        if (count > messageBytesMax) {
            return close(
                    batch,
                    at,
                    limit,
                    RejectReason.OVERSIZE,
                    "octet count " + count + " is above the limit of " + messageBytesMax);
        }
        header = digitsEnd + 1 - at;
        counted = count;
        state = State.COUNTED;
        return counted(batch, at, limit);
    }

    private int counted(MessageBatch batch, int at, int limit) {
        if (limit - at < header + counted) {
            return WAIT;
        }
        int offset = at + header;
        int end = offset + counted;
        state = framing == Framing.OCTET ? State.AFTER_COUNTED : State.START;
        if (batch.bytes()[offset] == 'z') {
            inflate(batch, offset, counted);
        } else {
            append(batch, offset, end);
        }
        return end;
    }

    private int afterCounted(MessageBatch batch, int at) {
        state = State.START;
        return batch.bytes()[at] == '\n' ? at + 1 : at;
    }

    private int line(MessageBatch batch, int at, int limit) {
        byte[] bytes = batch.bytes();
        int lf = Swar.indexOfLf(bytes, at + scanned, limit);
        if (lf < 0) {
            // One byte more than the bound may still be a CR.
            if (limit - at > messageBytesMax + 1) {
                reject(batch, at, limit - at, RejectReason.OVERSIZE);
                state = State.DISCARD;
                scanned = 0;
                return limit;
            }
            scanned = limit - at;
            return WAIT;
        }
        state = State.START;
        scanned = 0;
        int end = lf > at && bytes[lf - 1] == '\r' ? lf - 1 : lf;
        if (end > at) {
            take(batch, at, end);
        }
        return lf + 1;
    }

    private int discard(MessageBatch batch, int at, int limit) {
        int lf = Swar.indexOfLf(batch.bytes(), at, limit);
        if (lf < 0) {
            return limit;
        }
        state = State.START;
        return lf + 1;
    }

    /** Takes a line, without its end, of whatever length. */
    private void take(MessageBatch batch, int offset, int end) {
        if (end - offset > messageBytesMax) {
            reject(batch, offset, end - offset, RejectReason.OVERSIZE);
        } else {
            envelope.parse(batch, batch.append(offset, end - offset), offset, end);
        }
    }

    /** Takes a counted frame, which an LF may end. */
    private void append(MessageBatch batch, int offset, int end) {
        byte[] bytes = batch.bytes();
        int contentEnd = end;
        if (end > offset && bytes[end - 1] == '\n') {
            contentEnd = end - 1 > offset && bytes[end - 2] == '\r' ? end - 2 : end - 1;
        }
        envelope.parse(batch, batch.append(offset, end - offset), offset, contentEnd);
    }

    private void inflate(MessageBatch batch, int offset, int length) {
        int made = FrameInflater.inflate(batch, offset + 1, length - 1, inflatedEnd, messageBytesMax);
        if (made >= 0) {
            append(batch, inflatedEnd, inflatedEnd + made);
            inflatedEnd += made;
        } else {
            RejectReason reason = made == FrameInflater.OVERSIZE ? RejectReason.OVERSIZE : RejectReason.FRAME;
            reject(batch, offset, length, reason);
        }
    }

    private int close(MessageBatch batch, int at, int limit, RejectReason reason, String text) {
        reject(batch, at, limit - at, reason);
        closeReason = text;
        state = State.CLOSED;
        return limit;
    }

    private void reject(MessageBatch batch, int offset, int length, RejectReason reason) {
        // Of what is too long, one byte above the bound is kept: cut down to the bound and sent again, it would pass as
        // a message that nobody sent.
        int kept = reason == RejectReason.OVERSIZE ? messageBytesMax + 1 : messageBytesMax;
        batch.reject(batch.append(offset, Math.min(length, kept)), reason);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
