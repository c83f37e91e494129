package io.summarizer.core.bytes;

/**
 * Searches byte arrays eight bytes at a time (SIMD within a register: Lamport 1975; Warren, Hacker's Delight, 6-1).
 * Words are little-endian, so the lowest set bit of a result belongs to the first byte.
 */
public final class Swar {
    /** A word with 1 in each byte. Its product with a byte is a word that repeats the byte. */
    public static final long ONES = 0x0101010101010101L;

    /** The highest bit of each byte. */
    public static final long HIGHS = 0x8080808080808080L;

    private static final long LF_PATTERN = '\n' * ONES;
    private static final long QUOTE_PATTERN = '"' * ONES;
    private static final long BACKSLASH_PATTERN = '\\' * ONES;

    private Swar() {}

    /** Position of the first LF in {@code [from, to)}, -1 when there is none. */
    public static int indexOfLf(byte[] bytes, int from, int to) {
        int at = from;
        for (int last = to - 32; at <= last; at += 32) {
            long a = zeroes(Bytes.getLong(bytes, at) ^ LF_PATTERN);
            long b = zeroes(Bytes.getLong(bytes, at + 8) ^ LF_PATTERN);
            long c = zeroes(Bytes.getLong(bytes, at + 16) ^ LF_PATTERN);
            long d = zeroes(Bytes.getLong(bytes, at + 24) ^ LF_PATTERN);
            if ((a | b | c | d) != 0) {
                if ((a | b) != 0) {
                    return a != 0 ? at + firstByte(a) : at + 8 + firstByte(b);
                }
                return c != 0 ? at + 16 + firstByte(c) : at + 24 + firstByte(d);
            }
        }
        for (int last = to - 8; at <= last; at += 8) {
            long found = zeroes(Bytes.getLong(bytes, at) ^ LF_PATTERN);
            if (found != 0) {
                return at + firstByte(found);
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == '\n') {
                return at;
            }
        }
        return -1;
    }

    /** Position of the first byte {@code wanted} in {@code [from, to)}, -1 when there is none. */
    public static int indexOf(byte wanted, byte[] bytes, int from, int to) {
        long pattern = (wanted & 0xff) * ONES;
        int at = from;
        for (int last = Math.min(bytes.length, to + 7) - 8; at <= last; at += 8) {
            long found = zeroes(Bytes.getLong(bytes, at) ^ pattern);
            if (found != 0) {
                int first = at + firstByte(found);
                return first < to ? first : -1;
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == wanted) {
                return at;
            }
        }
        return -1;
    }

    /** Position of the first quote, backslash or byte below 32 in {@code [from, to)}, -1 when there is none. */
    public static int indexOfQuoteBackslashOrControl(byte[] bytes, int from, int to) {
        int at = from;
        for (int last = Math.min(bytes.length, to + 7) - 8; at <= last; at += 8) {
            long word = Bytes.getLong(bytes, at);
            long found = zeroes(word ^ QUOTE_PATTERN) | zeroes(word ^ BACKSLASH_PATTERN) | controls(word);
            if (found != 0) {
                int first = at + firstByte(found);
                return first < to ? first : -1;
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == '"' || bytes[at] == '\\' || (bytes[at] >= 0 && bytes[at] < ' ')) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Position of the first quote, backslash, byte below 32 or byte above 127 in {@code [from, to)}, -1 when there is
     * none.
     */
    public static int indexOfStringEndOrNonAscii(byte[] bytes, int from, int to) {
        int at = from;
        for (int last = Math.min(bytes.length, to + 7) - 8; at <= last; at += 8) {
            long word = Bytes.getLong(bytes, at);
            // Works like zeroes() and controls(), but does not exclude bytes above 127, because they are wanted, too.
            long found = (((word ^ QUOTE_PATTERN) - ONES)
                            | ((word ^ BACKSLASH_PATTERN) - ONES)
                            | (word - 0x20 * ONES)
                            | word)
                    & HIGHS;
            if (found != 0) {
                int first = at + firstByte(found);
                return first < to ? first : -1;
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == '"' || bytes[at] == '\\' || bytes[at] < ' ') {
                return at;
            }
        }
        return -1;
    }

    /** A word with a high bit for each byte that is not printable ASCII (33 to 126); all other bits are 0. */
    public static long notPrintable(long word) {
        long low = word & ~HIGHS;
        // The three terms find bytes up to 32, 127, and above 127. They are exact, because no sum carries into the next
        // byte.
        return (~(low + 0x5f * ONES) | (low + ONES) | word) & HIGHS;
    }

    /** Index (0 to 7) of the first byte with its high bit set, 8 when there is none. */
    public static int firstByte(long highBits) {
        return Long.numberOfTrailingZeros(highBits) >>> 3;
    }

    /**
     * A word whose lowest set high bit marks the first zero byte. The bits of later bytes may be wrong, which does not
     * matter in a search for the first zero byte.
     */
    public static long zeroes(long word) {
        return (word - ONES) & ~word & HIGHS;
    }

    /** A word whose lowest 1 bit is the high bit of the first byte below 32. The bits of later bytes may be wrong. */
    private static long controls(long word) {
        return (word - 0x20 * ONES) & ~word & HIGHS;
    }
}
