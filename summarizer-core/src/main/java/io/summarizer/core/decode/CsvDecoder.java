package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.text.Digits;
import org.jspecify.annotations.Nullable;

/**
 * One line of RFC 4180 CSV, comma-separated: column n is the field numbered n.
 *
 * <p>An empty column is null, {@code ""} the empty string, a missing column null. Columns that nobody wants are skipped
 * and those after the last wanted one never reached; a line end at the end of the payload does not belong to it.
 *
 * <p>What RFC 4180 leaves open: a quote within a column that does not start with one is an ordinary character; bytes
 * between a closing quote and the next comma make a wanted column bad and are skipped in others; a quote that is never
 * closed rejects the event, for no later column can be found.
 */
final class CsvDecoder implements PayloadDecoder {
    /** With one digit more, two words would not tell where the number ends. */
    private static final int MAX_PLAIN_DIGITS = 2 * Digits.WORD - 1;
    /** What so many digits and six places make is within int64. */
    private static final int MAX_AMOUNT_DIGITS = 12;
    /** What a number with so many places is multiplied by to be in millionths. */
    private static final long[] MILLIONTHS = {1_000_000, 100_000, 10_000, 1000, 100, 10, 1};

    private final EventSchema schema;
    /** Wanted field by column, from 0. */
    private final @Nullable FieldSchema[] columns;

    private final ScalarReader scalars = new ScalarReader();
    /** Where the column in hand ended. */
    private int columnEnd;

    CsvDecoder(EventSchema schema) {
        this.schema = schema;
        int last = 0;
        for (FieldSchema field : schema.root().fields()) {
            if (field.message() != null || field.element() != null) {
                throw new IllegalArgumentException(field.name() + " cannot be a column");
            }
            last = Math.max(last, field.column());
        }
        columns = new FieldSchema[last];
        for (FieldSchema field : schema.root().fields()) {
            columns[field.column() - 1] = field;
        }
    }

    @Override
    public @Nullable String decode(IMessage message, InputEvent event) {
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
            decode(bytes, from, to, event);
            return null;
        } catch (BadPayloadException e) {
            return e.getMessage();
        }
    }

    private void decode(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException {
        int at = from;
        // Past the last comma there is one more column, which may be empty; hence at <= to.
        for (int column = 0; column < columns.length && at <= to; column++) {
            FieldSchema field = columns[column];
            if (at < to && bytes[at] == '"') {
                at = quoted(bytes, at, to, column, field, event);
            } else if (field == null) {
                at = comma(bytes, at, to);
            } else if (plain(bytes, at, to, field, event)) {
                at = columnEnd;
            } else {
                int columnFrom = at;
                at = comma(bytes, at, to);
                if (at > columnFrom) {
                    scalars.read(event, InputEvent.ROOT, field, InputEvent.messageString(columnFrom, at - columnFrom));
                }
            }
            at++;
        }
    }

    private static int comma(byte[] bytes, int from, int to) {
        int at = Swar.indexOfComma(bytes, from, to);
        return at < 0 ? to : at;
    }

    /**
     * Reads what most columns are without a loop: an integer of up to 15 digits, or an amount of which only the millionths
     * are wanted. False, with nothing done, when the column is anything else or near the array's end; {@link ScalarReader}
     * knows all forms.
     */
    private boolean plain(byte[] bytes, int from, int to, FieldSchema field, InputEvent event) {
        boolean amount = field.kind() == FieldKind.DOUBLE && field.valueSlot() < 0;
        if ((!amount && field.kind() != FieldKind.INT64) || from > bytes.length - 4 * Digits.WORD) {
            return false;
        }
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
        if (whole == 0) {
            return false;
        }
        int slot = field.valueSlot();
        if (amount) {
            int places = 0;
            if (at < to && bytes[at] == '.') {
                at++;
                word = Bytes.getLong(bytes, at);
                places = Math.min(Digits.count(word), to - at);
                at += places;
            }
            if (whole > MAX_AMOUNT_DIGITS || places >= MILLIONTHS.length) {
                return false;
            }
            value = (value * Digits.power(places) + Digits.value(word, places)) * MILLIONTHS[places];
            slot = field.microsSlot();
        }
        if (whole > MAX_PLAIN_DIGITS || (at < to && bytes[at] != ',')) {
            return false;
        }
        event.set(InputEvent.ROOT, slot, value);
        columnEnd = at;
        return true;
    }

    /** Reads or skips a column that starts with a quote; returns where its comma is, or the end. */
    private int quoted(byte[] bytes, int from, int to, int column, @Nullable FieldSchema field, InputEvent event)
            throws BadPayloadException {
        int at = from + 1;
        int doubled = 0;
        while (true) {
            while (at < to && bytes[at] != '"') {
                at++;
            }
            if (at >= to) {
                throw new BadPayloadException("column " + (column + 1) + ": the quote is never closed");
            }
            if (at + 1 < to && bytes[at + 1] == '"') {
                doubled++;
                at += 2;
            } else {
                break;
            }
        }
        int close = at++;
        if (field != null) {
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
