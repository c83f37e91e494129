package io.summarizer.core.text;

import io.summarizer.core.bytes.Swar;

/**
 * Reads decimal digits of ASCII text, eight at a time. A word holds eight bytes of text; the first byte is the lowest
 * ({@link io.summarizer.core.bytes.Bytes#getLong}). Numbers in the stream differ in length, so the processor would
 * nearly always mispredict the end of a loop over their digits. This code has no branches; it follows D. Lemire,
 * "Quickly parsing eight digits" (2018).
 */
public final class Digits {
    /** Digits that a word holds. */
    public static final int WORD = 8;

    private static final long ZEROES = 0x3030303030303030L;
    private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private Digits() {}

    /** Whether a byte is a digit. */
    public static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Value of the digits from {@code from} to {@code to}, read one by one; 0 when there are none. */
    public static int number(byte[] bytes, int from, int to) {
        int value = 0;
        for (int at = from; at < to; at++) {
            value = value * 10 + (bytes[at] - '0');
        }
        return value;
    }

    /** Number of digits at the start of the word, 0 to 8. */
    public static int count(long word) {
        // The xor turns a digit into 0 to 9. A carry disturbs only bytes after the first byte that is no digit.
        long x = word ^ ZEROES;
        return Long.numberOfTrailingZeros((x + 0x7676767676767676L | x) & Swar.HIGHS) >>> 3;
    }

    /** Value of the first {@code count} bytes of the word, which must be digits; 0 when {@code count} is 0. */
    public static long value(long word, int count) {
        // The shifts put zeroes first and the last digit highest. Two shifts are necessary, because in Java, a shift by
        // 64 is a shift by 0.
        int shift = 32 - 4 * count;
        long x = (word ^ ZEROES) << shift << shift;
        x = (x * 10 + (x >>> 8)) & 0x00ff00ff00ff00ffL;
        x = (x * 100 + (x >>> 16)) & 0x0000ffff0000ffffL;
        return (x * 10_000 + (x >>> 32)) & 0xffffffffL;
    }

    /** 10 to the power of {@code exponent}, 0 to 8. */
    public static long power(int exponent) {
        return POWERS[exponent];
    }
}
