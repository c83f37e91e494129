package io.summarizer.core.receive;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import io.summarizer.core.text.CivilDate;
import io.summarizer.core.text.Digits;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Reads the times in syslog headers: RFC 3339 ({@code 2026-11-20T00:00:00.123456+01:00}) and BSD
 * ({@code Nov 20 00:00:00}, RFC 3164). Results are µs since the epoch, UTC.
 *
 * <p>The envelope parser only finds the end of a time, by the {@code ...End} methods, which reject malformed times. A
 * time is read when a mapping needs it. No allocation, except for BSD dates and for texts without an offset.
 */
public final class SyslogTime {
    /** The result of {@link #micros} for a text that is not a time. */
    public static final long NOT_A_TIME = Long.MIN_VALUE;

    /** Stands for an unknown year, which the arrival of the message then determines. */
    public static final int NO_YEAR = -1;

    private static final int NONE = -1;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /**
     * A date that consists of separators and the digit '0'. When a date is combined with this pattern by exclusive or
     * (XOR), each separator becomes 0, and each digit becomes its value.
     */
    private static final long DATE_PATTERN = word("0000-00-");

    private static final long TIME_PATTERN = word("00T00:00");
    /**
     * A constant to add to the result of the exclusive or. In the sum, the high bit of a byte is set when a digit is
     * above 9, or when a separator differs from the pattern.
     */
    private static final long DATE_EXCESS = excess("0000-00-");

    private static final long TIME_EXCESS = excess("00T00:00");

    private static final long FRACTION_PATTERN = word(".000000\0");
    private static final long FRACTION_EXCESS = excess(".000000\0") & (-1L >>> 8);

    private static final int SHORTEST = "2026-11-20T00:00:00".length();
    private static final int FRACTION_DIGITS_MAX_BSD = 9;
    /**
     * Number of years to search backwards, so that the search always finds a 29 February. Four years are not enough,
     * because a century year need not be a leap year.
     */
    private static final int YEARS_BACK = 8;
    /**
     * Longest time that a sender's clock may be ahead. A date without a year is at most this long after the arrival of
     * its message.
     */
    private static final long AHEAD_MICROS = 7 * 86_400 * MICROS_PER_SECOND;

    private SyslogTime() {}

    /**
     * Reads a time.
     *
     * <p>Times of RFC 3339 are read with some additions. A fraction may have any number of digits; digits beyond µs are
     * dropped. {@code t} or a space may stand for {@code T}, and {@code z} for {@code Z}. An offset may have the form
     * {@code +0100} or {@code +01}. A leap second counts as the second after it. In BSD times, the month may have upper
     * or lower case, and the day may be padded. A BSD time may have a fraction, and a year before or after the time of
     * day. A time in a gap of daylight saving time is moved forward by the gap. When a time occurs twice at the end of
     * daylight saving time, the earlier time counts.
     *
     * @param zone time zone of texts without an offset
     * @param year year of texts without a year; {@link #NO_YEAR} to derive the year from the arrival
     * @param arrivalMicros arrival of the message. With {@link #NO_YEAR}, a text without a year gets the latest
     *     possible year; a time more than a week after the arrival is not possible
     * @return µs since the epoch, or {@link #NOT_A_TIME}
     */
    public static long micros(byte[] bytes, int offset, int length, ZoneId zone, int year, long arrivalMicros) {
        int end = offset + length;
        if (length >= SHORTEST && Digits.isDigit(bytes[offset])) {
            return iso(bytes, offset, end, zone);
        }
        return bsdEnd(bytes, offset, end) == end && length > 0
                ? bsd(bytes, offset, end, zone, year, arrivalMicros)
                : NOT_A_TIME;
    }

