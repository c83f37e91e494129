package io.summarizer.core.decode;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Schemas by hand. */
final class Schemas {
    static final EnumNames COLORS = new EnumNames(Map.of("UNKNOWN", 0, "RED", 1, "BLUE", -2));

    private int next;

    static EventSchema schema(EventSchema.Format format, FieldSchema... fields) {
        int slots = 0;
        for (FieldSchema field : fields) {
            slots = Math.max(slots, Math.max(field.valueSlot(), field.microsSlot()) + 1);
            if (field.message() != null) {
                slots = Math.max(slots, field.message().endSlot());
            }
        }
        return new EventSchema(format, new MessageSchema(List.of(fields), 0, slots), slots, List.of(ZoneOffset.UTC));
    }

    FieldSchema scalar(String name, int column, FieldKind kind) {
        int slot = next++;
        return new FieldSchema(
                name,
                name + "Json",
                column,
                kind,
                slot,
                kind == FieldKind.DOUBLE ? next++ : -1,
                kind == FieldKind.ENUM ? COLORS : null,
                null,
                null,
                FieldSchema.NO_ONEOF);
    }

    /** A field with one scalar slot and nothing else. */
    static FieldSchema scalar(String name, int column, FieldKind kind, int slot) {
        return new FieldSchema(name, name, column, kind, slot, -1, null, null, null, FieldSchema.NO_ONEOF);
    }

    FieldSchema message(String name, int column, java.util.function.Function<Schemas, List<FieldSchema>> fields) {
        int slot = next++;
        int first = next;
        List<FieldSchema> within = fields.apply(this);
        return new FieldSchema(
                name,
                name + "Json",
                column,
                FieldKind.MESSAGE,
                slot,
                -1,
                null,
                new MessageSchema(within, first, next),
                null,
                FieldSchema.NO_ONEOF);
    }

    FieldSchema list(String name, int column, java.util.function.Function<Schemas, FieldSchema> element) {
        Schemas own = new Schemas();
        FieldSchema value = element.apply(own);
        return new FieldSchema(
                name,
                name + "Json",
                column,
                FieldKind.LIST,
                next++,
                -1,
                null,
                null,
                new ElementSchema(own.next, value, null),
                FieldSchema.NO_ONEOF);
    }

    FieldSchema map(
            String name,
            int column,
            FieldKind key,
            java.util.function.@Nullable Function<Schemas, FieldSchema> element) {
        Schemas own = new Schemas();
        FieldSchema keyField = own.scalar("key", 1, key);
        FieldSchema value = element == null ? null : element.apply(own);
        return new FieldSchema(
                name,
                name + "Json",
                column,
                FieldKind.MAP,
                next++,
                -1,
                null,
                null,
                new ElementSchema(own.next, value, keyField),
                FieldSchema.NO_ONEOF);
    }

    /** The field as a member of a {@code oneof} of its message. */
    static FieldSchema inOneof(FieldSchema field, int oneof) {
        return with(field.jsonName(), oneof, field);
    }

    /** The field with another {@code json_name}. */
    static FieldSchema named(String jsonName, FieldSchema field) {
        return with(jsonName, field.oneof(), field);
    }

    private static FieldSchema with(String jsonName, int oneof, FieldSchema field) {
        return new FieldSchema(
                field.name(),
                jsonName,
                field.column(),
                field.kind(),
                field.valueSlot(),
                field.microsSlot(),
                field.enumNames(),
                field.message(),
                field.element(),
                oneof);
    }

    static List<FieldSchema> scalars(Schemas schemas) {
        List<FieldSchema> fields = new ArrayList<>();
        fields.add(schemas.scalar("i32", 1, FieldKind.INT32));
        fields.add(schemas.scalar("i64", 2, FieldKind.INT64));
        fields.add(schemas.scalar("u32", 3, FieldKind.UINT32));
        fields.add(schemas.scalar("u64", 4, FieldKind.UINT64));
        fields.add(schemas.scalar("d", 5, FieldKind.DOUBLE));
        fields.add(schemas.scalar("b", 6, FieldKind.BOOL));
        fields.add(schemas.scalar("s", 7, FieldKind.STRING));
        fields.add(schemas.scalar("e", 8, FieldKind.ENUM));
        fields.add(schemas.scalar("t", 9, FieldKind.TIMESTAMP));
        return fields;
    }
}
