package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.text.Digits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a RELP session. Finds the frames of the session and enforces the rules of RELP. Because of
 * these rules, the messages that the framer appends have consecutive transaction numbers.
 * <pre>
 *   TXNR SP COMMAND SP DATALEN [SP DATA] LF      at most 9 digits, 32 letters, 9 digits; DATA unless DATALEN is 0
 * </pre>
 *
 * <p>The framer follows the rules of the server in librelp 1.11 and of RELP's description (rsyslog.com/doc/relp.html).
 * The first frame is {@code open} and offers the command {@code syslog}; then come {@code syslog} frames and finally
 * {@code close}. TXNR counts 1, 2, 3. After a violation of these rules, the framer reads nothing more of the session
 * ({@link #closed}, {@link #closeReason}); earlier messages remain valid. {@code open} has number 1 and {@code close}
 * comes last, so the messages of a session have the numbers 2, 3, 4 and so on, in the order in which they are appended.
 * Therefore, messages can be acknowledged without a list of their numbers.
 *
 * <p>A message above the bound is appended as a rejected message, shortened to one byte more than the bound. The rest
 * of the message is skipped on arrival and takes no memory. The message is acknowledged, because otherwise its sender
 * would repeat it forever.
 *
 * <p>An unfinished frame at the end of the stream is dropped. The sender gets no acknowledgement for this frame, and
 * sends it again.
 *
 * <p>Cost: reads each byte of a frame's header, and the byte after the data.
 */
public final class RelpFramer extends StreamFramer {
    /** The highest transaction number that has at most 9 digits. */
    public static final int TXNR_MAX = 999_999_999;

    /**
     * The transaction number after which the framer ends the session, so that the sender begins a new session. This is
     * necessary because librelp does not start again at 1 after its highest number. The numbers above this one are
     * enough for all frames that can be in flight when the session ends.
     */
    private static final int TXNR_LAST = 999_000_000;

    private static final int DIGITS_MAX = 9;
    private static final int COMMAND_LETTERS_MAX = 32;
    /** Maximum number of bytes of the data of {@code open} and {@code close}; librelp's offers have about 100. */
    private static final int OFFERS_BYTES_MAX = 4096;

    private static final byte[] SYSLOG = "syslog".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OPEN = "open".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "close".getBytes(StandardCharsets.US_ASCII);

    private enum State {
        /** At the first byte of a frame, or within the header of a frame. */
        HEADER,
        /** Within the data of a frame whose header is known. */
        DATA,
        /** Within the data of a message above the bound. */
        OVERSIZE,
        /** After the last frame. */
        ENDED
    }

    private enum Command {
        SYSLOG,
        OPEN,
        CLOSE
    }

    private final int txnrLast;

    private State state = State.HEADER;
    private boolean opened;
    private boolean closeAsked;
    private boolean closed;
    private @Nullable String refusal;
    /** Transaction number of the last frame that was taken. */
    private int txnr;

    // Command of the current frame.
    private Command command = Command.SYSLOG;
    private int headerLength;
    private int dataLength;
    /** Number of bytes of the current frame's data that were skipped. */
    private int dropped;

    /**
     * A framer at the start of a session.
     *
     * @param messageBytesMax larger messages are rejected
     */
    public RelpFramer(int messageBytesMax, EnvelopeParser envelope) {
        this(messageBytesMax, envelope, TXNR_LAST);
    }

    RelpFramer(int messageBytesMax, EnvelopeParser envelope, int txnrLast) {
        super(messageBytesMax, envelope);
        this.txnrLast = txnrLast;
    }

    /** Transaction number of the last frame that was taken; 0 before the first frame. */
    public int txnr() {
        return txnr;
    }

    /** Whether the session was opened. Frame 1 then has to be acknowledged with {@code 200}. */
    public boolean opened() {
        return opened;
    }

    /**
     * The reason why the session cannot be opened, as a text for the sender; null when the session can be opened. If
     * there is a reason, the response to frame 1 has to be {@code 500}.
     */
    public @Nullable String refusal() {
        return refusal;
    }

    /** Whether the last frame was {@code close}, which has to be acknowledged after all frames before it. */
    public boolean closeAsked() {
        return closeAsked;
    }

    /**
     * Whether the session is over. A session that ended without a fault, because the sender closed it or the
     * transaction numbers were used up, has no {@link #closeReason}.
     */
    @Override
    public boolean closed() {
        return closed;
    }

    @Override
    public Outcome frame(MessageBatch batch) {
        int limit = batch.limit();
        int at = tail;
        Outcome outcome = Outcome.MORE;
        while (at < limit && !closed) {
            if (batch.count() >= MESSAGES_MAX) {
                outcome = Outcome.FULL;
                break;
            }
            int next = switch (state) {
                case HEADER -> header(batch, at, limit);
                case DATA -> data(batch, at, limit);
                case OVERSIZE -> oversize(batch, at, limit);
                case ENDED -> limit;
            };
            if (next == WAIT) {
                break;
            }
            at = next;
        }
        tail = at;
        return closed ? Outcome.CLOSED : outcome;
    }

    /** Ends the stream; drops an unfinished frame. */
    @Override
    public void end(MessageBatch batch) {
        batch.limit(tail);
        closed = true;
        state = State.ENDED;
    }

    /** Ends a stream that broke off; drops an unfinished frame. */
    @Override
    public void breakOff(MessageBatch batch) {
        end(batch);
    }

    private int header(MessageBatch batch, int at, int limit) {
        byte[] bytes = batch.bytes();
        int position = digitsEnd(bytes, at, limit);
        if (position == limit) {
            return WAIT;
        }
        if (position == at || bytes[position] != ' ') {
            return violation(
                    at,
                    !opened && HttpStream.mayBegin(bytes, at, limit)
                            ? HttpStream.HINT
                            : "a frame does not begin with a number of at most 9 digits and a space");
        }
        int number = Digits.number(bytes, at, position);
        int commandAt = position + 1;
        position = lettersEnd(bytes, commandAt, limit);
        if (position == limit) {
            return WAIT;
        }
        if (position == commandAt || bytes[position] != ' ') {
            return violation(at, "a frame's command is not one of at most 32 letters and a space");
        }
        int commandLength = position - commandAt;
        int lengthAt = position + 1;
        position = digitsEnd(bytes, lengthAt, limit);
        if (position == limit) {
            return WAIT;
        }
        if (position == lengthAt) {
            return violation(at, "a frame's length is not one of at most 9 digits");
        }
        dataLength = Digits.number(bytes, lengthAt, position);
        if (bytes[position] != (dataLength == 0 ? '\n' : ' ')) {
            return violation(
                    at,
                    dataLength == 0
                            ? "a frame without data does not end behind its length"
                            : "a frame's length is not one of at most 9 digits and a space");
        }
        headerLength = position + (dataLength == 0 ? 0 : 1) - at;
        return begin(batch, at, limit, number, commandAt, commandLength);
    }

    /** Checks a frame against the rules of the session. The header of the frame was read before. */
    private int begin(MessageBatch batch, int at, int limit, int number, int commandAt, int commandLength) {
        byte[] bytes = batch.bytes();
        if (number != txnr + 1) {
            return violation(at, "frame " + number + " where " + (txnr + 1) + " should be");
        }
        if (is(SYSLOG, bytes, commandAt, commandLength)) {
            command = Command.SYSLOG;
            if (!opened) {
                return violation(at, "a message before the session was opened");
            }
            if (dataLength > messageBytesMax) {
                state = State.OVERSIZE;
                dropped = 0;
                return oversize(batch, at, limit);
            }
        } else {
            if (is(OPEN, bytes, commandAt, commandLength)) {
                command = Command.OPEN;
                if (opened) {
                    return violation(at, "the session was opened twice");
                }
            } else if (is(CLOSE, bytes, commandAt, commandLength)) {
                command = Command.CLOSE;
            } else {
                return violation(at, "a command that was not offered");
            }
            if (dataLength > OFFERS_BYTES_MAX) {
                return violation(at, "a command with more than " + OFFERS_BYTES_MAX + " bytes");
            }
        }
        state = State.DATA;
        return data(batch, at, limit);
    }

    private int data(MessageBatch batch, int at, int limit) {
        int offset = at + headerLength;
        int end = offset + dataLength;
        if (limit <= end) {
            return WAIT;
        }
        if (batch.bytes()[end] != '\n') {
            return violation(at, "no line feed behind a frame's data");
        }
        switch (command) {
            case SYSLOG -> append(batch, offset, end);
            case OPEN -> {
                refusal = RelpOffers.refusal(batch.bytes(), offset, end);
                if (refusal != null) {
                    txnr++;
                    return violation(at, "the session was not opened: " + refusal);
                }
                opened = true;
            }
            case CLOSE -> {
                closeAsked = true;
                closed = true;
            }
        }
        return next(end + 1);
    }

    /**
     * Handles a message above the bound. The header and {@code messageBytesMax + 1} bytes of the message stay in the
     * tail. The other bytes are removed from the batch.
     */
    private int oversize(MessageBatch batch, int at, int limit) {
        int kept = headerLength + messageBytesMax + 1;
        if (limit - at < kept) {
            return WAIT;
        }
        long behind = (long) headerLength + dataLength - dropped - (limit - at);
        if (behind >= 0) {
            dropped += limit - at - kept;
            batch.limit(at + kept);
            return WAIT;
        }
        int end = (int) (limit + behind);
        if (batch.bytes()[end] != '\n') {
            return violation(at, "no line feed behind a frame's data");
        }
        reject(batch, at + headerLength, kept - headerLength, RejectReason.OVERSIZE);
        return next(end + 1);
    }

    private int next(int position) {
        txnr++;
        closed |= txnr == txnrLast;
        state = closed ? State.ENDED : State.HEADER;
        return position;
    }

    private int violation(int at, String text) {
        close(text);
        closed = true;
        state = State.ENDED;
        return at;
    }

    /** End of the digits that start at {@code from}; reads at most nine digits. */
    private static int digitsEnd(byte[] bytes, int from, int limit) {
        int end = Math.min(limit, from + DIGITS_MAX);
        int at = from;
        while (at < end && Digits.isDigit(bytes[at])) {
            at++;
        }
        return at;
    }

    private static int lettersEnd(byte[] bytes, int from, int limit) {
        int end = Math.min(limit, from + COMMAND_LETTERS_MAX);
        int at = from;
        while (at < end && isLetter(bytes[at])) {
            at++;
        }
        return at;
    }

    private static boolean isLetter(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
    }

    private static boolean is(byte[] word, byte[] bytes, int offset, int length) {
        return Arrays.equals(word, 0, word.length, bytes, offset, offset + length);
    }
}
