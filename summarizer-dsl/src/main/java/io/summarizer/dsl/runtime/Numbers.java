package io.summarizer.dsl.runtime;

import io.summarizer.core.text.DecimalText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Arithmetic between the number types, exact where Java's own conversions would round. */
public final class Numbers {
    private static final long MICROS = 1_000_000;
    /** Number of decimal places of an amount. */
    private static final int CURRENCY_PLACES = 6;
    /** Integers from this number's negation to this number are doubles. */
    private static final long EXACT_DOUBLES = 1L << 53;

    private static final double TWO_63 = 0x1p63;
    /** Doubles of at least this size are integers. */
    private static final double TWO_52 = 0x1p52;

    private Numbers() {}

    /** Compares an integer with a double (not NaN) by their exact values. */
    public static int compare(long a, double b) {
        if (b >= TWO_63) {
            return -1;
        }
        if (b < -TWO_63) {
            return 1;
        }
        long floor = (long) Math.floor(b);
        return a != floor ? Long.compare(a, floor) : b > floor ? -1 : 0;
    }

    /** Compares an integer of 128 bits, given in two halves, with a double (not NaN) by their exact values. */
    public static int compare(long low, long high, double b) {
        if (high == low >> 63) {
            return compare(low, b);
        }
        if (Math.abs(b) < TWO_63) {
            return high < 0 ? -1 : 1;
        }
        return wide(low, high).compareTo(new BigDecimal(b).toBigInteger());
    }

    /** The double nearest to an amount, given in millionths as an integer of 128 bits. */
    public static double amount(long low, long high) {
        boolean isExact = high == low >> 63 && low >= -EXACT_DOUBLES && low <= EXACT_DOUBLES;
        return isExact ? low / 1e6 : new BigDecimal(wide(low, high), CURRENCY_PLACES).doubleValue();
    }

    private static BigInteger wide(long low, long high) {
        return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(new BigInteger(Long.toUnsignedString(low)));
    }

    /** Compares an unsigned integer with a double (not NaN) by their exact values. */
    public static int compareUnsigned(long a, double b) {
        if (a >= 0) {
            return compare(a, b);
        }
        if (b >= 2 * TWO_63) {
            return -1;
        }
        if (b < TWO_63) {
            return 1;
        }
        // Doubles of this size are integers, so they can be converted to 64 bits without loss.
        return Long.compareUnsigned(a, (long) (b - TWO_63) + Long.MIN_VALUE);
    }

    /** Compares a signed with an unsigned integer. */
    public static int compareSignedUnsigned(long signed, long unsigned) {
        return signed < 0 || unsigned < 0 ? -1 : Long.compare(signed, unsigned);
    }

    /** The value of an unsigned integer, rounded to a double. */
    public static double unsignedToDouble(long unsigned) {
        if (unsigned >= 0) {
            return unsigned;
        }
        // Halve the number, and combine the lost bit with the last bit of the half. The half is then rounded as the
        // whole number would be.
        return ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
    }

    /**
     * Stands for an amount whose millionths do not fit int64. The constant is the least int64. Therefore, an amount
     * with exactly this number of millionths also counts as one that does not fit.
     */
    public static final long NO_AMOUNT = DecimalText.TOO_LARGE;

    /** An integer in millionths, or {@link #NO_AMOUNT}. */
    public static long toMicros(long value) {
        return multiplyOverflows(value, MICROS) ? NO_AMOUNT : value * MICROS;
    }

    /** A finite double in millionths, or {@link #NO_AMOUNT}. The exact value is rounded half away from zero. */
    public static long toMicros(double value) {
        double magnitude = Math.abs(value);
        double product = magnitude * MICROS;
        if (product >= TWO_52) {
            return toMicros(new BigDecimal(value));
        }
        // product + error is the exact product, so this sum decides how a half is rounded.
        double error = Math.fma(magnitude, MICROS, -product);
        long floor = (long) product;
        double aboveHalf = product - floor - 0.5;
        long rounded = aboveHalf >= -error ? floor + 1 : floor;
        return value < 0 ? -rounded : rounded;
    }

    /** An amount in millionths, rounded half away from zero, or {@link #NO_AMOUNT}. */
    public static long toMicros(BigDecimal value) {
        BigInteger micros = value.setScale(6, RoundingMode.HALF_UP).unscaledValue();
        return micros.bitLength() < Long.SIZE ? micros.longValueExact() : NO_AMOUNT;
    }

    /** Whether {@code a + b} is beyond int64. */
    public static boolean addOverflows(long a, long b) {
        long sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0;
    }

    /** Whether {@code a - b} is beyond int64. */
    public static boolean subtractOverflows(long a, long b) {
        return ((a ^ b) & (a ^ (a - b))) < 0;
    }

    /** Whether {@code a * b} is beyond int64. */
    public static boolean multiplyOverflows(long a, long b) {
        return Math.multiplyHigh(a, b) != (a * b) >> 63;
    }

    /** Whether a double without its fraction is within int64. */
    public static boolean isWithinLong(double value) {
        return value >= -TWO_63 && value < TWO_63;
    }

    /** Start of a time's bucket, for buckets of this width; all in µs. */
    public static long bucket(long at, long width) {
        return Math.floorDiv(at, width) * width;
    }

    /**
     * Whether {@link #bucket} has no result: the width is not positive, or the bucket would start before the first
     * possible time.
     */
    public static boolean hasNoBucket(long at, long width) {
        return width <= 0 || bucket(at, width) > at;
    }

    /** An unsigned integer in millionths, or {@link #NO_AMOUNT}. */
    public static long unsignedToMicros(long value) {
        return value < 0 ? NO_AMOUNT : toMicros(value);
    }

    /** Epoch milliseconds in µs, rounded. The caller checks the result with {@link #isWithinTimes}. */
    public static double millisToMicros(double millis) {
        return Math.rint(millis * 1000);
    }

    /** Whether a number of µs is a valid time. */
    public static boolean isWithinTimes(double micros) {
        return Math.abs(micros) < TWO_63;
    }
}
