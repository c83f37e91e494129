package io.summarizer.core.decode;

import java.util.List;

/**
 * The wanted fields of a message. The fields of its singular messages lie in the same record. So a message is a range
 * of slots; clearing the range clears the message. Immutable.
 *
 * @param firstSlot first slot of the message's own and flattened fields
 * @param endSlot the slot after the last
 */
public record MessageSchema(List<FieldSchema> fields, int firstSlot, int endSlot) {
    public MessageSchema {
        fields = List.copyOf(fields);
    }
}
