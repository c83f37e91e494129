package io.summarizer.dsl.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a proto3 message.
 *
 * @param jsonName the field's {@code json_name}, given or derived
 * @param oneof name of the {@code oneof} of which the field is a member, or null
 * @param type type of the field; for a repeated field, the type of its elements; for a map, {@link Kind#MAP}
 * @param message when the kind is MESSAGE: the message type of the field or, for a repeated field, of its elements
 * @param enumConstants constants of the enum when the kind is ENUM
 * @param mapKey when the kind is MAP: a field named {@code key}
 * @param mapValue when the kind is MAP: a field named {@code value}
 */
public record EventField(
        String name,
        String jsonName,
        int number,
        boolean repeated,
        @Nullable String oneof,
        Kind type,
        @Nullable MessageType message,
        @Nullable List<EnumConstant> enumConstants,
        @Nullable EventField mapKey,
        @Nullable EventField mapValue) {

    /** The kinds of types: protobuf's types, reduced to the differences that matter here. */
    public enum Kind {
        /** int32, sint32, sfixed32. */
        INT32,
        /** int64, sint64, sfixed64. */
        INT64,
        /** uint32, fixed32. */
        UINT32,
        /** uint64, fixed64. */
        UINT64,
        FLOAT,
        DOUBLE,
        BOOL,
        STRING,
        /** Base64 in JSON; not usable in expressions. */
        BYTES,
        ENUM,
        MESSAGE,
        /** {@code google.protobuf.Timestamp}. */
        TIMESTAMP,
        MAP
    }

    /** A field with one value, whose kind is neither ENUM nor MESSAGE. */
    public static EventField of(String name, int number, Kind kind) {
        return new EventField(name, name, number, false, null, kind, null, null, null, null);
    }

    /** Whether the field has elements, like a list or a map. */
    public boolean isList() {
        return repeated || type == Kind.MAP;
    }

    /** Whether the field is no single value. */
    public boolean isComposite() {
        return isList() || type == Kind.MESSAGE;
    }

    /** An element of the list, as a field. */
    public EventField element() {
        return new EventField(name, jsonName, number, false, oneof, type, message, enumConstants, mapKey, mapValue);
    }

    /** The same field with another name. */
    public EventField named(String other) {
        return new EventField(other, jsonName, number, repeated, oneof, type, message, enumConstants, mapKey, mapValue);
    }

    /** A constant of an enum. */
    public record EnumConstant(String name, int number) {}
}
