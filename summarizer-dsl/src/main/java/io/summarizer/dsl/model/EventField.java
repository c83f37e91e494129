package io.summarizer.dsl.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a proto3 message.
 *
 * @param jsonName its {@code json_name}, given or derived
 * @param oneof name of the {@code oneof} it is a member of, or null
 * @param type of the field; of the elements when it is repeated; {@link Kind#MAP} for a map
 * @param message element message when the kind is MESSAGE
 * @param enumConstants when the kind is ENUM
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

    /** Wire types reduced to the differences that matter here. */
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

    /** Whether it has elements: a list or a map. */
    public boolean isList() {
        return repeated || type == Kind.MAP;
    }

    /** Whether it is no single value. */
    public boolean isComposite() {
        return isList() || type == Kind.MESSAGE;
    }

    /** An element of the list, as a field. */
    public EventField element() {
        return new EventField(name, jsonName, number, false, oneof, type, message, enumConstants, mapKey, mapValue);
    }

    /** A constant of an enum. */
    public record EnumConstant(String name, int number) {}
}
