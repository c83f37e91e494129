package io.summarizer.core.export;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import io.summarizer.core.text.CivilDate;
import java.io.IOException;

/**
 * A byte array that is written to a sink whenever it is nearly full. Callers put numbers, commas and line ends directly
 * into the array: they {@link #reserve} bytes, put the fields by {@link CsvFields}, and {@link #advance} past the last
 * field. The buffer itself puts texts, because a text may have any length, and times, because the buffer remembers the
 * last date.
 *
 * <p>Belongs to one export. Allocates nothing.
 */
public final class CsvBuffer {
    private static final int BYTES = 64 * 1024;
    /**
     * Maximum number of bytes to reserve at a time. It is enough for 24 fields with names of 200 characters, all
     * escaped.
     */
    public static final int RESERVE_MAX = 32 * 1024;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long MICROS_PER_DAY = 86_400 * MICROS_PER_SECOND;
    /** The two ASCII digits of each number below 100, the first in the low byte. */
    private static final short[] PAIRS = new short[100];

    /** U+FFFD in UTF-8. It replaces a NUL, because PostgreSQL's text cannot hold a NUL. */
    private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

    static {
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) (('0' + i / 10) | ('0' + i % 10) << 8);
        }
    }

    private final ByteSink sink;
    private final byte[] bytes = new byte[BYTES + CsvFields.SLACK];
    private int at;
    private long written;

    /** The last written date. It is kept because neighbouring rows mostly have the same date. */
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

    /** The array; the caller may write the reserved bytes. */
    public byte[] bytes() {
        return bytes;
    }

    /** Reserves {@code more} bytes, at most {@value #RESERVE_MAX}. Returns the place of the first reserved byte. */
    public int reserve(int more) throws IOException {
        if (more > BYTES - at) {
            flush();
        }
        return at;
    }

    /** Sets the end of the written bytes, which lies within the reserved bytes. */
    public void advance(int at) {
        this.at = at;
    }

    /** Puts several ASCII characters. */
    void putAscii(String ascii) throws IOException {
        at = CsvFields.putAscii(bytes, reserve(ascii.length()), ascii);
    }

    void putBytes(byte[] some) throws IOException {
        putRaw(some, 0, some.length);
    }

    /**
     * Puts a time as {@code 2026-11-20T00:00:00.000000Z}. As in ISO 8601, years of more than four digits have a sign.
     *
     * @param at a reserved place
     */
    public int putTimestamp(int at, long micros) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        int next = at;
        if (day == lastDay) {
            System.arraycopy(lastDate, 0, bytes, at, lastDateLength);
            next += lastDateLength;
        } else {
            next = putDate(at, day);
            lastDateLength = next - at;
            System.arraycopy(bytes, at, lastDate, 0, lastDateLength);
            lastDay = day;
        }
        return putTime(next, 'T', micros - day * MICROS_PER_DAY);
    }

    /**
     * Puts a time like {@link #putTimestamp}, but with PostgreSQL's form of years before 0001 and after 9999 ({@code
     * 12026-...}, {@code 0044-... BC}).
     */
    public int putPgTimestamp(int at, long micros) {
        long day = Math.floorDiv(micros, MICROS_PER_DAY);
        long date = CivilDate.of(day);
        long year = CivilDate.year(date);
        if (year > 0 && year <= 9999) {
            return putTimestamp(at, micros);
        }
        int next = putDate(at, date, year > 0 ? year : 1 - year);
        next = putTime(next, ' ', micros - day * MICROS_PER_DAY);
        return year > 0 ? next : CsvFields.putAscii(bytes, next, " BC");
    }

    private int putTime(int at, char separator, long ofDay) {
        byte[] bytes = this.bytes;
        int second = (int) (ofDay / MICROS_PER_SECOND);
        int minute = second / 60;
        int hour = minute / 60;
        bytes[at] = (byte) separator;
        Bytes.putShort(bytes, at + 1, PAIRS[hour]);
        bytes[at + 3] = ':';
        Bytes.putShort(bytes, at + 4, PAIRS[minute - hour * 60]);
        bytes[at + 6] = ':';
        Bytes.putShort(bytes, at + 7, PAIRS[second - minute * 60]);
        bytes[at + 9] = '.';
        CsvFields.putEight(bytes, at + 10, (int) (ofDay - second * MICROS_PER_SECOND) * 100);
        bytes[at + 16] = 'Z';
        return at + 17;
    }

    private int putDate(int at, long day) {
        long date = CivilDate.of(day);
        long year = CivilDate.year(date);
        if (year >= 0 && year <= 9999) {
            return putDate(at, date, year);
        }
        bytes[at] = (byte) (year < 0 ? '-' : '+');
        return putDate(at + 1, date, Math.abs(year));
    }

    /** Puts a date with {@code year} instead of the date's own year. */
    private int putDate(int at, long date, long year) {
        int next = at;
        if (year <= 9999) {
            Bytes.putShort(bytes, next, PAIRS[(int) year / 100]);
            Bytes.putShort(bytes, next + 2, PAIRS[(int) year % 100]);
            next += 4;
        } else {
            next = CsvFields.putUnsignedLong(bytes, next, year);
        }
        bytes[next] = '-';
        Bytes.putShort(bytes, next + 1, PAIRS[CivilDate.month(date)]);
        bytes[next + 3] = '-';
        Bytes.putShort(bytes, next + 4, PAIRS[CivilDate.day(date)]);
        return next + 6;
    }

    /**
     * Puts UTF-8 text. The text is put in quotes when it contains a quote, comma or line break. An empty text is put in
     * quotes, too, because an empty field means null.
     */
    public void putText(byte[] text, int offset, int length) throws IOException {
        if (isPlain(text, offset, length)) {
            putRaw(text, offset, length);
        } else {
            putAscii("\"");
            putDoubled(text, offset, length);
            putAscii("\"");
        }
    }

    /**
     * Puts text like {@link #putText}, with an apostrophe before each part that a spreadsheet could take for a formula.
     */
    public void putSpreadsheetText(byte[] text, int offset, int length) throws IOException {
        int end = offset + length;
        boolean breaks = length > 0 && (text[offset] == '\t' || text[offset] == '\r' || text[offset] == '\n');
        int mark = breaks ? offset : SpreadsheetText.nextFormula(text, offset, end, true);
        boolean plain = isPlain(text, offset, length);
        if (mark < 0 && plain) {
            putRaw(text, offset, length);
            return;
        }
        putAscii(plain ? "" : "\"");
        int from = offset;
        while (mark >= 0) {
            putDoubled(text, from, mark - from);
            putAscii("'");
            from = mark;
            mark = SpreadsheetText.nextFormula(text, mark, end, false);
        }
        putDoubled(text, from, end - from);
        putAscii(plain ? "" : "\"");
    }

    /**
     * Puts text like {@link #putText}, with U+FFFD instead of each NUL, because PostgreSQL's text cannot hold a NUL.
     */
    public void putPgText(byte[] text, int offset, int length) throws IOException {
        int end = offset + length;
        int nul = offset;
        while (nul < end && text[nul] != 0) {
            nul++;
        }
        if (nul == end) {
            putText(text, offset, length);
            return;
        }
        putAscii("\"");
        int from = offset;
        for (; nul < end; nul++) {
            if (text[nul] == 0) {
                putDoubled(text, from, nul - from);
                putRaw(REPLACEMENT, 0, REPLACEMENT.length);
                from = nul + 1;
            }
        }
        putDoubled(text, from, end - from);
        putAscii("\"");
    }

    /** Puts UTF-8 text as a JSON string. Only quotes, backslashes and bytes below 32 are escaped. */
    public void putJsonText(byte[] text, int offset, int length) throws IOException {
        int end = offset + length;
        int from = offset;
        putAscii("\"");
        int special = Swar.indexOfQuoteBackslashOrControl(text, from, end);
        while (special >= 0) {
            putRaw(text, from, special - from);
            putEscaped(text[special]);
            from = special + 1;
            special = Swar.indexOfQuoteBackslashOrControl(text, from, end);
        }
        putRaw(text, from, end - from);
        putAscii("\"");
    }

    private void putEscaped(byte ascii) throws IOException {
        int next = reserve(6);
        bytes[next++] = '\\';
        if (ascii < ' ') {
            bytes[next++] = 'u';
            bytes[next++] = '0';
            bytes[next++] = '0';
            bytes[next++] = (byte) ('0' + (ascii >> 4));
            bytes[next++] = (byte) Character.forDigit(ascii & 0xf, 16);
        } else {
            bytes[next++] = ascii;
        }
        advance(next);
    }

    private static boolean isPlain(byte[] text, int offset, int length) {
        int end = offset + length;
        int i = offset;
        for (; i + 8 <= end; i += 8) {
            long word = Bytes.getLong(text, i);
            if ((Swar.zeroes(word ^ '"' * Swar.ONES)
                            | Swar.zeroes(word ^ ',' * Swar.ONES)
                            | Swar.zeroes(word ^ '\n' * Swar.ONES)
                            | Swar.zeroes(word ^ '\r' * Swar.ONES))
                    != 0) {
                return false;
            }
        }
        for (; i < end; i++) {
            byte b = text[i];
            if (b == '"' || b == ',' || b == '\n' || b == '\r') {
                return false;
            }
        }
        // For PostgreSQL's COPY before version 18, a line that consists only of \. ends the data.
        return length > 0 && !(length == 2 && text[offset] == '\\' && text[offset + 1] == '.');
    }

    /** Puts text with doubled quotes. */
    private void putDoubled(byte[] text, int offset, int length) throws IOException {
        int end = offset + length;
        int from = offset;
        for (int i = offset; i < end; i++) {
            if (text[i] == '"') {
                putRaw(text, from, i + 1 - from);
                from = i; // so that the quote is put a second time
            }
        }
        putRaw(text, from, end - from);
    }

    void putRaw(byte[] text, int offset, int length) throws IOException {
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
}
