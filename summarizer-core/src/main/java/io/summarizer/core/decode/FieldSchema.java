package io.summarizer.core.decode;

import org.jspecify.annotations.Nullable;

/**
 * A wanted field: where it is found and which slots of its record it fills. Immutable.
 *
 * @param name proto name
 * @param jsonName the other name it may have in JSON
 * @param column of a CSV payload, from 1: the field's number
 * @param kind how it is read
 * @param valueSlot slot of the value (of presence for a message, of the list for LIST and MAP), -1 when not wanted
 * @param microsSlot of a DOUBLE: slot of the exact value in millionths, -1 when not wanted
 * @param enumNames of an ENUM
 * @param message of a MESSAGE: its wanted fields
 * @param element of a LIST or MAP
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
        @Nullable ElementSchema element) {

    /** A field with one scalar slot and nothing else. */
    public static FieldSchema scalar(String name, int column, FieldKind kind, int valueSlot) {
        return new FieldSchema(name, name, column, kind, valueSlot, -1, null, null, null);
    }
}
