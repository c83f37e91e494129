package io.summarizer.core.decode;

import java.util.List;

/**
 * The wanted fields of a message. If a field is itself a message, and not repeated, the slots of the inner message lie
 * within the slots of the outer message, in the same record. So clearing one range of slots clears both messages.
 * Immutable.
 *
 * @param firstSlot first slot of the message's own and flattened fields
 * @param endSlot the slot after the last
 */
public record MessageSchema(List<FieldSchema> fields, int firstSlot, int endSlot) {
    public MessageSchema {
        fields = List.copyOf(fields);
    }
}