    /**
     * End of the TIMESTAMP that starts at {@code from}, by the rules of RFC 5424 6.2.3: letters in upper case, an
     * offset, no leap second, and a day that exists. There is one exception: the fraction may have more than the RFC's
     * six digits, because many senders write more.
     *
     * @return -1 when there is none
     */
    static int rfc5424End(byte[] bytes, int from, int to) {
        if (to - from <= SHORTEST) {
            return NONE;
        }
        long date = Bytes.getLong(bytes, from) ^ DATE_PATTERN;
        long time = Bytes.getLong(bytes, from + 8) ^ TIME_PATTERN;
        int second = second(bytes, from);
        if (!plausible(date, time) || second < 0 || second > 59) {
            return NONE;
        }
        int at = from + SHORTEST;
        if (to - at >= 8 && isMicros(Bytes.getLong(bytes, at))) {
            at += 7;
        } else if (bytes[at] == '.') {
            int fraction = ++at;
            at = digitsEnd(bytes, at, to);
            if (at == fraction || at == to) {
                return NONE;
            }
        }
        if (bytes[at] == 'Z') {
            return at + 1;
        }
        boolean offset = to - at >= 6
                && (bytes[at] == '+' || bytes[at] == '-')
                && two(bytes, at + 1) >= 0
                && two(bytes, at + 1) <= 23
                && bytes[at + 3] == ':'
                && two(bytes, at + 4) >= 0
                && two(bytes, at + 4) <= 59;
        return offset ? at + 6 : NONE;
    }

    /**
     * End of the time that starts an RFC 3164 header. The time has the form of RFC 3339 or BSD, with the additions that
     * {@link #micros} allows.
     *
     * @return -1 when there is none
     */
    static int lenientEnd(byte[] bytes, int from, int to) {
        if (from < to && Digits.isDigit(bytes[from])) {
            int end = from;
            while (end < to && bytes[end] > ' ') {
                end++;
            }
            return end - from >= SHORTEST && iso(bytes, from, end, ZoneOffset.UTC) != NOT_A_TIME ? end : NONE;
        }
        return bsdEnd(bytes, from, to);
    }

    private static long iso(byte[] bytes, int from, int to, ZoneId zone) {
        long date = Bytes.getLong(bytes, from) ^ DATE_PATTERN;
        long time = Bytes.getLong(bytes, from + 8) ^ TIME_PATTERN;
        int separator = (int) (time >>> 16) & 0xff;
        if (separator == ('t' ^ 'T') || separator == (' ' ^ 'T')) {
            time &= ~0xff0000L;
        }
        int second = second(bytes, from);
        if (!plausible(date, time) || second < 0 || second > 60) {
            return NOT_A_TIME;
        }
        int secondOfDay = hour(time) * 3_600 + minute(time) * 60 + second;
        long seconds = CivilDate.toDays(year(date), month(date), day(time)) * 86_400 + secondOfDay;
        int at = from + SHORTEST;
        long fraction = 0;
        if (at < to && (bytes[at] == '.' || bytes[at] == ',')) {
            int end = digitsEnd(bytes, at + 1, to);
            if (end == at + 1) {
                return NOT_A_TIME;
            }
            fraction = fraction(bytes, at + 1, end);
            at = end;
        }
        if (at == to) {
            seconds -= offsetSeconds(zone, seconds);
        } else if (bytes[at] == 'Z' || bytes[at] == 'z') {
            if (at + 1 != to) {
                return NOT_A_TIME;
            }
        } else {
            int offset = offsetSeconds(bytes, at, to);
            if (offset == Integer.MIN_VALUE) {
                return NOT_A_TIME;
            }
            seconds -= offset;
        }
        return seconds * MICROS_PER_SECOND + fraction;
    }

