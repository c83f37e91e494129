package io.summarizer.core.text;

import java.nio.charset.StandardCharsets;

/**
 * A scanner of decimal numbers: {@code [+-] digits [. digits] [e [+-] digits]}, with at least one digit before the
 * exponent. The scanner refuses text with other bytes before or after the number, and words such as {@code NaN}.
 *
 * <p>{@link #scan} reads the text once, into a sign, up to 19 significant digits and a decimal exponent. The
 * conversions start from these three values, and are exact, however long the text is. Not thread-safe. A scanner can be
 * reused without allocation.
 */
public final class DecimalText {
    /** The result for a scaled number that does not fit int64. The least int64 itself also counts as too large. */
    public static final long TOO_LARGE = Long.MIN_VALUE;

    /** Powers of ten that fit 64 bits. The last power fits only as an unsigned number. */
    private static final long[] POWERS = new long[20];

    private static final int LAST_SIGNED_POWER = 18;

    /** Powers of ten that a double holds exactly. */
    private static final double[] EXACT_POWERS = new double[23];

    private static final int MAX_DIGITS = 19;
    private static final int EXPONENT_LIMIT = 1_000_000_000;

    static {
        long power = 1;
        for (int i = 0; i < POWERS.length; i++) {
            POWERS[i] = power;
            power *= 10;
        }
        for (int i = 0; i < EXACT_POWERS.length; i++) {
            EXACT_POWERS[i] = Double.parseDouble("1e" + i);
        }
    }

    // The number is (-1)^negative * (mantissa + dropped) * 10^exponent, 0 <= dropped < 1; the mantissa is unsigned.
    private boolean negative;
    private long mantissa;
    private int exponent;
    private int firstDropped;
    private boolean moreDropped;

    private byte[] source = new byte[0];
    private int from;
    private int to;
    private long value;

