package io.summarizer.core.export;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;
import io.summarizer.core.bytes.Bytes;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Writes numbers as ASCII at a given place, without a branch per digit. Each method returns the place after the field.
 * A method may overwrite up to {@value #SLACK} bytes beyond this place.
 *
 * <p>Three multiplications, each on several parts of a word at once, make eight digits (SIMD within a register, after
 * P. Khuong, "How to print integers really fast", 2017). Leading zeros are then shifted out. Stateless. Allocates only
 * for doubles with more than 15 digits or an exponent, and for sums of more than 64 bits.
 */
public final class CsvFields {
    /** Bytes that may be written beyond the end of a field. */
    static final int SLACK = 16;
    /** Upper bound on the bytes of a number, time or bool. */
    public static final int LONGEST = 48;

    private static final long E4 = 10_000;
    private static final long E8 = 100_000_000;
    private static final long E16 = E8 * E8;
    private static final long MILLION = 1_000_000;
    private static final long ZEROES = 0x3030303030303030L;
    /** Largest integer that a spreadsheet shows in full. Spreadsheets show 15 digits. */
    private static final long SPREADSHEET_MAX = 999_999_999_999_999L;

    private static final int TRUE = 't' | 'r' << 8 | 'u' << 16 | 'e' << 24;
    private static final int FALS = 'f' | 'a' << 8 | 'l' << 16 | 's' << 24;
    private static final int NULL = 'n' | 'u' << 8 | 'l' << 16 | 'l' << 24;

    private CsvFields() {}

    /** Puts a signed integer. */
    public static int putLong(byte[] to, int at, long value) {
        if (value >= 0) {
            return putUnsignedLong(to, at, value);
        }
        to[at] = '-';
        // negating the smallest long does not change it, but as an unsigned number it is the magnitude
        return putUnsignedLong(to, at + 1, -value);
    }

    /** Puts a signed integer of 128 bits, given in two halves. */
    public static int putSum(byte[] to, int at, long low, long high) {
        return high == low >> 63
                ? putLong(to, at, low)
                : putAscii(to, at, wide(low, high).toString());
    }

    /** Puts a sum of millionths like {@link #putSum}, with all six decimal places. */
    public static int putMillionths(byte[] to, int at, long low, long high) {
        return high == low >> 63
                ? putMillionths(to, at, low)
                : putAscii(to, at, new BigDecimal(wide(low, high), 6).toPlainString());
    }

    /**
     * Puts a sum in the form of {@link #putSum}, or as text when a spreadsheet would not show all digits of the sum.
     */
    public static int putSpreadsheetSum(byte[] to, int at, long low, long high) {
        return high == low >> 63
                ? putSpreadsheetLong(to, at, low)
                : closeText(to, putSum(to, openText(to, at), low, high));
    }

    private static BigInteger wide(long low, long high) {
        return BigInteger.valueOf(high).shiftLeft(Long.SIZE).add(new BigInteger(Long.toUnsignedString(low)));
    }

    /** Puts an unsigned integer. */
    public static int putUnsignedLong(byte[] to, int at, long value) {
        if (value >>> 1 < E8 / 2) {
            return putShort(to, at, (int) value);
        }
        if (value >= 0 && value < E16) {
            long high = value / E8;
            int next = putShort(to, at, (int) high);
            return putEight(to, next, (int) (value - high * E8));
        }
        long high = value >= 0 ? value / E16 : Long.divideUnsigned(value, E16);
        long low = value - high * E16;
        long middle = low / E8;
        int next = putShort(to, at, (int) high);
        next = putEight(to, next, (int) middle);
        return putEight(to, next, (int) (low - middle * E8));
    }

    /** Puts a number of millionths, with all six places. */
    public static int putMillionths(byte[] to, int at, long value) {
        int next = at;
        long magnitude = value;
        if (value < 0) {
            to[next++] = '-';
            magnitude = -value;
        }
        long units = magnitude >= 0 ? magnitude / MILLION : Long.divideUnsigned(magnitude, MILLION);
        next = putUnsignedLong(to, next, units);
        to[next] = '.';
        putEight(to, next + 1, (int) (magnitude - units * MILLION) * 100);
        return next + 7;
    }

    /** Puts a signed integer, as text when a spreadsheet would not show all digits. */
    public static int putSpreadsheetLong(byte[] to, int at, long value) {
        if (value >= -SPREADSHEET_MAX && value <= SPREADSHEET_MAX) {
            return putLong(to, at, value);
        }
        int next = openText(to, at);
        return closeText(to, putLong(to, next, value));
    }

    /** Puts an unsigned integer, in the way of {@link #putSpreadsheetLong}. */
    public static int putSpreadsheetUnsignedLong(byte[] to, int at, long value) {
        if (value >= 0 && value <= SPREADSHEET_MAX) {
            return putUnsignedLong(to, at, value);
        }
        int next = openText(to, at);
        return closeText(to, putUnsignedLong(to, next, value));
    }

    /** Puts {@code "=""}, the beginning of a field with a formula whose result is a text. */
    private static int openText(byte[] to, int at) {
        to[at] = '"';
        to[at + 1] = '=';
        to[at + 2] = '"';
        to[at + 3] = '"';
        return at + 4;
    }

    private static int closeText(byte[] to, int at) {
        to[at] = '"';
        to[at + 1] = '"';
        to[at + 2] = '"';
        return at + 3;
    }

    /**
     * Puts the shortest decimal that a parser reads as this double, in the notation of {@link Double#toString(double)}.
     */
    public static int putDouble(byte[] to, int at, double value) {
        double magnitude = Math.abs(value);
        if (magnitude < 1e7 && magnitude >= 1e-3) {
            // A decimal m / 10^k of at most 15 digits is parsed to the double nearest to this quotient. One division
            // gives this double, because m and 10^k are exact doubles. No two such decimals are parsed to the same
            // double. So if a double has such a decimal, the shortest decimal is this one without its trailing zeros.
            if (magnitude < 1e4) {
                long m = Math.round(magnitude * 1e11);
                if (m / 1e11 == magnitude) {
                    long units = m / 100_000_000_000L;
                    return putDecimal(to, at, value < 0, units, (m - units * 100_000_000_000L) * 10);
                }
            } else {
                long m = Math.round(magnitude * 1e8);
                if (m / 1e8 == magnitude) {
                    long units = m / E8;
                    return putDecimal(to, at, value < 0, units, (m - units * E8) * E4);
                }
            }
        } else if (value == 0) {
            return putAscii(to, at, 1 / value < 0 ? "-0.0" : "0.0");
        }
        return putAscii(to, at, DoubleToDecimal.toString(value));
    }

    /**
     * Puts a number of units and a fraction of twelve decimal places. Leaves out the trailing zeros of the fraction.
     */
    private static int putDecimal(byte[] to, int at, boolean negative, long units, long fraction) {
        int next = at;
        if (negative) {
            to[next++] = '-';
        }
        next = putShort(to, next, (int) units);
        to[next++] = '.';
        long first = fraction / E8;
        long last = fraction - first * E8;
        long firstDigits = digits((int) (first * E4));
        Bytes.putLong(to, next, firstDigits | ZEROES);
        if (last == 0) {
            int zeros = Long.numberOfLeadingZeros(firstDigits) >>> 3; // 4 to 8 of 8
            return next + Math.max(1, 8 - zeros);
        }
        long lastDigits = digits((int) last);
        Bytes.putLong(to, next + 4, lastDigits | ZEROES);
        return next + 12 - (Long.numberOfLeadingZeros(lastDigits) >>> 3);
    }

    /** Puts {@code true} or {@code false}. */
    public static int putBool(byte[] to, int at, boolean value) {
        if (value) {
            Bytes.putInt(to, at, TRUE);
            return at + 4;
        }
        Bytes.putInt(to, at, FALS);
        to[at + 4] = 'e';
        return at + 5;
    }

    /** Puts {@code null}. */
    public static int putNull(byte[] to, int at) {
        Bytes.putInt(to, at, NULL);
        return at + 4;
    }

    /** Puts bytes as they are. */
    public static int putBytes(byte[] to, int at, byte[] some) {
        System.arraycopy(some, 0, to, at, some.length);
        return at + some.length;
    }

    static int putAscii(byte[] to, int at, String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            to[at + i] = (byte) ascii.charAt(i);
        }
        return at + ascii.length();
    }

    /** Puts a number below 10^8 without leading zeros. */
    private static int putShort(byte[] to, int at, int value) {
        long digits = digits(value);
        // The first digit is the lowest byte. The last digit stays even if it is a zero.
        int zeros = Long.numberOfTrailingZeros(digits | 1L << 56) >>> 3;
        Bytes.putLong(to, at, (digits | ZEROES) >>> (zeros << 3));
        return at + 8 - zeros;
    }

    /** Puts a number below 10^8 as eight digits. */
    static int putEight(byte[] to, int at, int value) {
        Bytes.putLong(to, at, digits(value) | ZEROES);
        return at + 8;
    }

    /** The eight digits of a number below 10^8, one digit in each byte. The first digit is in the lowest byte. */
    private static long digits(int value) {
        int high = value / 10_000;
        long fours = high | (long) (value - high * 10_000) << 32;
        // 10486 / 2^20 is just above 1/100, and gives exact results for four digits. 103 / 2^10 is just above 1/10, and
        // gives exact results for two digits.
        long hundreds = ((fours * 10_486) >>> 20) & 0x0000_007f_0000_007fL;
        long pairs = hundreds | (fours - hundreds * 100) << 16;
        long tens = ((pairs * 103) >>> 10) & 0x000f_000f_000f_000fL;
        return tens | (pairs - tens * 10) << 8;
    }
}
