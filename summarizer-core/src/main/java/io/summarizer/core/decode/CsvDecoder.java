package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.text.Digits;
import org.jspecify.annotations.Nullable;

/**
 * Decodes a payload that is one line of comma-separated CSV (RFC 4180). Column n is the field numbered n.
 *
 * <p>An empty column and a missing column are null; {@code ""} is the empty string. The decoder skips unwanted columns,
 * and stops after the last wanted column. A line end at the end of the payload does not belong to the last column.
 *
 * <p>RFC 4180 does not define the following cases. In a column that does not start with a quote, a quote is an ordinary
 * character. Bytes between a closing quote and the next comma make a wanted column bad; in an unwanted column, they are
 * skipped. An unclosed quote rejects the event, because no later column can be found.
 *
 * <p>A subclass calls one method per column, in order. Each method takes the position of a column and returns the
 * position of the next column. If the returned position is beyond the payload's end, the next column is missing.
 */
public abstract class CsvDecoder implements PayloadDecoder {
    /**
     * Maximum number of digits of a number that is read as two longs. The two longs also have to hold the byte after
     * the number.
     */
    private static final int MAX_PLAIN_DIGITS = 2 * Digits.WORD - 1;
    /** Maximum number of digits of a number whose product with a million is always within int64. */
    private static final int MAX_AMOUNT_DIGITS = 12;
    /** Factors that turn the digits of a number into millionths, by the number of decimal places. */
    private static final long[] MILLIONTHS = {1_000_000, 100_000, 10_000, 1000, 100, 10, 1};

    /** Maximum number of digits for which a double holds every whole number exactly. */
    private static final int MAX_EXACT_DIGITS = 15;

    private final EventSchema schema;
    private final FieldSchema[] fields;
    private final FieldSchema[][] rivals;
    private final ScalarReader scalars = new ScalarReader();

    /**
     * A decoder for one parser worker. Subclasses refer to a field by its position in the list of the root's fields.
     */
    protected CsvDecoder(EventSchema schema) {
        this.schema = schema;
        fields = schema.root().fields().toArray(new FieldSchema[0]);
        rivals = schema.rivals();
        for (FieldSchema field : fields) {
            if (field.message() != null || field.element() != null) {
                throw new IllegalArgumentException(field.name() + " cannot be a column");
            }
        }
    }

    @Override
    public final @Nullable String decode(IMessage message, InputEvent event) {
        try {
            event.reset(message, schema.slots());
            scalars.zone(schema.zone(message.listener()));
            byte[] bytes = message.bytes();
            int from = message.offset(MessageBatch.PAYLOAD);
            int to = from + Math.max(0, message.length(MessageBatch.PAYLOAD));
            if (to > from && bytes[to - 1] == '\n') {
                to--;
            }
            if (to > from && bytes[to - 1] == '\r') {
                to--;
            }
            readColumns(bytes, from, to, event);
            return null;
        } catch (BadPayloadException e) {
            return e.getMessage();
        }
    }

