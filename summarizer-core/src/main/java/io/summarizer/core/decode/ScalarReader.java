package io.summarizer.core.decode;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;

/**
 * Reads the text of scalar fields into their slots. This part of decoding is the same for CSV columns, JSON strings and
 * JSON numbers. Belongs to one decoder.
 */
final class ScalarReader {
    private static final int MICROS_PLACES = 6;

    private final DecimalText decimal = new DecimalText();
    private ZoneId zone = java.time.ZoneOffset.UTC;

    /**
     * The last text of a timestamp, if it was short. It is kept because messages of the same second often have the same
     * text.
     */
    private final byte[] timestampText = new byte[TimestampText.MAX_LENGTH];

    /** Length of the last text of a timestamp, -1 for none. */
    private int timestampLength = -1;

    private long lastTimestamp;

    /** Sets the time zone for times without a zone. */
    void zone(ZoneId zone) {
        if (!zone.equals(this.zone)) {
            this.zone = zone;
            timestampLength = -1;
        }
    }

    /**
     * Reads the string {@code reference} as field {@code field} of record {@code record}.
     *
     * @throws BadPayloadException when the text is not a valid value of the field
     */
    void read(InputEvent event, int record, FieldSchema field, long reference) throws BadPayloadException {
        switch (field.kind()) {
            case STRING -> event.set(record, field.valueSlot(), event.repair(reference));
            case ENUM -> event.set(record, field.valueSlot(), constant(event, field, reference));
            default -> {
                int from = InputEvent.stringOffset(reference);
                readNumber(
                        event,
                        record,
                        field,
                        event.stringBytes(reference),
                        from,
                        from + InputEvent.stringLength(reference));
            }
        }
    }

    private void readNumber(InputEvent event, int record, FieldSchema field, byte[] bytes, int from, int to)
            throws BadPayloadException {
        int slot = field.valueSlot();
        switch (field.kind()) {
            case INT64 -> {
                if (!decimal.scan(bytes, from, to) || !decimal.toInt64()) {
                    throw BadPayloadException.of(field, bytes, from, to, "an int64");
                }
                event.set(record, slot, decimal.value());
            }
            case INT32 -> {
                if (!decimal.scan(bytes, from, to) || !decimal.toInt64() || decimal.value() != (int) decimal.value()) {
                    throw BadPayloadException.of(field, bytes, from, to, "an int32");
                }
                event.set(record, slot, decimal.value());
            }
            case UINT64 -> {
                if (!decimal.scan(bytes, from, to) || !decimal.toUint64()) {
                    throw BadPayloadException.of(field, bytes, from, to, "a uint64");
                }
                event.set(record, slot, decimal.value());
            }
            case UINT32 -> {
                if (!decimal.scan(bytes, from, to) || !decimal.toUint64() || decimal.value() >>> 32 != 0) {
                    throw BadPayloadException.of(field, bytes, from, to, "a uint32");
                }
                event.set(record, slot, decimal.value());
            }
            case DOUBLE -> {
                if (!decimal.scan(bytes, from, to)) {
                    throw BadPayloadException.of(field, bytes, from, to, "a number");
                }
                long scaled = field.microsSlot() >= 0 ? decimal.toScaled(MICROS_PLACES) : 0;
                double value = slot >= 0 || scaled == DecimalText.TOO_LARGE ? decimal.toDouble() : 0;
                if (Double.isInfinite(value)) {
                    throw BadPayloadException.of(field, bytes, from, to, "a finite number");
                }
                if (field.microsSlot() >= 0) {
                    event.set(record, field.microsSlot(), scaled);
                }
                if (slot >= 0) {
                    event.set(record, slot, Double.doubleToRawLongBits(value));
                }
            }
            case BOOL -> event.set(record, slot, bool(field, bytes, from, to));
            case TIMESTAMP -> event.set(record, slot, timestamp(field, bytes, from, to));
            default -> throw new IllegalStateException(field.name() + " is not a scalar");
        }
    }

    private static long bool(FieldSchema field, byte[] bytes, int from, int to) throws BadPayloadException {
        int length = to - from;
        if (length == 4
                && bytes[from] == 't'
                && bytes[from + 1] == 'r'
                && bytes[from + 2] == 'u'
                && bytes[from + 3] == 'e') {
            return 1;
        }
        if (length == 5
                && bytes[from] == 'f'
                && bytes[from + 1] == 'a'
                && bytes[from + 2] == 'l'
                && bytes[from + 3] == 's'
                && bytes[from + 4] == 'e') {
            return 0;
        }
        throw BadPayloadException.of(field, bytes, from, to, "true or false");
    }

    /** Reads a timestamp, and remembers it. */
    long timestamp(FieldSchema field, byte[] bytes, int from, int to) throws BadPayloadException {
        int length = to - from;
        if (length == timestampLength && Bytes.equal(timestampText, 0, bytes, from, length)) {
            return lastTimestamp;
        }
        long micros = TimestampText.parseAny(decimal, bytes, from, to, zone);
        if (micros == TimestampText.INVALID) {
            throw BadPayloadException.of(field, bytes, from, to, "a timestamp");
        }
        if (length <= timestampText.length) {
            System.arraycopy(bytes, from, timestampText, 0, length);
            timestampLength = length;
            lastTimestamp = micros;
        }
        return micros;
    }

    /**
     * Turns a reference to the name or the number of an enum's constant into a reference to the name. If the number has
     * no name here, the result refers to the digits, because the sender may know newer constants.
     */
    private long constant(InputEvent event, FieldSchema field, long reference) throws BadPayloadException {
        byte[] bytes = event.stringBytes(reference);
        int from = InputEvent.stringOffset(reference);
        int to = from + InputEvent.stringLength(reference);
        EnumNames names = field.enumNames();
        if (names == null) {
            throw new IllegalStateException(field.name() + " is no enum");
        }
        if (names.hasName(bytes, from, to)) {
            return reference;
        }
        if (!decimal.scan(bytes, from, to) || !decimal.toInt64() || decimal.value() != (int) decimal.value()) {
            throw BadPayloadException.of(field, bytes, from, to, "a constant of its enum");
        }
        byte[] name = names.name(decimal.value());
        if (name == null && isDigits(bytes, from, to)) {
            return reference;
        }
        byte[] text = name == null ? Long.toString(decimal.value()).getBytes(StandardCharsets.US_ASCII) : name;
        long copy = event.copyToScratch(text, 0, text.length);
        if (copy == InputEvent.NULL_STRING) {
            throw new BadPayloadException("too long a string");
        }
        return copy;
    }

    /** Whether a number is written as integers are printed: without a plus sign, leading zero, fraction or exponent. */
    private static boolean isDigits(byte[] bytes, int from, int to) {
        int at = bytes[from] == '-' ? from + 1 : from;
        if (bytes[at] == '0') {
            return to - from == 1;
        }
        while (at < to && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at == to;
    }
}
