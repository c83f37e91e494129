package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;

/**
 * Parses a header of RFC 3164 from the byte after the PRI. Accepts variants of the header. The date may have a year, a
 * colon, or the form of RFC 3339 (rsyslog's {@code RSYSLOG_ForwardFormat}). The date, the host, the colon of the TAG or
 * the whole header may be missing.
 *
 * <p>The rules: if there is a date, the next word is the HOSTNAME unless it looks like a TAG ({@code tag:}, {@code
 * tag[pid]}). The word after the HOSTNAME is the TAG, which ends at a colon, a pid or a space. If there is no date,
 * there is no host, and a TAG has to have the form {@code tag: } or {@code tag[pid]}. A word is content and not a TAG
 * if it starts like JSON or like another header, or if it is longer than {@value TopicRule#TOPIC_BYTES_MAX} bytes.
 */
final class Rfc3164 {
    private static final int NONE = -1;

    private Rfc3164() {}

    /** Sets the message's slices; there is always a payload, possibly empty. */
    static void peel(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        if (!peelDated(batch, message, bytes, from, to, rule)) {
            int at = EnvelopeParser.spacesEnd(bytes, from, to);
            int content = isTagMarked(bytes, at, to) ? tag(batch, message, bytes, at, to, rule) : NONE;
            EnvelopeParser.payload(batch, message, bytes, content == NONE ? from : content, to);
        }
    }

    /**
     * Parses a message without a PRI, such as a line of a file that a syslog server wrote. If it does not begin with a
     * date, it is all payload: the first word of such a line is more likely a part of it than a TAG.
     */
    static void peelWithoutPriority(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        if (!peelDated(batch, message, bytes, from, to, rule)) {
            EnvelopeParser.payload(batch, message, bytes, from, to);
        }
    }

    /** Parses a message that begins with a date. Returns false when there is none. */
    private static boolean peelDated(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        int at = EnvelopeParser.spacesEnd(bytes, from, to);
        int dateEnd = SyslogTime.lenientEnd(bytes, at, to);
        if (dateEnd < 0) {
            return false;
        }
        batch.slice(message, MessageBatch.TIMESTAMP, at, dateEnd - at);
        at = dateEnd < to && bytes[dateEnd] == ':' ? dateEnd + 1 : dateEnd;
        at = EnvelopeParser.spacesEnd(bytes, at, to);
        int hostEnd = hostEnd(bytes, at, to);
        if (hostEnd > at) {
            batch.slice(message, MessageBatch.HOST, at, hostEnd - at);
            at = skipSpace(bytes, hostEnd, to);
        }
        int content = tag(batch, message, bytes, at, to, rule);
        EnvelopeParser.payload(batch, message, bytes, content == NONE ? skipSpace(bytes, at, to) : content, to);
        return true;
    }

    /** End of the HOSTNAME at {@code from}; {@code from} itself when the word there is not a HOSTNAME. */
    private static int hostEnd(byte[] bytes, int from, int to) {
        if (from == to || !mayStartWord(bytes[from])) {
            return from;
        }
        int end = from;
        while (end < to && bytes[end] != ' ') {
            if (bytes[end] == '[' && end > from) {
                return from;
            }
            end++;
        }
        return bytes[end - 1] == ':' ? from : end;
    }

    /** Whether the first word is marked as a TAG: {@code tag:} and a space or the end, or {@code tag[pid]}. */
    private static boolean isTagMarked(byte[] bytes, int from, int to) {
        for (int at = from; at < to && bytes[at] != ' '; at++) {
            if (bytes[at] == ':') {
                return at + 1 == to || bytes[at + 1] == ' '; // tag() ends the TAG at the first colon
            }
            if (bytes[at] == '[' && pidEnd(bytes, at + 1, to) != NONE) {
                return true;
            }
        }
        return false;
    }

    /**
     * Sets APP_NAME, PROC_ID and TOPIC from the TAG at {@code from}; returns the start of the content, or -1 if there
     * is no TAG.
     */
    private static int tag(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        if (from == to || !mayStartTag(bytes[from])) {
            return NONE;
        }
        int end = from;
        int content = to;
        int pidEnd = NONE;
        for (; end < to; end++) {
            byte b = bytes[end];
            if (b == ' ' || b == ':') {
                content = b == ':' ? end + 1 : end;
                break;
            }
            pidEnd = b == '[' ? pidEnd(bytes, end + 1, to) : NONE;
            if (pidEnd != NONE) {
                content = pidEnd + 1 < to && bytes[pidEnd + 1] == ':' ? pidEnd + 2 : pidEnd + 1;
                break;
            }
        }
        if (end - from > TopicRule.TOPIC_BYTES_MAX) {
            return NONE;
        }
        if (pidEnd > end + 1) {
            batch.slice(message, MessageBatch.PROC_ID, end + 1, pidEnd - end - 1);
        }
        batch.slice(message, MessageBatch.APP_NAME, from, end - from);
        if (rule != TopicRule.MSGID) {
            batch.slice(message, MessageBatch.TOPIC, from, end - from);
        }
        return skipSpace(bytes, content, to);
    }

    /**
     * Position of the bracket that closes a pid and is followed by a colon, a space or the end; -1 when there is no
     * such bracket.
     */
    private static int pidEnd(byte[] bytes, int from, int to) {
        // A pid contains no bracket. Without this rule, a row of brackets would take quadratic time, because each
        // bracket would start a search to the end of the row.
        for (int at = from; at < to && bytes[at] != ' ' && bytes[at] != '['; at++) {
            if (bytes[at] == ']') {
                boolean ends = at + 1 == to || bytes[at + 1] == ':' || bytes[at + 1] == ' ';
                return ends ? at : NONE;
            }
        }
        return NONE;
    }

    private static boolean mayStartWord(byte b) {
        return b != '{' && b != '"' && b != '@' && b != ' ';
    }

    private static boolean mayStartTag(byte b) {
        return mayStartWord(b) && b != '[' && b != ':' && b != '<';
    }

    private static int skipSpace(byte[] bytes, int from, int to) {
        return from < to && bytes[from] == ' ' ? from + 1 : from;
    }
}
