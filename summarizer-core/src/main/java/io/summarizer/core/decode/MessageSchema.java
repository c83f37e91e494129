package io.summarizer.core.decode;

import java.util.List;

/**
 * The wanted fields of a message. The fields of singular messages within the message lie in the same record. So a
 * message is a range of slots, and is cleared by clearing this range. Immutable.
 *
 * @param firstSlot first slot of the message's own and flattened fields
 * @param endSlot the slot after the last
 */
public record MessageSchema(List<FieldSchema> fields, int firstSlot, int endSlot) {
    public MessageSchema {
        fields = List.copyOf(fields);
    }
}
