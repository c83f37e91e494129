package io.summarizer.core.export;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;
import io.summarizer.core.bytes.Bytes;
import java.io.IOException;

/**
 * Formats CSV fields straight into a byte array that goes to a sink whenever it is nearly full. Every {@code put} writes
 * the content of one field; commas and ends of lines are the caller's. Not thread-safe. Allocates nothing but for a
 * double that needs more than 15 digits or an exponent.
 */
final class CsvBuffer {
    private static final int BYTES = 64 * 1024;
    /** No field but a text needs more. */
    private static final int LONGEST_FIELD = 64;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    private static final long[] POWERS_OF_TEN = new long[19];
    /** The two ASCII digits of each number below 100, the first in the low byte. */
    private static final short[] PAIRS = new short[100];

    static {
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) (('0' + i / 10) | ('0' + i % 10) << 8);
        }
        long power = 1;
        for (int i = 0; i < POWERS_OF_TEN.length; i++) {
            POWERS_OF_TEN[i] = power;
            power *= 10;
        }
    }

    private final ByteSink sink;
    private final byte[] bytes = new byte[BYTES];
    private int at;
    private long written;

    /** The date written last: neighbouring rows mostly have the same. */
    private final byte[] lastDate = new byte[16];

    private int lastDateLength;
    private long lastDay = Long.MIN_VALUE;

    CsvBuffer(ByteSink sink) {
        this.sink = sink;
    }

    /** Bytes given to the sink. */
    long written() {
        return written;
    }

    void putByte(char ascii) throws IOException {
        room(1);
        bytes[at++] = (byte) ascii;
    }

    /** Takes back the byte put last, which must have been put since anything larger. */
    void replaceLast(char ascii) {
        bytes[at - 1] = (byte) ascii;
    }

    void putAscii(String ascii) throws IOException {
        room(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[at++] = (byte) ascii.charAt(i);
        }
    }

    void putLong(long value) throws IOException {
        room(LONGEST_FIELD);
        if (value < 0) {
            bytes[at++] = '-';
            if (value == Long.MIN_VALUE) {
                putAscii("9223372036854775808");
                return;
            }
            value = -value;
        }
        putDigits(value, digits(value));
    }

    void putUnsignedLong(long value) throws IOException {
        if (value >= 0) {
            putLong(value);
            return;
        }
        room(LONGEST_FIELD);
        long quotient = (value >>> 1) / 5;
        putDigits(quotient, digits(quotient));
        bytes[at++] = (byte) ('0' + (value - quotient * 10));
    }

    /** A number of millionths, with all six places. */
    void putMillionths(long value) throws IOException {
        room(LONGEST_FIELD);
        if (value < 0) {
            bytes[at++] = '-';
        }
        // Negative, since the smallest long has no positive counterpart.
        long negative = value < 0 ? value : -value;
        long units = -(negative / 1_000_000);
        putDigits(units, digits(units));
        bytes[at++] = '.';
        putDigits(-(negative % 1_000_000), 6);
    }

    /** {@code 2026-11-20T00:00:00.000000Z}; years beyond four digits carry a sign, as in ISO 8601. */
    void putTimestamp(long micros) throws IOException {
        room(LONGEST_FIELD);
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        long ofDay = micros - day * MICROS_PER_DAY;
        if (day == lastDay) {
            System.arraycopy(lastDate, 0, bytes, at, lastDateLength);
            at += lastDateLength;
        } else {
            int from = at;
            putDate(day);
            lastDateLength = at - from;
            System.arraycopy(bytes, from, lastDate, 0, lastDateLength);
            lastDay = day;
        }
        long second = ofDay / MICROS_PER_SECOND;
        bytes[at++] = 'T';
        putDigits(second / 3600, 2);
        bytes[at++] = ':';
        putDigits(second / 60 % 60, 2);
        bytes[at++] = ':';
        putDigits(second % 60, 2);
        bytes[at++] = '.';
        putDigits(ofDay % MICROS_PER_SECOND, 6);
        bytes[at++] = 'Z';
    }

    /** Days since 1970 as a date of the proleptic Gregorian calendar (Howard Hinnant, "days_from_civil", 2013). */
    private void putDate(long day) {
        long shifted = day + 719_468; // days since 0000-03-01, so that the leap day ends a year
        long era = Math.floorDiv(shifted, 146_097);
        long ofEra = shifted - era * 146_097;
        long yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        long ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long monthFromMarch = (5 * ofYear + 2) / 153;
        long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        if (year < 0 || year > 9999) {
            bytes[at++] = (byte) (year < 0 ? '-' : '+');
            year = Math.abs(year);
        }
        putDigits(year, Math.max(4, digits(year)));
        bytes[at++] = '-';
        putDigits(month, 2);
        bytes[at++] = '-';
        putDigits(ofYear - (153 * monthFromMarch + 2) / 5 + 1, 2);
    }

    /** The shortest decimal that reads back as this double, in the notation of {@link Double#toString(double)}. */
    void putDouble(double value) throws IOException {
        double magnitude = Math.abs(value);
        if (magnitude < 1e7 && magnitude >= 1e-3) {
            // A decimal m / 10^k of at most 15 digits reads back as the double nearest to that quotient, which is what
            // one division of exact doubles gives. No two such decimals read back as the same double, so when there is
            // one it is the shortest, once its zeros are taken off.
            int places = magnitude < 1e4 ? 11 : magnitude < 1e5 ? 10 : magnitude < 1e6 ? 9 : 8;
            long m = Math.round(magnitude * POWERS_OF_TEN[places]);
            if ((double) m / POWERS_OF_TEN[places] == magnitude) {
                putDecimal(value < 0, m, places);
                return;
            }
        } else if (value == 0) {
            putAscii(1 / value < 0 ? "-0.0" : "0.0");
            return;
        }
        putAscii(DoubleToDecimal.toString(value));
    }

    private void putDecimal(boolean negative, long m, int places) throws IOException {
        while (places > 1 && m % 10 == 0) {
            m /= 10;
            places--;
        }
        room(LONGEST_FIELD);
        if (negative) {
            bytes[at++] = '-';
        }
        long units = m / POWERS_OF_TEN[places];
        putDigits(units, digits(units));
        bytes[at++] = '.';
        putDigits(m - units * POWERS_OF_TEN[places], places);
    }

    void putBool(boolean value) throws IOException {
        putAscii(value ? "true" : "false");
    }

    /** UTF-8 text, in quotes when it holds a quote, comma or line break, or nothing (an empty field is null). */
    void putText(byte[] text, int offset, int length) throws IOException {
        int end = offset + length;
        // A line of nothing but \. ends the data for PostgreSQL's COPY before version 18.
        boolean plain = length > 0 && !(length == 2 && text[offset] == '\\' && text[offset + 1] == '.');
        for (int i = offset; i < end && plain; i++) {
            plain = isPlain(text[i]);
        }
        if (plain) {
            putRaw(text, offset, length);
            return;
        }
        putByte('"');
        int from = offset;
        for (int i = offset; i < end; i++) {
            if (text[i] == '"') {
                putRaw(text, from, i + 1 - from);
                from = i; // so that the quote comes a second time
            }
        }
        putRaw(text, from, end - from);
        putByte('"');
    }

    private static boolean isPlain(byte b) {
        return b != '"' && b != ',' && b != '\n' && b != '\r';
    }

    private void putRaw(byte[] text, int offset, int length) throws IOException {
        int from = offset;
        int end = offset + length;
        while (end - from > BYTES - at) {
            int part = BYTES - at;
            System.arraycopy(text, from, bytes, at, part);
            at = BYTES;
            from += part;
            flush();
        }
        System.arraycopy(text, from, bytes, at, end - from);
        at += end - from;
    }

    void flush() throws IOException {
        if (at > 0) {
            int length = at;
            at = 0;
            written += length;
            sink.write(bytes, 0, length);
        }
    }

    private void room(int more) throws IOException {
        if (more > BYTES - at) {
            flush();
        }
    }

    private static int digits(long value) {
        int digits = 1;
        while (digits < 19 && value >= POWERS_OF_TEN[digits]) {
            digits++;
        }
        return digits;
    }

    private void putDigits(long value, int digits) {
        byte[] bytes = this.bytes;
        int to = at + digits;
        int i = to;
        at = to;
        for (int pairs = digits >>> 1; pairs > 0; pairs--) {
            long hundreds = value / 100;
            i -= 2;
            Bytes.putShort(bytes, i, PAIRS[(int) (value - hundreds * 100)]);
            value = hundreds;
        }
        if ((digits & 1) != 0) {
            bytes[i - 1] = (byte) ('0' + value);
        }
    }
}
