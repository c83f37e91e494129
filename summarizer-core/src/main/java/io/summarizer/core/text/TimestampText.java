package io.summarizer.core.text;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Reads and prints timestamps as text. A timestamp is a long: µs since the epoch, UTC.
 *
 * <p>Stateless. Reading allocates only for local times in zones with changing offsets; printing into an array never
 * allocates.
 */
public final class TimestampText {
    /** The result of {@link #parse} for text that is no timestamp. */
    public static final long INVALID = Long.MIN_VALUE;
    /** The most bytes that a printed timestamp takes. */
    public static final int MAX_LENGTH = 32;

    private static final int MILLIS_PLACES = 3;
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;

    private TimestampText() {}

    /**
     * Reads ISO 8601 text: a date, or a date and a time of day with {@code T} or a space between, in extended ({@code
     * 2026-11-20T00:00:00}) or basic ({@code 20261120T000000}) form. Seconds and their fraction may be left out; digits
     * beyond µs are dropped. All texts that {@link #format} prints can be read. {@code Z}, {@code UTC} or an offset may
     * follow, with or without a space before it. Years beyond four digits need a sign. A leap second is not accepted.
     *
     * @param zone zone of a time without an offset
     * @return µs since the epoch, or {@link #INVALID}
     */
    public static long parse(byte[] bytes, int from, int to, ZoneId zone) {
        int at = from;
        int year;
        boolean extended = true;
        if (at < to && (bytes[at] == '-' || bytes[at] == '+')) {
            int digitsFrom = at + 1;
            int magnitude = 0;
            for (at = digitsFrom; at < to && Digits.isDigit(bytes[at]) && at - digitsFrom < 6; at++) {
                magnitude = magnitude * 10 + bytes[at] - '0';
            }
            if (at - digitsFrom < 4) {
                return INVALID;
            }
            year = bytes[from] == '-' ? -magnitude : magnitude;
        } else {
            int century = twoDigits(bytes, at, to);
            int rest = twoDigits(bytes, at + 2, to);
            if ((century | rest) < 0) {
                return INVALID;
            }
            year = century * 100 + rest;
            at += 4;
            extended = at < to && bytes[at] == '-';
        }
        if (extended) {
            if (at >= to || bytes[at] != '-') {
                return INVALID;
            }
            at++;
        }
        int month = twoDigits(bytes, at, to);
        at += 2;
        if (extended) {
            if (at >= to || bytes[at] != '-') {
                return INVALID;
            }
            at++;
        }
        int day = twoDigits(bytes, at, to);
        at += 2;
        if (month < 1 || month > 12 || day < 1 || day > CivilDate.daysOfMonth(year, month)) {
            return INVALID;
        }
        int hour = 0;
        int minute = 0;
        int second = 0;
        int micros = 0;
        if (at < to) {
            if (bytes[at] != 'T' && bytes[at] != 't' && bytes[at] != ' ') {
                return INVALID;
            }
            hour = twoDigits(bytes, at + 1, to);
            at += 3;
            if (extended) {
                if (at >= to || bytes[at] != ':') {
                    return INVALID;
                }
                at++;
            }
            minute = twoDigits(bytes, at, to);
            at += 2;
            if (extended ? at < to && bytes[at] == ':' : at < to && Digits.isDigit(bytes[at])) {
                at += extended ? 1 : 0;
                second = twoDigits(bytes, at, to);
                at += 2;
                if (at < to && (bytes[at] == '.' || bytes[at] == ',')) {
                    int unit = 100_000;
                    int fractionFrom = ++at;
                    for (; at < to && Digits.isDigit(bytes[at]); at++) {
                        micros += (bytes[at] - '0') * unit;
                        unit /= 10;
                    }
                    if (at == fractionFrom) {
                        return INVALID;
                    }
                }
            }
            if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
                return INVALID;
            }
        }
        long local = CivilDate.toDays(year, month, day) * 86_400 + hour * 3600L + minute * 60L + second;
        long offset;
        if (at >= to) {
            offset = offsetSeconds(zone, year, month, day, hour, minute, second);
        } else {
            offset = parseOffset(bytes, bytes[at] == ' ' ? at + 1 : at, to);
            if (offset == INVALID) {
                return INVALID;
            }
        }
        long seconds = local - offset;
        long time = seconds * MICROS_PER_SECOND + micros;
        return Math.floorDiv(time, MICROS_PER_SECOND) == seconds ? time : INVALID; // beyond int64 µs
    }

    /**
     * Reads a timestamp as {@link #parse(byte[], int, int, ZoneId)} does. A time without an offset is in UTC.
     *
     * @return µs since the epoch, or {@link #INVALID}
     */
    public static long parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return parse(bytes, 0, bytes.length, ZoneOffset.UTC);
    }

    /**
     * Reads a timestamp as {@link #parse(byte[], int, int, ZoneId)} does. If the whole text is a number, reads the
     * number as milliseconds since the epoch. Rounds down to µs in both cases.
     *
     * @param decimal scans the number; belongs to the caller's thread
     */
    public static long parseAny(DecimalText decimal, byte[] bytes, int from, int to, ZoneId zone) {
        if (decimal.scan(bytes, from, to)) {
            long micros = decimal.toScaledFloor(MILLIS_PLACES);
            return micros == DecimalText.TOO_LARGE ? INVALID : micros;
        }
        return parse(bytes, from, to, zone);
    }

    private static long offsetSeconds(ZoneId zone, int year, int month, int day, int hour, int minute, int second) {
        if (zone instanceof ZoneOffset fixed) {
            return fixed.getTotalSeconds();
        }
        // For a local time in a gap, this is the offset before the gap; in an overlap, it is the earlier offset, as in
        // java.time.
        return zone.getRules()
                .getOffset(LocalDateTime.of(year, month, day, hour, minute, second))
                .getTotalSeconds();
    }

    private static long parseOffset(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length == 1) {
            return (bytes[from] | 0x20) == 'z' ? 0 : INVALID;
        }
        if (length == 3 && bytes[from] == 'U' && bytes[from + 1] == 'T' && bytes[from + 2] == 'C') {
            return 0;
        }
        if (length < 3 || (bytes[from] != '+' && bytes[from] != '-')) {
            return INVALID;
        }
        int hours = twoDigits(bytes, from + 1, to);
        int minutes = 0;
        int at = from + 3;
        if (at < to) {
            at += bytes[at] == ':' ? 1 : 0;
            minutes = twoDigits(bytes, at, to);
            at += 2;
        }
        if (at != to || hours < 0 || hours > 18 || minutes < 0 || minutes > 59) {
            return INVALID;
        }
        int seconds = hours * 3600 + minutes * 60;
        return bytes[from] == '-' ? -seconds : seconds;
    }

    /**
     * Prints a timestamp in the form {@code 2026-11-20T00:00:00.000000Z}. Years outside 0000 to 9999 have a sign.
     *
     * @param target has at least {@value #MAX_LENGTH} bytes from {@code at} on
     * @return end of the text
     */
    public static int format(long micros, byte[] target, int at) {
        long days = Math.floorDiv(micros, MICROS_PER_DAY);
        long ofDay = micros - days * MICROS_PER_DAY;
        long date = CivilDate.of(days);
        int year = (int) CivilDate.year(date);
        int p = at;
        int magnitude = Math.abs(year);
        if (year < 0 || year > 9999) {
            target[p++] = (byte) (year < 0 ? '-' : '+');
        }
        if (magnitude > 9999) {
            if (magnitude > 99_999) {
                target[p++] = (byte) ('0' + magnitude / 100_000);
            }
            target[p++] = (byte) ('0' + magnitude / 10_000 % 10);
        }
        p = putTwo(target, p, magnitude / 100 % 100);
        p = putTwo(target, p, magnitude % 100);
        target[p++] = '-';
        p = putTwo(target, p, CivilDate.month(date));
        target[p++] = '-';
        p = putTwo(target, p, CivilDate.day(date));
        target[p++] = 'T';
        int seconds = (int) (ofDay / MICROS_PER_SECOND);
        int fraction = (int) (ofDay - seconds * MICROS_PER_SECOND);
        p = putTwo(target, p, seconds / 3600);
        target[p++] = ':';
        p = putTwo(target, p, seconds / 60 % 60);
        target[p++] = ':';
        p = putTwo(target, p, seconds % 60);
        target[p++] = '.';
        p = putTwo(target, p, fraction / 10_000);
        p = putTwo(target, p, fraction / 100 % 100);
        p = putTwo(target, p, fraction % 100);
        target[p++] = 'Z';
        return p;
    }

    /** The text of a timestamp, for messages. */
    public static String toString(long micros) {
        byte[] text = new byte[MAX_LENGTH];
        return new String(text, 0, format(micros, text, 0), java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static int putTwo(byte[] target, int at, int value) {
        target[at] = (byte) ('0' + value / 10);
        target[at + 1] = (byte) ('0' + value % 10);
        return at + 2;
    }

    /** The value of the two digits at {@code at}; negative when there are no two digits before {@code to}. */
    private static int twoDigits(byte[] bytes, int at, int to) {
        if (at + 2 > to || !Digits.isDigit(bytes[at]) || !Digits.isDigit(bytes[at + 1])) {
            return -1;
        }
        return (bytes[at] - '0') * 10 + bytes[at + 1] - '0';
    }
}
