package io.summarizer.core.decode;

import org.jspecify.annotations.Nullable;

/**
 * A wanted field: its place in payloads and its slots in the record. Immutable.
 *
 * @param name name in the proto definition
 * @param jsonName its other name in JSON
 * @param column number of the field's column in a CSV payload, from 1; equal to the number of the field
 * @param kind its type
 * @param valueSlot slot of the value; for a MESSAGE, slot of the field's presence; for a LIST or MAP, slot of the list.
 *     -1 when the value, or the presence, is not wanted
 * @param microsSlot for a DOUBLE, slot of the exact value in millionths, -1 when not wanted
 * @param enumNames the constants of an ENUM
 * @param message the wanted fields of a MESSAGE
 * @param element the elements of a LIST or MAP
 * @param oneof number of the field's {@code oneof} within the message; {@link #NO_ONEOF} when the field is in no {@code
 *     oneof}
 */
public record FieldSchema(
        String name,
        String jsonName,
        int column,
        FieldKind kind,
        int valueSlot,
        int microsSlot,
        @Nullable EnumNames enumNames,
        @Nullable MessageSchema message,
        @Nullable ElementSchema element,
        int oneof) {
    /** Stands for no {@code oneof}. */
    public static final int NO_ONEOF = -1;

    /** A member of a {@code oneof} that no mapping reads. */
    public static FieldSchema member(String name, String jsonName, int column, int oneof) {
        return new FieldSchema(name, jsonName, column, FieldKind.MEMBER, -1, -1, null, null, null, oneof);
    }

    /** Whether this field and another field of the same message are members of the same {@code oneof}. */
    public boolean isRivalOf(FieldSchema other) {
        return oneof != NO_ONEOF && oneof == other.oneof && column != other.column;
    }

    /** Sets the field and all fields within it to null in a record. */
    void clear(InputEvent event, int record) {
        if (valueSlot >= 0) {
            event.clear(record, valueSlot, valueSlot + 1);
        }
        if (microsSlot >= 0) {
            event.clear(record, microsSlot, microsSlot + 1);
        }
        if (message != null) {
            event.clear(record, message.firstSlot(), message.endSlot());
        }
    }
}