    /** Offset in seconds east of UTC, or {@link Integer#MIN_VALUE} when the offset is malformed. */
    private static int offsetSeconds(byte[] bytes, int at, int to) {
        int length = to - at;
        boolean colon = length == 6 && bytes[at + 3] == ':';
        if ((bytes[at] != '+' && bytes[at] != '-') || (!colon && length != 5 && length != 3)) {
            return Integer.MIN_VALUE;
        }
        int hours = two(bytes, at + 1);
        int minutes = length == 3 ? 0 : two(bytes, to - 2);
        if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) {
            return Integer.MIN_VALUE;
        }
        int seconds = hours * 3_600 + minutes * 60;
        return bytes[at] == '-' ? -seconds : seconds;
    }

    /** End of a BSD time, {@code Mmm [ ]d [yyyy ]hh:mm:ss[.fraction][ yyyy]}; -1 when there is no such time. */
    private static int bsdEnd(byte[] bytes, int from, int to) {
        if (to - from < "Nov 1 00:00:00".length() || month(bytes, from) < 0 || bytes[from + 3] != ' ') {
            return NONE;
        }
        int at = bytes[from + 4] == ' ' ? from + 5 : from + 4;
        int digits = digitsEnd(bytes, at, to) - at;
        if (digits < 1 || digits > 2) {
            return NONE;
        }
        int day = Digits.number(bytes, at, at + digits);
        at += digits;
        if (day < 1 || day > 31 || at == to || bytes[at] != ' ') {
            return NONE;
        }
        at++;
        boolean year = isYear(bytes, at, to) && at + 4 < to && bytes[at + 4] == ' ';
        if (year) {
            at += 5;
        }
        if (to - at < 8 || bytes[at + 2] != ':' || bytes[at + 5] != ':') {
            return NONE;
        }
        int hour = two(bytes, at);
        int minute = two(bytes, at + 3);
        int second = two(bytes, at + 6);
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) {
            return NONE;
        }
        at += 8;
        if (at < to && bytes[at] == '.') {
            int end = digitsEnd(bytes, at + 1, Math.min(to, at + 1 + FRACTION_DIGITS_MAX_BSD));
            at = end > at + 1 ? end : at;
        }
        boolean yearBehind = !year
                && at + 5 <= to
                && bytes[at] == ' '
                && isYear(bytes, at + 1, to)
                && (at + 5 == to || bytes[at + 5] == ' ');
        if (yearBehind) {
            at += 5;
        }
        boolean wordEnds = at == to || bytes[at] == ' ' || bytes[at] == ':';
        return wordEnds ? at : NONE;
    }

    /** Reads a time whose end {@link #bsdEnd} found. */
    private static long bsd(byte[] bytes, int from, int to, ZoneId zone, int givenYear, long arrivalMicros) {
        int month = month(bytes, from);
        int dayAt = bytes[from + 4] == ' ' ? from + 5 : from + 4;
        int at = digitsEnd(bytes, dayAt, to);
        int day = Digits.number(bytes, dayAt, at);
        at++;
        int year = givenYear;
        if (bytes[at + 2] != ':') {
            year = Digits.number(bytes, at, at + 4);
            at += 5;
        }
        int secondOfDay = two(bytes, at) * 3_600 + two(bytes, at + 3) * 60 + two(bytes, at + 6);
        at += 8;
        long fraction = 0;
        if (at < to && bytes[at] == '.') {
            int end = digitsEnd(bytes, at + 1, to);
            fraction = fraction(bytes, at + 1, end);
            at = end;
        }
        if (at < to) {
            year = Digits.number(bytes, to - 4, to);
        }
        if (year != NO_YEAR) {
            return bsd(year, month, day, secondOfDay, fraction, zone);
        }
        long latest = arrivalMicros + AHEAD_MICROS;
        int latestYear = Instant.ofEpochSecond(Math.floorDiv(latest, MICROS_PER_SECOND))
                .atZone(zone)
                .getYear();
        for (int candidate = latestYear; candidate >= latestYear - YEARS_BACK; candidate--) {
            long micros = bsd(candidate, month, day, secondOfDay, fraction, zone);
            if (micros != NOT_A_TIME && micros <= latest) {
                return micros;
            }
        }
        return NOT_A_TIME;
    }

    private static long bsd(int year, int month, int day, int secondOfDay, long fraction, ZoneId zone) {
        if (day > CivilDate.daysOfMonth(year, month)) {
            return NOT_A_TIME;
        }
        long seconds = CivilDate.toDays(year, month, day) * 86_400 + secondOfDay;
        return (seconds - offsetSeconds(zone, seconds)) * MICROS_PER_SECOND + fraction;
    }

    private static int offsetSeconds(ZoneId zone, long localSeconds) {
        if (zone instanceof ZoneOffset fixed) {
            return fixed.getTotalSeconds();
        }
        return zone.getRules()
                .getOffset(LocalDateTime.ofEpochSecond(localSeconds, 0, ZoneOffset.UTC))
                .getTotalSeconds();
    }

    private static boolean plausible(long date, long time) {
        if ((((date + DATE_EXCESS) | date | (time + TIME_EXCESS) | time) & Swar.HIGHS) != 0) {
            return false;
        }
        int month = month(date);
        int day = day(time);
        return month >= 1
                && month <= 12
                && day >= 1
                && (day <= 28 || day <= CivilDate.daysOfMonth(year(date), month))
                && hour(time) <= 23
                && minute(time) <= 59;
    }

    /** Whether the eight bytes of a word are a point, six digits, and then {@code Z}, {@code +} or {@code -}. */
    private static boolean isMicros(long word) {
        long fraction = word ^ FRACTION_PATTERN;
        int next = (int) (word >>> 56);
        return (((fraction + FRACTION_EXCESS) | fraction) & (Swar.HIGHS >>> 8)) == 0
                && (next == 'Z' || next == '+' || next == '-');
    }

    private static int year(long date) {
        return digit(date, 0) * 1000 + digit(date, 1) * 100 + digit(date, 2) * 10 + digit(date, 3);
    }

    private static int month(long date) {
        return digit(date, 5) * 10 + digit(date, 6);
    }

    private static int day(long time) {
        return digit(time, 0) * 10 + digit(time, 1);
    }

    private static int hour(long time) {
        return digit(time, 3) * 10 + digit(time, 4);
    }

    private static int minute(long time) {
        return digit(time, 6) * 10 + digit(time, 7);
    }

    private static int digit(long word, int index) {
        return (int) (word >>> (8 * index)) & 0xff;
    }

    private static int second(byte[] bytes, int from) {
        return bytes[from + 16] == ':' ? two(bytes, from + 17) : NONE;
    }

    /** The month, 1 to 12, for three letters in upper or lower case; -1 for other bytes. */
    private static int month(byte[] bytes, int at) {
        int letters = ((bytes[at] & 0xdf) << 16) | ((bytes[at + 1] & 0xdf) << 8) | (bytes[at + 2] & 0xdf);
        return switch (letters) {
            case ('J' << 16) | ('A' << 8) | 'N' -> 1;
            case ('F' << 16) | ('E' << 8) | 'B' -> 2;
            case ('M' << 16) | ('A' << 8) | 'R' -> 3;
            case ('A' << 16) | ('P' << 8) | 'R' -> 4;
            case ('M' << 16) | ('A' << 8) | 'Y' -> 5;
            case ('J' << 16) | ('U' << 8) | 'N' -> 6;
            case ('J' << 16) | ('U' << 8) | 'L' -> 7;
            case ('A' << 16) | ('U' << 8) | 'G' -> 8;
            case ('S' << 16) | ('E' << 8) | 'P' -> 9;
            case ('O' << 16) | ('C' << 8) | 'T' -> 10;
            case ('N' << 16) | ('O' << 8) | 'V' -> 11;
            case ('D' << 16) | ('E' << 8) | 'C' -> 12;
            default -> NONE;
        };
    }

    private static long fraction(byte[] bytes, int from, int to) {
        int end = Math.min(to, from + 6);
        long micros = 0;
        for (int at = from; at < from + 6; at++) {
            micros = micros * 10 + (at < end ? bytes[at] - '0' : 0);
        }
        return micros;
    }

    /** Whether there is a year from 1900 to 2099; other numbers are more likely the name of a host. */
    private static boolean isYear(byte[] bytes, int from, int to) {
        if (to - from < 4 || digitsEnd(bytes, from, from + 4) != from + 4) {
            return false;
        }
        int century = two(bytes, from);
        return century == 19 || century == 20;
    }

    private static int digitsEnd(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && Digits.isDigit(bytes[at])) {
            at++;
        }
        return at;
    }

    /** The value of two digits, negative when they are not digits. */
    private static int two(byte[] bytes, int at) {
        int tens = bytes[at] - '0';
        int units = bytes[at + 1] - '0';
        return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : NONE;
    }

    private static long word(String eightCharacters) {
        long word = 0;
        for (int i = 0; i < 8; i++) {
            word |= (long) eightCharacters.charAt(i) << (8 * i);
        }
        return word;
    }

    private static long excess(String eightCharacters) {
        long word = 0;
        for (int i = 0; i < 8; i++) {
            word |= (eightCharacters.charAt(i) == '0' ? 0x76L : 0x7fL) << (8 * i);
        }
        return word;
    }
}
