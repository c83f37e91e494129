package io.summarizer.dsl.plan;

import io.summarizer.core.decode.FieldSchema;
import io.summarizer.core.decode.MessageSchema;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.MessageType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The used fields of a message, in the order of their first use. */
final class MessageUse {
    private final Map<String, FieldUse> fields = new LinkedHashMap<>();
    private final MessageType type;
    private int firstSlot;
    private int endSlot;

    MessageUse(MessageType type) {
        this.type = type;
    }

    FieldUse field(EventField field) {
        return fields.computeIfAbsent(field.name(), name -> new FieldUse(field, false));
    }

    /**
     * Gives numbers to the slots of all fields, including the fields of messages in this message, so that the slots of
     * a message are a range.
     */
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
        List<String> oneofs = type.fields().stream()
                .filter(field -> fields.containsKey(field.name()))
                .map(EventField::oneof)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        List<FieldSchema> schemas = new ArrayList<>();
        fields.values().forEach(use -> schemas.add(use.schema(oneofs.indexOf(use.oneof()))));
        // The decoder needs all members of a used oneof, because a member in the payload makes all earlier members
        // null.
        for (EventField field : type.fields()) {
            int oneof = oneofs.indexOf(field.oneof());
            if (oneof >= 0 && !fields.containsKey(field.name())) {
                schemas.add(FieldSchema.member(field.name(), field.jsonName(), field.number(), oneof));
            }
        }
        return new MessageSchema(schemas, firstSlot, endSlot);
    }
}
