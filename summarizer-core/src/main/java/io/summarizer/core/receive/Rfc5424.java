package io.summarizer.core.receive;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.MessageBatch;

/** Parses a message of RFC 5424 after its VERSION: five words, STRUCTURED-DATA, and MSG. */
final class Rfc5424 {
    private static final int NONE = -1;
    /**
     * Bounds of HOSTNAME, APP-NAME, PROCID and MSGID in bytes, indexed by slice number. RFC 5424 allows 48 bytes for an
     * APP-NAME and 32 for a MSGID. These two bounds are higher here, because APP-NAME or MSGID may be a topic.
     */
    private static final int[] WORD_BYTES_MAX = {0, 0, 255, TopicRule.TOPIC_BYTES_MAX, 128, TopicRule.TOPIC_BYTES_MAX};

    private Rfc5424() {}

    /** Sets the message's slices. Returns false when the header is malformed; even then, some slices may be set. */
    static boolean peel(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        int timestampEnd = from < to && bytes[from] == '-' ? from + 1 : SyslogTime.rfc5424End(bytes, from, to);
        if (timestampEnd < 0 || timestampEnd >= to || bytes[timestampEnd] != ' ') {
            return false;
        }
        slice(batch, message, MessageBatch.TIMESTAMP, bytes, from, timestampEnd);
        int data = words(batch, message, bytes, timestampEnd + 1, to, rule);
        if (data < 0 || data == to) {
            return false;
        }
        int dataEnd = data + 1;
        if (bytes[data] != '-') {
            dataEnd = bytes[data] == '[' ? StructuredData.end(bytes, data, to) : NONE;
            if (dataEnd < 0) {
                return false;
            }
            batch.slice(message, MessageBatch.STRUCTURED_DATA, data, dataEnd - data);
        }
        if (dataEnd < to && bytes[dataEnd] != ' ') {
            return false;
        }
        int content = Math.min(dataEnd + 1, to);
        if (content < to && bytes[content] == ' ') {
            // This space is not in RFC 5424. It comes from rsyslog: if a message arrived as RFC 3164, its %msg% still
            // has the space that followed the TAG.
            content++;
        }
        EnvelopeParser.payload(batch, message, bytes, content, to);
        return true;
    }

    /**
     * Sets the slices from HOST to MSG_ID, and TOPIC. Returns the place of STRUCTURED-DATA, or -1 when a word is
     * malformed.
     */
    private static int words(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        if (to + 8 > bytes.length) {
            return wordsAtArrayEnd(batch, message, bytes, from, to, rule);
        }
        int start = from;
        // One pass finds the words, eight bytes at a time. The addresses of its loads do not depend on the ends of
        // words.
        int base = from;
        long stops = Swar.notPrintable(Bytes.getLong(bytes, base));
        for (int field = MessageBatch.HOST; field <= MessageBatch.MSG_ID; field++) {
            while (stops == 0) {
                base += 8;
                if (base >= to) {
                    return NONE;
                }
                stops = Swar.notPrintable(Bytes.getLong(bytes, base));
            }
            int end = base + Swar.firstByte(stops);
            stops &= stops - 1;
            if (!word(batch, message, field, bytes, start, end, to, rule)) {
                return NONE;
            }
            start = end + 1;
        }
        return start;
    }

    /**
     * Does the same as {@link #words} near the end of the array, where it is not possible to read eight bytes at a
     * time.
     */
    private static int wordsAtArrayEnd(
            MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        int start = from;
        for (int field = MessageBatch.HOST; field <= MessageBatch.MSG_ID; field++) {
            int end = start;
            while (end < to && bytes[end] > ' ' && bytes[end] != 0x7f) {
                end++;
            }
            if (!word(batch, message, field, bytes, start, end, to, rule)) {
                return NONE;
            }
            start = end + 1;
        }
        return start;
    }

    /** Sets the slice of a word of printable ASCII, if a space ends the word and the word is within its bound. */
    private static boolean word(
            MessageBatch batch, int message, int field, byte[] bytes, int start, int end, int to, TopicRule rule) {
        int length = end - start;
        if (end >= to || bytes[end] != ' ' || length < 1 || length > WORD_BYTES_MAX[field]) {
            return false;
        }
        if (length > 1 || bytes[start] != '-') {
            batch.slice(message, field, start, length);
            boolean topic = (field == MessageBatch.APP_NAME && rule != TopicRule.MSGID)
                    || (field == MessageBatch.MSG_ID && rule != TopicRule.APP_NAME);
            if (topic) {
                batch.slice(message, MessageBatch.TOPIC, start, length);
            }
        }
        return true;
    }

    /** Sets a slice unless it is the NILVALUE. */
    private static void slice(MessageBatch batch, int message, int field, byte[] bytes, int from, int to) {
        if (to - from > 1 || bytes[from] != '-') {
            batch.slice(message, field, from, to - from);
        }
    }
}