    /** Reads the text from {@code from} to {@code to}. Returns true only if the whole text is a number. */
    public boolean scan(byte[] bytes, int from, int to) {
        source = bytes;
        this.from = from;
        this.to = to;
        firstDropped = 0;
        moreDropped = false;
        int at = from;
        negative = false;
        if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at++] == '-';
        }
        int digitsFrom = at;
        // Eighteen digits cannot overflow, so these two loops read most numbers completely.
        long m = 0;
        int quick = Math.min(to, at + 18);
        int digit;
        while (at < quick && (digit = bytes[at] - '0') >= 0 && digit <= 9) {
            m = m * 10 + digit;
            at++;
        }
        int digits = at - digitsFrom;
        int scale = 0;
        if (at < quick && bytes[at] == '.') {
            int pointAt = at++;
            quick = Math.min(to, pointAt + 1 + 18 - digits);
            while (at < quick && (digit = bytes[at] - '0') >= 0 && digit <= 9) {
                m = m * 10 + digit;
                at++;
            }
            scale = at - pointAt - 1;
            digits += scale;
        }
        if (at == to) {
            mantissa = m;
            exponent = -scale;
            return digits > 0;
        }
        return scanCarefully(digitsFrom);
    }

    /** Does the same as {@link #scan} for all numbers, including numbers with many digits or an exponent. */
    private boolean scanCarefully(int digitsFrom) {
        byte[] bytes = source;
        int at = digitsFrom;
        long m = 0;
        int significant = 0;
        int dropped = 0;
        int e = 0;
        boolean any = false;
        boolean fraction = false;
        for (; at < to; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                any = true;
                if (significant < MAX_DIGITS) {
                    m = m * 10 + digit;
                    significant += m == 0 ? 0 : 1;
                    e -= fraction ? 1 : 0;
                } else {
                    if (dropped == 0) {
                        firstDropped = digit;
                        dropped = 1;
                    } else if (digit != 0) {
                        moreDropped = true;
                    }
                    e += fraction ? 0 : 1;
                }
            } else if (digit == '.' - '0' && !fraction) {
                fraction = true;
            } else {
                break;
            }
        }
        if (!any) {
            return false;
        }
        if (at < to && (bytes[at] | 0x20) == 'e') {
            at++;
            boolean down = false;
            if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
                down = bytes[at++] == '-';
            }
            if (at == to) {
                return false;
            }
            int given = 0;
            for (; at < to; at++) {
                int digit = bytes[at] - '0';
                if (digit < 0 || digit > 9) {
                    return false;
                }
                given = (int) Math.min(EXPONENT_LIMIT, given * 10L + digit);
            }
            e += down ? -given : given;
        }
        mantissa = m;
        exponent = e;
        return at == to;
    }

    /** Whether the number is an integer that fits int64. If so, {@link #value()} returns the integer. */
    public boolean toInt64() {
        if (!toMagnitude()) {
            return false;
        }
        if (negative) {
            value = -value;
            return value <= 0; // 2^63 negates to itself
        }
        return value >= 0;
    }

    /** Whether the number is an integer that fits uint64. If so, {@link #value()} returns its bits. */
    public boolean toUint64() {
        return toMagnitude() && (!negative || value == 0);
    }

    /** Result of the last successful {@link #toInt64()} or {@link #toUint64()}. */
    public long value() {
        return value;
    }

    private boolean toMagnitude() {
        long m = mantissa;
        int e = exponent;
        value = m;
        if (m == 0) {
            return true;
        }
        if (e <= 0) {
            if (firstDropped != 0 || moreDropped) {
                return false;
            }
            if (e == 0) {
                return true;
            }
            if (e <= -POWERS.length) {
                return false;
            }
            long power = POWERS[-e];
            value = Long.divideUnsigned(m, power);
            return value * power == m;
        }
        if (e >= POWERS.length || moreDropped) {
            // scan() drops digits only after the first 19. If it dropped more than one digit, the number is therefore
            // at least 10^20, or has a fraction.
            return false;
        }
        long power = POWERS[e];
        long low = m * power;
        long high = Math.multiplyHigh(m, power) + (m < 0 ? power : 0) + (power < 0 ? m : 0);
        // When a digit was dropped, the result can fit only if e == 1.
        value = low + firstDropped;
        return high == 0 && Long.compareUnsigned(value, low) >= 0;
    }

    /**
     * The number times 10^{@code places}, rounded half away from zero to an integer; {@link #TOO_LARGE} when it does
     * not fit int64. Currency is read with 6 places.
     */
    public long toScaled(int places) {
        return toScaled(places, false);
    }

    /**
     * The number times 10^{@code places}, rounded down to an integer, or {@link #TOO_LARGE}. With 3 places, this method
     * turns milliseconds into µs.
     */
    public long toScaledFloor(int places) {
        return toScaled(places, true);
    }

    private long toScaled(int places, boolean floor) {
        long m = mantissa;
        int e = exponent + places;
        long magnitude;
        if (m == 0) {
            return 0;
        }
        if (e == 0) {
            boolean up = floor ? negative && (firstDropped != 0 || moreDropped) : firstDropped >= 5;
            magnitude = up ? m + 1 : m;
        } else if (e > 0) {
            if (e > LAST_SIGNED_POWER || m < 0 || Math.multiplyHigh(m, POWERS[e]) != 0) {
                return TOO_LARGE;
            }
            magnitude = m * POWERS[e];
        } else if (-e <= LAST_SIGNED_POWER) {
            // The divisor is even, so dropped digits cannot decide whether the rest is at least a half.
            long power = POWERS[-e];
            magnitude = Long.divideUnsigned(m, power);
            long rest = m - magnitude * power;
            boolean up = floor ? negative && (rest != 0 || firstDropped != 0 || moreDropped) : rest >= power - rest;
            magnitude += up ? 1 : 0;
        } else if (floor) {
            magnitude = negative ? 1 : 0;
        } else {
            // less than 1, and less than a half from 10^-20 on
            magnitude =
                    -e == LAST_SIGNED_POWER + 1 && Long.compareUnsigned(m, 5 * POWERS[LAST_SIGNED_POWER]) >= 0 ? 1 : 0;
        }
        if (magnitude < 0) {
            return TOO_LARGE;
        }
        return negative ? -magnitude : magnitude;
    }

    /**
     * The nearest double; infinite when the number is too large. For a number of up to 15 digits with a small exponent,
     * one operation on exact doubles is enough (W. D. Clinger, "How to read floating point numbers accurately", PLDI
     * 1990). For other numbers, this method allocates memory.
     */
    public double toDouble() {
        long m = mantissa;
        int e = exponent;
        if (m >= 0 && m <= 1L << 53 && firstDropped == 0 && !moreDropped && e >= -22 && e <= 22) {
            double magnitude = e < 0 ? m / EXACT_POWERS[-e] : m * EXACT_POWERS[e];
            return negative ? -magnitude : magnitude;
        }
        return Double.parseDouble(new String(source, from, to - from, StandardCharsets.ISO_8859_1));
    }
}
