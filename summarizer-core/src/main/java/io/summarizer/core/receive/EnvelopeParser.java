package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.text.Digits;

/**
 * Parses the envelope of a message: finds PRI, the header's fields, the payload and the topic, and writes them into the
 * message's index entry as slices. Scans the message once, and copies nothing.
 *
 * <p>A message that begins with {@code <PRI>VERSION } counts as RFC 5424. It must follow the grammar exactly;
 * otherwise it is rejected ({@link RejectReason#ENVELOPE}). Every other message is read as RFC 3164, with the variants
 * that senders use, and is never rejected. If such a message has no header, the whole message is the payload.
 *
 * <p>Immutable, safe for any thread.
 */
public final class EnvelopeParser {
    private static final int PRI_MAX = 191;
    private static final int VERSION_DIGITS_MAX = 3;

    private final TopicRule topicRule;

    /** A parser that finds topics by {@code topicRule}. */
    public EnvelopeParser(TopicRule topicRule) {
        this.topicRule = topicRule;
    }

    /**
     * Parses the message at position {@code message} of the batch. The caller has set the slice of the frame, and no
     * other slice. The message is the frame without a final LF or CRLF. The same frame gives the same result, whether
     * the frame comes from the network or from a journal.
     */
    public void parse(MessageBatch batch, int message) {
        int from = batch.offset(message, MessageBatch.FRAME);
        byte[] bytes = batch.bytes();
        parse(batch, message, bytes, from, frameEnd(bytes, from, from + batch.length(message, MessageBatch.FRAME)));
    }

    /** The end of a message, without a line feed, or a carriage return and a line feed, at {@code end}. */
    public static int frameEnd(byte[] bytes, int from, int end) {
        if (end == from || bytes[end - 1] != '\n') {
            return end;
        }
        return end - 1 > from && bytes[end - 2] == '\r' ? end - 2 : end - 1;
    }

    private void parse(MessageBatch batch, int message, byte[] bytes, int from, int to) {
        // Some devices send a space before the PRI.
        int at = to - from > 1 && bytes[from] == ' ' && bytes[from + 1] == '<' ? from + 1 : from;
        int digits = at + 1;
        int end = digits;
        int priority = 0;
        if (at < to && bytes[at] == '<') {
            while (end < to && end < digits + 3 && Digits.isDigit(bytes[end])) {
                priority = priority * 10 + (bytes[end++] - '0');
            }
        }
        if (end == digits || end == to || bytes[end] != '>') {
            Rfc3164.peelWithoutPriority(batch, message, bytes, from, to, topicRule);
            return;
        }
        int body = end + 1;
        int header = versionEnd(bytes, body, to);
        if (header > 0) {
            boolean canonical = priority <= PRI_MAX && (bytes[digits] != '0' || end - digits == 1);
            if (canonical && Rfc5424.peel(batch, message, bytes, header, to, topicRule)) {
                batch.priority(message, priority);
            } else {
                batch.clearSlices(message);
                batch.reject(message, RejectReason.ENVELOPE);
            }
        } else if (priority <= PRI_MAX) {
            batch.priority(message, priority);
            Rfc3164.peel(batch, message, bytes, body, to, topicRule);
        } else {
            Rfc3164.peelWithoutPriority(batch, message, bytes, from, to, topicRule);
        }
    }

    /** Whether a message claims to be RFC 5424, that is, begins with {@code <PRI>VERSION} and a space. */
    public static boolean isRfc5424(byte[] bytes, int from, int to) {
        return EnvelopeFault.header(bytes, from, to) >= 0;
    }

    /** Position after a VERSION and its space; -1 when there is no VERSION. */
    static int versionEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && at - from < VERSION_DIGITS_MAX && Digits.isDigit(bytes[at])) {
            at++;
        }
        return at > from && at < to && bytes[at] == ' ' && bytes[from] != '0' ? at + 1 : -1;
    }

    /** Sets the PAYLOAD slice to {@code [from, to)}, without a BOM, and without a CEE cookie before a JSON object. */
    static void payload(MessageBatch batch, int message, byte[] bytes, int from, int to) {
        int start = from;
        if (to - start >= 3
                && bytes[start] == (byte) 0xef
                && bytes[start + 1] == (byte) 0xbb
                && bytes[start + 2] == (byte) 0xbf) {
            start += 3;
        }
        if (start < to && (bytes[start] == '@' || bytes[start] == ' ')) {
            start = cookieEnd(bytes, start, to);
        }
        batch.slice(message, MessageBatch.PAYLOAD, start, to - start);
    }

    /** Start of the JSON object after {@code @cee:}; {@code from} when there is no such object. */
    private static int cookieEnd(byte[] bytes, int from, int to) {
        int at = spacesEnd(bytes, from, to);
        if (to - at < 6
                || bytes[at] != '@'
                || bytes[at + 1] != 'c'
                || bytes[at + 2] != 'e'
                || bytes[at + 3] != 'e'
                || bytes[at + 4] != ':') {
            return from;
        }
        at = spacesEnd(bytes, at + 5, to);
        return at < to && bytes[at] == '{' ? at : from;
    }

    static int spacesEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] == ' ') {
            at++;
        }
        return at;
    }
}
