package io.summarizer.core.decode;

import org.jspecify.annotations.Nullable;

/** A wanted field and the tables of what is within it. Belongs to one decoder. */
final class JsonField {
    final FieldSchema schema;
    final FieldKind kind;
    final int valueSlot;
    final int microsSlot;
    /** Of a MESSAGE. */
    final @Nullable JsonMessage message;
    /** Of a LIST or MAP: its elements' or values', null when not wanted. */
    final @Nullable JsonField element;
    /** Of a MAP. */
    final @Nullable FieldSchema key;
    /** Of a LIST or MAP: slots of an element's record. */
    final int elementSlots;

    JsonField(FieldSchema schema) {
        this.schema = schema;
        kind = schema.kind();
        valueSlot = schema.valueSlot();
        microsSlot = schema.microsSlot();
        message = schema.message() == null ? null : new JsonMessage(schema.message());
        ElementSchema elementSchema = schema.element();
        if (elementSchema == null) {
            element = null;
            key = null;
            elementSlots = 0;
        } else {
            element = elementSchema.value() == null ? null : new JsonField(elementSchema.value());
            key = elementSchema.key();
            elementSlots = elementSchema.slots();
        }
    }
}
