package io.summarizer.dsl.plan;

import io.summarizer.core.decode.ElementSchema;
import io.summarizer.core.decode.EnumNames;
import io.summarizer.core.decode.FieldKind;
import io.summarizer.core.decode.FieldSchema;
import io.summarizer.dsl.model.EventField;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The uses of a field by the mappings of its event type, and the slots of the field. {@link EventPlan} collects the
 * uses; afterwards a field use is immutable.
 */
public final class FieldUse {
    private static final int NONE = -1;

    private final EventField field;
    private final FieldKind kind;
    private boolean value;
    private boolean micros;
    private int valueSlot = NONE;
    private int microsSlot = NONE;
    private @Nullable MessageUse message;
    private @Nullable ElementUse element;

    /** The use of a whole field; with {@code asElement}, the use of the elements of a repeated field. */
    FieldUse(EventField field, boolean asElement) {
        this.field = field;
        kind = field.repeated() && !asElement ? FieldKind.LIST : kind(field.type());
        if (kind == FieldKind.LIST || kind == FieldKind.MAP) {
            element = new ElementUse(field);
        }
    }

    private static FieldKind kind(EventField.Kind kind) {
        return switch (kind) {
            case INT32 -> FieldKind.INT32;
            case INT64 -> FieldKind.INT64;
            case UINT32 -> FieldKind.UINT32;
            case UINT64 -> FieldKind.UINT64;
            case FLOAT, DOUBLE -> FieldKind.DOUBLE;
            case BOOL -> FieldKind.BOOL;
            case STRING, BYTES -> FieldKind.STRING;
            case ENUM -> FieldKind.ENUM;
            case MESSAGE -> FieldKind.MESSAGE;
            case TIMESTAMP -> FieldKind.TIMESTAMP;
            case MAP -> FieldKind.MAP;
        };
    }

    /** Name of the {@code oneof} of the field, or null. */
    @Nullable
    String oneof() {
        return field.oneof();
    }

    /** The kind of the decoded field. */
    public FieldKind kind() {
        return kind;
    }

    /** Slot of the value; -1 when nothing uses the value. */
    public int valueSlot() {
        return valueSlot;
    }

    /** Slot of the exact value in millionths; -1 when nothing uses this value. */
    public int microsSlot() {
        return microsSlot;
    }

    void useValue() {
        value = true;
    }

    /** Records a use of exact millionths if the field is a decimal number, otherwise a use of the field's value. */
    void useMicros() {
        if (kind == FieldKind.DOUBLE) {
            micros = true;
        } else {
            value = true;
        }
    }

    MessageUse message() {
        if (message == null) {
            if (field.message() == null) {
                throw new IllegalArgumentException(field.name() + " is not a message");
            }
            message = new MessageUse(field.message());
        }
        return message;
    }

    ElementUse element() {
        if (element == null) {
            throw new IllegalArgumentException(field.name() + " is neither repeated nor a map");
        }
        return element;
    }

    /**
     * Gives numbers to the slots of this field and of the fields within it. The slots are in the record of the field.
     * Returns the next free slot.
     */
    int assign(int firstFree) {
        int next = firstFree;
        if (value) {
            valueSlot = next++;
        }
        if (micros) {
            microsSlot = next++;
        }
        if (message != null) {
            next = message.assign(next);
        }
        if (element != null) {
            element.assign();
        }
        return next;
    }

    /** The schema for decoders; {@code oneof} is the number of the field's oneof among the oneofs of the message. */
    FieldSchema schema(int oneof) {
        return new FieldSchema(
                field.name(),
                field.jsonName(),
                field.number(),
                kind,
                valueSlot,
                microsSlot,
                enumNames(),
                message == null ? null : message.schema(),
                element == null ? null : element.schema(),
                oneof);
    }

    private @Nullable EnumNames enumNames() {
        if (field.enumConstants() == null) {
            return null;
        }
        Map<String, Integer> constants = new LinkedHashMap<>();
        for (EventField.EnumConstant constant : field.enumConstants()) {
            constants.put(constant.name(), constant.number());
        }
        return new EnumNames(constants);
    }

    /** The uses of the elements of a list or of the entries of a map. Each element or entry has a record of its own. */
    static final class ElementUse {
        private final FieldUse value;
        private final @Nullable FieldUse key;
        private int slots;

        ElementUse(EventField list) {
            if (list.type() == EventField.Kind.MAP) {
                if (list.mapKey() == null || list.mapValue() == null) {
                    throw new IllegalArgumentException(list.name() + " is a map without a key or value");
                }
                // These names are for errors: an event may have several maps.
                value = new FieldUse(list.mapValue().named(list.name() + " value"), false);
                key = new FieldUse(list.mapKey().named(list.name() + " key"), false);
                // The key is needed so that the decoder can find the last of several entries with equal keys.
                key.useValue();
            } else {
                value = new FieldUse(list, true);
                key = null;
            }
        }

        FieldUse value() {
            return value;
        }

        FieldUse key() {
            if (key == null) {
                throw new IllegalArgumentException("only the entries of a map have keys");
            }
            return key;
        }

        void assign() {
            slots = value.assign(key == null ? 0 : key.assign(0));
        }

        ElementSchema schema() {
            boolean valueWanted = value.valueSlot >= 0 || value.microsSlot >= 0 || value.message != null;
            return new ElementSchema(
                    slots,
                    valueWanted ? value.schema(FieldSchema.NO_ONEOF) : null,
                    key == null ? null : key.schema(FieldSchema.NO_ONEOF));
        }
    }
}
