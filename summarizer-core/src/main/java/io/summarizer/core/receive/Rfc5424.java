package io.summarizer.core.receive;

import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.MessageBatch;

/** The header of RFC 5424 behind its VERSION: five words, STRUCTURED-DATA, MSG. */
final class Rfc5424 {
    private static final int HOSTNAME_BYTES_MAX = 255;
    private static final int APP_NAME_BYTES_MAX = 48;
    private static final int PROCID_BYTES_MAX = 128;
    private static final int MSGID_BYTES_MAX = 32;

    private Rfc5424() {}

    /** Sets the message's slices, or returns false and sets none. */
    static boolean peel(MessageBatch batch, int message, byte[] bytes, int from, int to, TopicRule rule) {
        int timestampEnd = from < to && bytes[from] == '-' ? from + 1 : SyslogTime.rfc5424End(bytes, from, to);
        if (timestampEnd < 0 || timestampEnd >= to || bytes[timestampEnd] != ' ') {
            return false;
        }
        int host = timestampEnd + 1;
        int hostEnd = wordEnd(bytes, host, to, HOSTNAME_BYTES_MAX);
        if (hostEnd < 0) {
            return false;
        }
        int appName = hostEnd + 1;
        int appNameEnd = wordEnd(bytes, appName, to, APP_NAME_BYTES_MAX);
        if (appNameEnd < 0) {
            return false;
        }
        int procId = appNameEnd + 1;
        int procIdEnd = wordEnd(bytes, procId, to, PROCID_BYTES_MAX);
        if (procIdEnd < 0) {
            return false;
        }
        int msgId = procIdEnd + 1;
        int msgIdEnd = wordEnd(bytes, msgId, to, MSGID_BYTES_MAX);
        if (msgIdEnd < 0) {
            return false;
        }
        int data = msgIdEnd + 1;
        int dataEnd = dataEnd(bytes, data, to);
        if (dataEnd < 0 || (dataEnd < to && bytes[dataEnd] != ' ')) {
            return false;
        }
        slice(batch, message, MessageBatch.TIMESTAMP, bytes, from, timestampEnd);
        slice(batch, message, MessageBatch.HOST, bytes, host, hostEnd);
        boolean hasAppName = slice(batch, message, MessageBatch.APP_NAME, bytes, appName, appNameEnd);
        slice(batch, message, MessageBatch.PROC_ID, bytes, procId, procIdEnd);
        boolean hasMsgId = slice(batch, message, MessageBatch.MSG_ID, bytes, msgId, msgIdEnd);
        slice(batch, message, MessageBatch.STRUCTURED_DATA, bytes, data, dataEnd);
        if (hasMsgId && rule != TopicRule.APP_NAME) {
            batch.slice(message, MessageBatch.TOPIC, msgId, msgIdEnd - msgId);
        } else if (hasAppName && rule != TopicRule.MSGID) {
            batch.slice(message, MessageBatch.TOPIC, appName, appNameEnd - appName);
        }
        EnvelopeParser.payload(batch, message, bytes, Math.min(dataEnd + 1, to), to);
        return true;
    }

    /** End of a word of 1 to {@code bytesMax} printable ASCII characters with a space behind; -1 when it is not one. */
    private static int wordEnd(byte[] bytes, int from, int to, int bytesMax) {
        int end = Swar.printableEnd(bytes, from, to);
        return end < to && bytes[end] == ' ' && end > from && end - from <= bytesMax ? end : -1;
    }

    private static int dataEnd(byte[] bytes, int from, int to) {
        if (from == to) {
            return -1;
        }
        return switch (bytes[from]) {
            case '-' -> from + 1;
            case '[' -> StructuredData.end(bytes, from, to);
            default -> -1;
        };
    }

    /** Sets a slice unless it is the NILVALUE. */
    private static boolean slice(MessageBatch batch, int message, int field, byte[] bytes, int from, int to) {
        if (to - from == 1 && bytes[from] == '-') {
            return false;
        }
        batch.slice(message, field, from, to - from);
        return true;
    }
}
