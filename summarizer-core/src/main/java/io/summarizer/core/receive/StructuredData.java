package io.summarizer.core.receive;

import java.util.Arrays;

/**
 * Looks up parameters in a STRUCTURED-DATA slice (RFC 5424 6.3), and checks whether bytes are well-formed
 * STRUCTURED-DATA. Static and without allocation.
 *
 * <p>Beyond the RFC, a value may come without quotes, as VMware sends it:
 * {@code [Originator@6876 sub=Vimsvc user=root]}.
 */
public final class StructuredData {
    /** The result of {@link #find} for a parameter that is absent. */
    public static final long NOT_FOUND = -1;

    private static final int NAME_BYTES_MAX = 32;
    private static final int NONE = -1;

    private StructuredData() {}

    /**
     * Finds a parameter's value. If the parameter occurs several times, the first value counts.
     *
     * @param offset offset of a slice of well-formed STRUCTURED-DATA, as the envelope parser sets it
     * @param id SD-ID, like {@code ev@32473}
     * @param name PARAM-NAME
     * @return position of the value, to be read with {@link #offset}, {@link #length} and {@link #escaped}, or
     *     {@link #NOT_FOUND}
     */
    public static long find(byte[] bytes, int offset, int length, byte[] id, byte[] name) {
        int end = offset + length;
        int at = offset;
        while (at < end && bytes[at] == '[') {
            int idEnd = nameEnd(bytes, at + 1, end);
            boolean wanted = equal(bytes, at + 1, idEnd, id);
            at = idEnd;
            while (at < end && bytes[at] == ' ') {
                int nameAt = at + 1;
                int nameEnd = nameEnd(bytes, nameAt, end);
                int valueEnd = valueEnd(bytes, nameEnd + 1, end);
                if (valueEnd < 0) {
                    return NOT_FOUND;
                }
                if (wanted && equal(bytes, nameAt, nameEnd, name)) {
                    return value(bytes, nameEnd + 1, valueEnd);
                }
                at = valueEnd;
            }
            at++;
        }
        return NOT_FOUND;
    }

    /** Offset of a found value, without quotes. */
    public static int offset(long found) {
        return (int) (found >>> 32);
    }

    /** Length of a found value, without quotes, escapes included. */
    public static int length(long found) {
        return (int) found >>> 1;
    }

    /** Whether a value that was found has escapes. If so, {@link #unescape} gives other bytes than the value. */
    public static boolean escaped(long found) {
        return (found & 1) != 0;
    }

    /**
     * Copies a value and resolves the escapes {@code \"}, {@code \\} and {@code \]}. Keeps a backslash before any other
     * character, as RFC 5424 6.3.3 demands.
     *
     * @param target has room for {@code length} bytes from {@code targetOffset} on
     * @return bytes written
     */
    public static int unescape(byte[] bytes, int offset, int length, byte[] target, int targetOffset) {
        int end = offset + length;
        int to = targetOffset;
        for (int at = offset; at < end; at++) {
            if (bytes[at] == '\\' && at + 1 < end && isEscapable(bytes[at + 1])) {
                at++;
            }
            target[to++] = bytes[at];
        }
        return to - targetOffset;
    }

    /** End of the SD-ELEMENTs that start with the {@code [} at {@code from}; -1 when they are malformed. */
    static int end(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] == '[') {
            int nameEnd = checkedNameEnd(bytes, at + 1, to);
            if (nameEnd < 0) {
                return NONE;
            }
            at = nameEnd;
            while (at < to && bytes[at] == ' ') {
                nameEnd = checkedNameEnd(bytes, at + 1, to);
                if (nameEnd < 0 || nameEnd == to || bytes[nameEnd] != '=') {
                    return NONE;
                }
                at = valueEnd(bytes, nameEnd + 1, to);
                if (at < 0) {
                    return NONE;
                }
            }
            if (at >= to || bytes[at] != ']') {
                return NONE;
            }
            at++;
        }
        return at;
    }

    private static int checkedNameEnd(byte[] bytes, int from, int to) {
        int end = nameEnd(bytes, from, to);
        return end > from && end - from <= NAME_BYTES_MAX ? end : NONE;
    }

    /** End of an SD-NAME: printable ASCII without {@code =}, {@code ]} and {@code "}. */
    private static int nameEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to
                && bytes[at] > ' '
                && bytes[at] < 0x7f
                && bytes[at] != '='
                && bytes[at] != ']'
                && bytes[at] != '"') {
            at++;
        }
        return at;
    }

    /** End of a PARAM-VALUE, including its quotes; -1 when the value is malformed. */
    private static int valueEnd(byte[] bytes, int from, int to) {
        if (from >= to) {
            return NONE;
        }
        if (bytes[from] != '"') {
            return bareValueEnd(bytes, from, to);
        }
        for (int at = from + 1; at < to; at++) {
            byte b = bytes[at];
            if (b == '"') {
                return at + 1;
            }
            if (b == ']') {
                return NONE;
            }
            if (b == '\\' && at + 1 < to && isEscapable(bytes[at + 1])) {
                at++;
            }
        }
        return NONE;
    }

    private static int bareValueEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] > ' ' || bytes[at] < 0) && bytes[at] != ']' && bytes[at] != '"') {
            at++;
        }
        return at > from ? at : NONE;
    }

    private static long value(byte[] bytes, int from, int end) {
        if (bytes[from] != '"') {
            return found(from, end - from, false);
        }
        boolean escaped = false;
        for (int at = from + 1; at < end - 2 && !escaped; at++) {
            escaped = bytes[at] == '\\' && isEscapable(bytes[at + 1]);
        }
        return found(from + 1, end - from - 2, escaped);
    }

    private static long found(int offset, int length, boolean escaped) {
        return ((long) offset << 32) | ((long) length << 1) | (escaped ? 1 : 0);
    }

    private static boolean isEscapable(byte b) {
        return b == '"' || b == '\\' || b == ']';
    }

    private static boolean equal(byte[] bytes, int from, int to, byte[] other) {
        return Arrays.equals(bytes, from, to, other, 0, other.length);
    }
}
