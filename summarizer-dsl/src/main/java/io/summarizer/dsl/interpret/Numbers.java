package io.summarizer.dsl.interpret;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Arithmetic between the number types, exact where Java's own conversions would round. */
final class Numbers {
    static final long MICROS = 1_000_000;

    private static final double TWO_63 = 0x1p63;
    /** From here on doubles are integers. */
    private static final double TWO_52 = 0x1p52;

    private Numbers() {}

    /** Compares an integer with a double (not NaN) by their exact values. */
    static int compare(long a, double b) {
        if (b >= TWO_63) {
            return -1;
        }
        if (b < -TWO_63) {
            return 1;
        }
        long floor = (long) Math.floor(b);
        return a != floor ? Long.compare(a, floor) : b > floor ? -1 : 0;
    }

    /** Compares an unsigned integer with a double (not NaN) by their exact values. */
    static int compareUnsigned(long a, double b) {
        if (a >= 0) {
            return compare(a, b);
        }
        if (b >= 2 * TWO_63) {
            return -1;
        }
        if (b < TWO_63) {
            return 1;
        }
        // Doubles of this size are integers, so they fit in 64 bits without loss.
        return Long.compareUnsigned(a, (long) (b - TWO_63) + Long.MIN_VALUE);
    }

    /** Compares a signed with an unsigned integer. */
    static int compareSignedUnsigned(long signed, long unsigned) {
        return signed < 0 || unsigned < 0 ? -1 : Long.compare(signed, unsigned);
    }

    /** The value of an unsigned integer, rounded to a double. */
    static double unsignedToDouble(long unsigned) {
        if (unsigned >= 0) {
            return unsigned;
        }
        // Halve, keeping a sticky last bit so that the rounding is that of the whole.
        return ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
    }

    /** An integer in millionths, saturated. */
    static long toMicros(long value) {
        long micros = value * MICROS;
        return Math.multiplyHigh(value, MICROS) == micros >> 63 ? micros : value < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** A finite double in millionths, rounded half away from zero by its exact value, saturated. */
    static long toMicros(double value) {
        double magnitude = Math.abs(value);
        double product = magnitude * MICROS;
        if (product >= TWO_52) {
            return new BigDecimal(value)
                    .movePointRight(6)
                    .setScale(0, RoundingMode.HALF_UP)
                    .min(BigDecimal.valueOf(Long.MAX_VALUE))
                    .max(BigDecimal.valueOf(Long.MIN_VALUE))
                    .longValueExact();
        }
        // product + error is the exact product, so the half is decided on that.
        double error = Math.fma(magnitude, MICROS, -product);
        long floor = (long) product;
        double aboveHalf = product - floor - 0.5;
        long rounded = aboveHalf >= -error ? floor + 1 : floor;
        return value < 0 ? -rounded : rounded;
    }
}
