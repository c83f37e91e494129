package io.summarizer.core.receive;

import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.text.Digits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the frames of plain syslog, which are octet-counted frames and lines.
 *
 * <p>Every frame becomes a message. Empty lines, and a single LF after a counted frame, are skipped. An unusable frame
 * is appended as a rejected message with its bytes, so that the consumer of the batch counts and keeps the message. A
 * bad frame, such as a line that is too long or bad compression, does not affect the frames before and after it. After
 * a broken octet count, however, the next frame cannot be found, so the framer is {@link #closed()} for good.
 *
 * <p>Cost: one pass that searches for LF, eight bytes at a time. Between reads, the framer remembers how far it has
 * searched.
 */
public final class SyslogFramer extends StreamFramer {
    /** Inflated bytes after which a batch is handed over. */
    static final int INFLATED_BYTES_MAX = 4 * MessageBatch.DEFAULT_BYTES;

    private static final int COUNT_DIGITS_MAX = 9;

    private enum State {
        /** At the first byte of the stream. Here, the framer detects streams that do not consist of messages. */
        FIRST,
        /** At the first byte of a frame whose framing is not known yet. */
        START,
        /** Within a line; {@link #scanned} bytes of it hold no LF. */
        LINE,
        /** Within a counted frame; {@link #header} and {@link #counted} are known. */
        COUNTED,
        /**
         * After a counted frame, where an LF may follow. Used in octet framing only; in other framings, such an LF is
         * skipped as an empty line.
         */
        AFTER_COUNTED,
        /** Within the rest of a line that was rejected. */
        DISCARD,
        CLOSED
    }

    /** U+FEFF in UTF-8. */
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Framing framing;
    private boolean inflates = true;
    private boolean isFile;

    private State state = State.FIRST;

    // Relative positions, which count from the tail.
    private int scanned;
    private int header;
    private int counted;
    /**
     * End of the inflated frames. They lie after the bytes that were read; the tail will move to the end of the
     * inflated frames.
     */
    private int inflatedEnd;

    /**
     * A framer at the start of a stream.
     *
     * @param messageBytesMax bound on the bytes of a frame, not counting its octet count or line end, and on the
     *     inflated bytes of a compressed frame
     * @param envelope parses the envelope of each message; null when only the frames are wanted
     */
    public SyslogFramer(Framing framing, int messageBytesMax, @Nullable EnvelopeParser envelope) {
        super(messageBytesMax, envelope);
        this.framing = framing;
    }

    /** Takes no frame for compressed, not even one that begins with z. For frames that the service has kept. */
    public SyslogFramer withoutCompression() {
        inflates = false;
        return this;
    }

    /**
     * Frames a file instead of a connection: a first line that looks like a request of HTTP is a line, and a byte order
     * mark before the first line is left out.
     */
    public SyslogFramer ofFile() {
        isFile = true;
        return this;
    }

    /**
     * A framer that continues within a stream, at the tail of a framer that was {@link #isResumable}. It only finds
     * frames, and parses no envelopes.
     *
     * @param messageBytesMax as in the constructor
     */
    public static SyslogFramer resumed(Framing framing, int messageBytesMax) {
        SyslogFramer framer = new SyslogFramer(framing, messageBytesMax, null);
        framer.state = State.START;
        return framer;
    }

    /**
     * Whether no byte before the tail affects the frames that are still to be found. If so, a second framer that starts
     * at the tail finds the same frames. If the tail is at the start of the stream, use a new framer for this,
     * otherwise a {@link #resumed} framer. The result is false, for example, within a line that was rejected.
     */
    public boolean isResumable() {
        return switch (state) {
            case FIRST, START, LINE, COUNTED -> true;
            case AFTER_COUNTED, DISCARD, CLOSED -> false;
        };
    }

    /**
     * Takes frames. Inflating frames makes the batch grow, and may move the tail to the end of the batch; the limit
     * then moves along with the tail.
     */
    @Override
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
                case FIRST -> first(batch, at, limit);
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
     * Makes a message of an unterminated line, and a rejected message of a partial counted frame. Afterwards another
     * stream may start.
     */
    @Override
    public void end(MessageBatch batch) {
        frameFirst(batch);
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
            state = State.FIRST;
        }
    }

    /** Makes a message of an unfinished frame or line, rejected as {@link RejectReason#FRAME}. */
    @Override
    public void breakOff(MessageBatch batch) {
        frameFirst(batch);
        int length = tailLength(batch);
        if (length > 0 && state != State.CLOSED) {
            batch.reject(batch.append(tail, length), RejectReason.FRAME);
            tail = batch.limit();
        }
        end(batch);
    }

    /** Takes the first bytes of a stream as lines. Called when the stream has ended before its kind was certain. */
    private void frameFirst(MessageBatch batch) {
        if (state == State.FIRST && tailLength(batch) > 0) {
            state = State.START;
            var unused = frame(batch);
        }
    }

    private int first(MessageBatch batch, int at, int limit) {
        byte[] bytes = batch.bytes();
        if (isFile) {
            int length = Math.min(limit - at, BYTE_ORDER_MARK.length);
            if (Arrays.equals(bytes, at, at + length, BYTE_ORDER_MARK, 0, length)) {
                if (length < BYTE_ORDER_MARK.length) {
                    return WAIT;
                }
                state = State.START;
                return at + length;
            }
        } else if (HttpStream.mayBegin(bytes, at, limit)) {
            int lf = Swar.indexOfLf(bytes, at + scanned, limit);
            if (lf < 0 && limit - at <= messageBytesMax) {
                scanned = limit - at;
                return WAIT;
            }
            return lf >= 0 && HttpStream.isRequest(bytes, at, lf)
                    ? close(batch, at, limit, RejectReason.FRAME, HttpStream.HINT)
                    : start(batch, at, limit);
        }
        return switch (ZlibStream.look(bytes, at, limit)) {
            case YES -> close(batch, at, limit, RejectReason.FRAME, ZlibStream.HINT);
            case MORE -> WAIT;
            case NO -> start(batch, at, limit);
        };
    }

    private int start(MessageBatch batch, int at, int limit) {
        byte first = batch.bytes()[at];
        // Unless octet counting is the only framing, a leading 0 starts a line, because no sender writes a count with a
        // leading 0.
        if (framing == Framing.OCTET || (framing == Framing.AUTO && Digits.isDigit(first) && first != '0')) {
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
        while (digitsEnd < end && Digits.isDigit(bytes[digitsEnd])) {
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
            return Digits.isDigit(bytes[digitsEnd])
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
        if (batch.bytes()[offset] == 'z' && inflates) {
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
            // The byte after the bound may be the CR of a CRLF.
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

    /** Takes a line of any length, given without its line end. */
    private void take(MessageBatch batch, int offset, int end) {
        if (end - offset > messageBytesMax) {
            reject(batch, offset, end - offset, RejectReason.OVERSIZE);
        } else {
            append(batch, offset, end);
        }
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
        close(text);
        state = State.CLOSED;
        return limit;
    }
}
