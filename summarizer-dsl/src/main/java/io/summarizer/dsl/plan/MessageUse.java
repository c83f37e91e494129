package io.summarizer.dsl.plan;

import io.summarizer.core.decode.MessageSchema;
import io.summarizer.dsl.model.EventField;
import java.util.LinkedHashMap;
import java.util.Map;

/** The used fields of a message, in the order of their first use. */
final class MessageUse {
    private final Map<String, FieldUse> fields = new LinkedHashMap<>();
    private int firstSlot;
    private int endSlot;

    FieldUse field(EventField field) {
        return fields.computeIfAbsent(field.name(), name -> new FieldUse(field, false));
    }

    /** Numbers the slots of all fields, those of messages within included: a message is a range of slots. */
    int assign(int firstFree) {
        firstSlot = firstFree;
        endSlot = firstFree;
        for (FieldUse field : fields.values()) {
            endSlot = field.assign(endSlot);
        }
        return endSlot;
    }

    int slots() {
        return endSlot;
    }

    MessageSchema schema() {
        return new MessageSchema(fields.values().stream().map(FieldUse::schema).toList(), firstSlot, endSlot);
    }
}
