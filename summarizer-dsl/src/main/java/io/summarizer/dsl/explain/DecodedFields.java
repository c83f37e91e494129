package io.summarizer.dsl.explain;

import io.summarizer.core.decode.ElementSchema;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.FieldKind;
import io.summarizer.core.decode.FieldSchema;
import io.summarizer.core.decode.IInputEvent;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.MessageSchema;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.explain.Explanation.DecodedField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lists the fields that a decoder found. Immutable. */
final class DecodedFields {
    /** Maximum number of elements shown of one list. */
    private static final int ELEMENTS_MAX = 10;
    /** Maximum number of fields that are shown for one event, including the fields in elements of lists. */
    private static final int FIELDS_MAX = 200;

    private final MessageSchema root;

    DecodedFields(EventSchema schema) {
        root = schema.root();
    }

    /**
     * The fields of {@code event}, in the order of their first use. The name of a field within a list contains the
     * position of the field's element in the list, from 0.
     */
    List<DecodedField> of(IInputEvent event) {
        List<DecodedField> fields = new ArrayList<>();
        message(event, InputEvent.ROOT, root, "", fields);
        if (fields.size() > FIELDS_MAX) {
            fields.subList(FIELDS_MAX, fields.size()).clear();
            fields.add(new DecodedField("...", "", "and further ones"));
        }
        return fields;
    }

    private static void message(
            IInputEvent event, int record, MessageSchema message, String prefix, List<DecodedField> fields) {
        for (FieldSchema field : message.fields()) {
            if (field.kind() != FieldKind.MEMBER) {
                field(event, record, field, prefix + field.name(), fields);
            }
        }
    }

    private static void field(
            IInputEvent event, int record, FieldSchema field, String name, List<DecodedField> fields) {
        if (fields.size() > FIELDS_MAX) {
            return;
        }
        String type = field.kind().name().toLowerCase(Locale.ROOT);
        MessageSchema message = field.message();
        ElementSchema element = field.element();
        if (message != null) {
            if (field.valueSlot() >= 0 && !event.has(record, field.valueSlot())) {
                fields.add(new DecodedField(name, type, null));
            } else {
                message(event, record, message, name + ".", fields);
            }
        } else if (field.kind() == FieldKind.MESSAGE) { // nothing of it is decoded
            boolean isPresent = event.has(record, field.valueSlot());
            fields.add(new DecodedField(name, type, isPresent ? "present" : null));
        } else if (element != null) {
            list(event, record, field, element, name, fields);
        } else {
            fields.add(new DecodedField(name, type, value(event, record, field)));
        }
    }

    private static void list(
            IInputEvent event,
            int record,
            FieldSchema field,
            ElementSchema element,
            String name,
            List<DecodedField> fields) {
        String type = field.kind().name().toLowerCase(Locale.ROOT);
        if (!event.has(record, field.valueSlot())) {
            fields.add(new DecodedField(name, type, null));
            return;
        }
        long list = event.get(record, field.valueSlot());
        int length = InputEvent.listLength(list);
        fields.add(new DecodedField(name, type, length + (length == 1 ? " element" : " elements")));
        int at = InputEvent.listHead(list);
        for (int i = 0; i < Math.min(length, ELEMENTS_MAX); i++) {
            FieldSchema key = element.key();
            FieldSchema value = element.value();
            String keyText = key == null ? null : value(event, at, key);
            String inner = name + "[" + (key == null ? Integer.toString(i) : keyText == null ? "null" : keyText) + "]";
            if (value != null) {
                field(event, at, value, inner, fields);
            } else if (key != null) {
                fields.add(new DecodedField(inner, "key", "present"));
            }
            at = event.next(at);
        }
    }

    private static @Nullable String value(IInputEvent event, int record, FieldSchema field) {
        int slot = field.valueSlot() >= 0 ? field.valueSlot() : field.microsSlot();
        if (slot < 0 || !event.has(record, slot)) {
            return null;
        }
        long bits = event.get(record, slot);
        if (field.valueSlot() < 0) {
            return Spelling.micros(bits);
        }
        return switch (field.kind()) {
            case INT32, INT64, UINT32 -> Long.toString(bits);
            case UINT64 -> Long.toUnsignedString(bits);
            case DOUBLE -> Double.toString(Double.longBitsToDouble(bits));
            case BOOL -> bits == 0 ? "false" : "true";
            case STRING, ENUM -> Spelling.quoted(event.string(bits));
            case TIMESTAMP -> TimestampText.toString(bits);
            case MESSAGE, LIST, MAP, MEMBER -> throw new IllegalArgumentException(FieldKind.MESSAGE + " is no scalar");
        };
    }
}
