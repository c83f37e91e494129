package io.summarizer.dsl.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A proto3 message. Messages may be recursive, so the fields are set once, after construction. From then on, a message
 * type is immutable. Message types are compared by identity.
 */
public final class MessageType {
    private final String fullName;
    private List<EventField> fields = List.of();

    public MessageType(String fullName) {
        this.fullName = fullName;
    }

    /** Sets the fields. The importer calls this method once. */
    public void define(List<EventField> fields) {
        if (!this.fields.isEmpty()) {
            throw new IllegalStateException(fullName + " is defined already");
        }
        this.fields = List.copyOf(new ArrayList<>(fields));
    }

    /** Package-qualified name. */
    public String fullName() {
        return fullName;
    }

    /** Fields in the order of definition, including members of a {@code oneof}. */
    public List<EventField> fields() {
        return fields;
    }

    /** The field of this name. */
    public Optional<EventField> field(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    @Override
    public String toString() {
        return fullName;
    }
}
