package io.summarizer.core.bytes;

/**
 * Searches over byte arrays that look at eight bytes at a time (SIMD within a register: Lamport 1975; Warren, Hacker's
 * Delight, 6-1). Words are little-endian, so the lowest set bit of a result belongs to the first byte.
 *
 * <p>A search may read bytes behind its end, never behind the array; what they hold does not change the answer.
 */
public final class Swar {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long LF_PATTERN = '\n' * ONES;

    private Swar() {}

    /** Position of the first LF in {@code [from, to)}, -1 when there is none. */
    public static int indexOfLf(byte[] bytes, int from, int to) {
        int at = from;
        // Four words a turn: one branch for 32 bytes, and the words do not wait for each other.
        for (int last = to - 32; at <= last; at += 32) {
            long a = zeroes(Bytes.getLong(bytes, at) ^ LF_PATTERN);
            long b = zeroes(Bytes.getLong(bytes, at + 8) ^ LF_PATTERN);
            long c = zeroes(Bytes.getLong(bytes, at + 16) ^ LF_PATTERN);
            long d = zeroes(Bytes.getLong(bytes, at + 24) ^ LF_PATTERN);
            if ((a | b | c | d) != 0) {
                if (a != 0) {
                    return at + firstByte(a);
                }
                if (b != 0) {
                    return at + 8 + firstByte(b);
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

    /** Position of the first byte in {@code [from, to)} that is not printable ASCII (33 to 126), {@code to} if none. */
    public static int printableEnd(byte[] bytes, int from, int to) {
        int at = from;
        for (int last = bytes.length - 8; at <= last; at += 8) {
            if (at >= to) {
                return to;
            }
            long word = Bytes.getLong(bytes, at);
            long low = word & ~HIGHS;
            // Exact for each byte, since no sum below carries into the next one: > 32, == 127, > 127.
            long found = (~(low + 0x5f * ONES) | (low + ONES) | word) & HIGHS;
            if (found != 0) {
                return Math.min(at + firstByte(found), to);
            }
        }
        for (; at < to; at++) {
            if (bytes[at] <= ' ' || bytes[at] == 0x7f) {
                return at;
            }
        }
        return to;
    }

    /** High bit set in the first zero byte; later ones may be wrong, which a search for the first does not mind. */
    private static long zeroes(long word) {
        return (word - ONES) & ~word & HIGHS;
    }

    private static int firstByte(long found) {
        return Long.numberOfTrailingZeros(found) >>> 3;
    }
}