    /** Reads the wanted columns of the payload from {@code from} to before {@code to}. */
    protected abstract void readColumns(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException;

    /** Skips unwanted columns, from {@code column} to {@code last}. Columns are counted from 1. */
    protected final int skip(byte[] bytes, int from, int to, int column, int last) throws BadPayloadException {
        int at = from;
        // The last column may be empty. It then starts at the end, so the condition is at <= to.
        for (int skipped = column; skipped <= last && at <= to; skipped++) {
            at = at < to && bytes[at] == '"'
                    ? quoted(bytes, at, to, skipped, null, null) + 1
                    : comma(bytes, at, to) + 1;
        }
        return at;
    }

    /**
     * Sets the other members of a field's {@code oneof} to null, unless the field's column is empty. Called before this
     * column is read.
     */
    protected final void choose(byte[] bytes, int from, int to, InputEvent event, int field) {
        if (from < to && bytes[from] != ',') {
            for (FieldSchema rival : rivals[field]) {
                rival.clear(event, InputEvent.ROOT);
            }
        }
    }

    /** Reads a column of any kind. */
    protected final int column(byte[] bytes, int from, int to, InputEvent event, int field) throws BadPayloadException {
        if (from > to) {
            return from;
        }
        FieldSchema schema = fields[field];
        if (from < to && bytes[from] == '"') {
            return quoted(bytes, from, to, schema.column(), schema, event) + 1;
        }
        int end = comma(bytes, from, to);
        if (end > from) {
            scalars.read(event, InputEvent.ROOT, schema, InputEvent.messageString(from, end - from));
        }
        return end + 1;
    }

    /** Reads an {@code INT64}. Values of up to 15 digits are read without a loop; most values are like this. */
    protected final int int64(byte[] bytes, int from, int to, InputEvent event, int slot, int field)
            throws BadPayloadException {
        if (from <= bytes.length - 4 * Digits.WORD) {
            long word = Bytes.getLong(bytes, from);
            int digits = Math.min(Digits.count(word), to - from);
            long value = Digits.value(word, digits);
            int at = from + digits;
            if (digits == Digits.WORD) {
                word = Bytes.getLong(bytes, at);
                digits = Math.min(Digits.count(word), to - at);
                value = value * Digits.power(digits) + Digits.value(word, digits);
                at += digits;
            }
            // A missing column starts after the end; nothing of it is read.
            if (at > from && at - from <= MAX_PLAIN_DIGITS && (at >= to || bytes[at] == ',')) {
                event.set(InputEvent.ROOT, slot, value);
                return at + 1;
            }
        }
        return column(bytes, from, to, event, field);
    }

    /**
     * Reads a {@code DOUBLE}. Numbers with few digits are read without a loop; most amounts are like this.
     *
     * @param slot slot of the value, -1 if not wanted
     * @param microsSlot slot of the exact millionths, -1 if not wanted
     */
    protected final int decimal(byte[] bytes, int from, int to, InputEvent event, int slot, int microsSlot, int field)
            throws BadPayloadException {
        if (from <= bytes.length - 4 * Digits.WORD) {
            long word = Bytes.getLong(bytes, from);
            int digits = Math.min(Digits.count(word), to - from);
            long value = Digits.value(word, digits);
            int at = from + digits;
            if (digits == Digits.WORD) {
                word = Bytes.getLong(bytes, at);
                digits = Math.min(Digits.count(word), to - at);
                value = value * Digits.power(digits) + Digits.value(word, digits);
                at += digits;
            }
            int whole = at - from;
            int places = 0;
            if (at < to && bytes[at] == '.') {
                at++;
                word = Bytes.getLong(bytes, at);
                places = Math.min(Digits.count(word), to - at);
                at += places;
            }
            if (whole > 0
                    && whole <= (slot < 0 ? MAX_AMOUNT_DIGITS : MAX_EXACT_DIGITS - 6)
                    && places < MILLIONTHS.length
                    && (at >= to || bytes[at] == ',')) {
                value = value * Digits.power(places) + Digits.value(word, places);
                if (microsSlot >= 0) {
                    event.set(InputEvent.ROOT, microsSlot, value * MILLIONTHS[places]);
                }
                if (slot >= 0) {
                    // Both operands are exact as doubles, so the quotient is the nearest double.
                    double number = (double) value / Digits.power(places);
                    event.set(InputEvent.ROOT, slot, Double.doubleToRawLongBits(number));
                }
                return at + 1;
            }
        }
        return column(bytes, from, to, event, field);
    }

    private static int comma(byte[] bytes, int from, int to) {
        int at = Swar.indexOf((byte) ',', bytes, from, to);
        return at < 0 ? to : at;
    }

    /**
     * Reads or skips a column that starts with a quote; returns the position of the comma after the column, or the end.
     *
     * @param column number of the column, from 1
     * @param field the field of the column; {@code field} and {@code event} are null when the column is unwanted
     */
    private int quoted(
            byte[] bytes, int from, int to, int column, @Nullable FieldSchema field, @Nullable InputEvent event)
            throws BadPayloadException {
        int at = from + 1;
        int doubled = 0;
        while (true) {
            while (at < to && bytes[at] != '"') {
                at++;
            }
            if (at >= to) {
                throw new BadPayloadException("column " + column + ": the quote is never closed");
            }
            if (at + 1 < to && bytes[at + 1] == '"') {
                doubled++;
                at += 2;
            } else {
                break;
            }
        }
        int close = at++;
        if (field != null && event != null) {
            if (at < to && bytes[at] != ',') {
                throw new BadPayloadException(field.name() + ": text after the closing quote");
            }
            scalars.read(event, InputEvent.ROOT, field, unquote(bytes, from + 1, close, doubled, event));
        }
        return comma(bytes, at, to);
    }

    private static long unquote(byte[] bytes, int from, int to, int doubled, InputEvent event)
            throws BadPayloadException {
        int length = to - from - doubled;
        if (doubled == 0) {
            return InputEvent.messageString(from, length);
        }
        if (!event.reserveScratch(length)) {
            throw new BadPayloadException("too long a string");
        }
        byte[] scratch = event.scratch();
        int start = event.scratchLimit();
        int target = start;
        for (int at = from; at < to; at++) {
            scratch[target++] = bytes[at];
            at += bytes[at] == '"' ? 1 : 0;
        }
        event.scratchLimit(target);
        return InputEvent.scratchString(start, length);
    }
}
