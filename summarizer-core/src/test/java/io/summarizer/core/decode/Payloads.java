package io.summarizer.core.decode;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.text.DecimalText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Feeds payloads to a decoder, surrounded by other bytes, and prints the event. */
final class Payloads {
    private final EventSchema schema;
    private final PayloadDecoder decoder;
    private final MessageBatch batch = new MessageBatch(1 << 16);
    final InputEvent event = new InputEvent();

    Payloads(EventSchema schema) {
        this.schema = schema;
        decoder = TableDecoders.of(schema);
    }

    /** A number in millionths, like a currency; {@link DecimalText#TOO_LARGE} when 64 bits do not hold it. */
    static long micros(BigDecimal number) {
        BigInteger micros = number.setScale(6, RoundingMode.HALF_UP).unscaledValue();
        return micros.bitLength() < Long.SIZE ? micros.longValue() : DecimalText.TOO_LARGE;
    }

    /** Null or the reason for the rejection. */
    @Nullable
    String decode(byte[] payload) {
        batch.clear();
        int offset = 5;
        batch.ensureCapacity(payload.length + 10);
        Arrays.fill(batch.bytes(), 0, payload.length + 10, (byte) '"');
        System.arraycopy(payload, 0, batch.bytes(), offset, payload.length);
        int position = batch.append(0, payload.length + 10);
        batch.slice(position, MessageBatch.PAYLOAD, offset, payload.length);
        IMessage message = batch.message(position);
        return decoder.decode(message, event);
    }

    @Nullable
    String decode(String payload) {
        return decode(payload.getBytes(StandardCharsets.UTF_8));
    }

    /** The event's fields, or the reason for the rejection. */
    String read(String payload) {
        return read(payload.getBytes(StandardCharsets.UTF_8));
    }

    String read(byte[] payload) {
        String reason = decode(payload);
        return reason == null ? message(InputEvent.ROOT, schema.root()).toString() : "rejected: " + reason;
    }

    private Map<String, String> message(int record, MessageSchema message) {
        Map<String, String> fields = new TreeMap<>();
        for (FieldSchema field : message.fields()) {
            String value = field(record, field);
            if (value != null) {
                fields.put(field.name(), value);
            }
        }
        return fields;
    }

    @Nullable
    String field(int record, FieldSchema field) {
        if (field.kind() == FieldKind.MESSAGE) {
            boolean there = event.has(record, field.valueSlot());
            String content = field.message() == null
                    ? ""
                    : message(record, field.message()).toString();
            return there ? content : content.equals("{}") || content.isEmpty() ? null : "ghost " + content;
        }
        if (field.valueSlot() < 0 || !event.has(record, field.valueSlot())) {
            return null;
        }
        long value = event.get(record, field.valueSlot());
        return switch (field.kind()) {
            case INT32, INT64, UINT32, TIMESTAMP, BOOL -> Long.toString(value);
            case UINT64 -> Long.toUnsignedString(value);
            case DOUBLE ->
                Double.longBitsToDouble(value)
                        + (field.microsSlot() < 0 ? "" : "/" + event.get(record, field.microsSlot()));
            case STRING, ENUM -> '"' + event.string(value) + '"';
            case LIST, MAP -> list(value, field);
            case MESSAGE, MEMBER -> throw new AssertionError();
        };
    }

    private String list(long list, FieldSchema field) {
        StringBuilder text = new StringBuilder("[");
        int record = InputEvent.listHead(list);
        ElementSchema element = java.util.Objects.requireNonNull(field.element());
        for (int i = 0; i < InputEvent.listLength(list); i++) {
            text.append(i == 0 ? "" : ", ");
            if (element.key() != null) {
                text.append(field(record, element.key())).append(": ");
            }
            text.append(element.value() == null ? "?" : field(record, element.value()));
            if (i + 1 < InputEvent.listLength(list)) {
                record = event.next(record);
            }
        }
        return text.append(']').toString();
    }
}
