package io.summarizer.core.receive;

import java.nio.charset.StandardCharsets;

/**
 * Describes the error in a header that {@link EnvelopeParser} rejects. The parser itself does not record which rule was
 * broken. Simple rather than fast, because it describes single messages, for {@code explain} and the log. Stateless.
 */
public final class EnvelopeFault {
    private static final int NONE = -1;
    private static final int PRI_MAX = 191;
    private static final int TEXT_BYTES_MAX = 40;
    private static final String[] WORDS = {"HOSTNAME", "APP-NAME", "PROCID", "MSGID"};
    private static final int[] WORD_BYTES_MAX = {255, TopicRule.TOPIC_BYTES_MAX, 128, TopicRule.TOPIC_BYTES_MAX};

    private EnvelopeFault() {}

    /**
     * The first violation of the grammar of RFC 5424, and the position in the message, from 0, of the byte that
     * violates it.
     *
     * @return an empty text when there is none
     */
    public static String describe(byte[] bytes, int from, int to) {
        int at = header(bytes, from, to);
        if (at < 0) {
            return "";
        }
        int digits = digitsFrom(bytes, from, to);
        int priEnd = digitsEnd(bytes, digits, to);
        if (bytes[digits] == '0' && priEnd - digits > 1) {
            return "PRI has a leading zero" + at(digits, from);
        }
        if (Integer.parseInt(text(bytes, digits, priEnd)) > PRI_MAX) {
            return "PRI " + text(bytes, digits, priEnd) + " is above " + PRI_MAX + at(digits, from);
        }
        int timestampEnd = at < to && bytes[at] == '-' ? at + 1 : SyslogTime.rfc5424End(bytes, at, to);
        if (timestampEnd < 0 || (timestampEnd < to && bytes[timestampEnd] != ' ')) {
            return "TIMESTAMP \"" + text(bytes, at, wordEnd(bytes, at, to)) + "\" is not as RFC 5424 has it"
                    + at(at, from);
        }
        if (timestampEnd == to) {
            return "the message ends after TIMESTAMP" + at(to, from);
        }
        at = timestampEnd + 1;
        for (int word = 0; word < WORDS.length; word++) {
            int end = wordEnd(bytes, at, to);
            if (end == to) {
                return "the message ends where " + WORDS[word] + " and a space should be" + at(at, from);
            }
            if (bytes[end] != ' ') {
                return WORDS[word] + " has a byte that is not printable ASCII" + at(end, from);
            }
            if (end == at) {
                return WORDS[word] + " is empty; - says that there is none" + at(at, from);
            }
            if (end - at > WORD_BYTES_MAX[word]) {
                return WORDS[word] + " has " + (end - at) + " bytes, at most " + WORD_BYTES_MAX[word] + at(at, from);
            }
            at = end + 1;
        }
        return structuredData(bytes, at, from, to);
    }

    private static String structuredData(byte[] bytes, int start, int from, int to) {
        if (start == to) {
            return "the message ends where STRUCTURED-DATA should be" + at(start, from);
        }
        int end = start + 1;
        if (bytes[start] == '[') {
            end = StructuredData.end(bytes, start, to);
            if (end < 0) {
                return "STRUCTURED-DATA is malformed: \"" + text(bytes, start, to) + '"' + at(start, from);
            }
        } else if (bytes[start] != '-') {
            return "STRUCTURED-DATA is neither - nor [...]: \"" + text(bytes, start, to) + '"' + at(start, from);
        }
        return end < to && bytes[end] != ' ' ? "there is no space after STRUCTURED-DATA" + at(end, from) : "";
    }

    /** Start of the header after {@code <PRI>VERSION }; -1 when the message does not begin with PRI and VERSION. */
    static int header(byte[] bytes, int from, int to) {
        int digits = digitsFrom(bytes, from, to);
        if (digits < 0) {
            return NONE;
        }
        int end = digitsEnd(bytes, digits, to);
        return end > digits && end < to && bytes[end] == '>' ? EnvelopeParser.versionEnd(bytes, end + 1, to) : NONE;
    }

    /** Start of the digits of PRI; some devices send a space before them. */
    private static int digitsFrom(byte[] bytes, int from, int to) {
        int at = to - from > 1 && bytes[from] == ' ' && bytes[from + 1] == '<' ? from + 1 : from;
        return at < to && bytes[at] == '<' ? at + 1 : NONE;
    }

    private static int digitsEnd(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && end < from + 3 && bytes[end] >= '0' && bytes[end] <= '9') {
            end++;
        }
        return end;
    }

    private static int wordEnd(byte[] bytes, int from, int to) {
        int end = from;
        while (end < to && bytes[end] > ' ' && bytes[end] != 0x7f) {
            end++;
        }
        return end;
    }

    private static String text(byte[] bytes, int from, int to) {
        int end = Math.min(to, from + TEXT_BYTES_MAX);
        return new String(bytes, from, end - from, StandardCharsets.UTF_8) + (end < to ? "..." : "");
    }

    private static String at(int position, int from) {
        return " (byte " + (position - from) + ")";
    }
}
