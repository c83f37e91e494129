package io.summarizer.core.decode;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The wanted fields of the payloads of one event type. Immutable; decoders are generated from it.
 *
 * @param slots number of slots of the event's record
 * @param zones for each listener, by its number, the time zone for times that are sent without a zone; the last entry
 *     applies to all further listeners
 */
public record EventSchema(Format format, MessageSchema root, int slots, List<ZoneId> zones) {
    /** The format of a payload. */
    public enum Format {
        CSV,
        JSON,
        TEXT
    }

    public EventSchema {
        zones = List.copyOf(zones);
        if (zones.isEmpty()) {
            throw new IllegalArgumentException("at least one zone is needed");
        }
    }

    /**
     * All wanted fields. Each field comes before the fields within it, and a map's key comes before its values.
     * Decoders identify a field by its position in this list.
     */
    public List<FieldSchema> fields() {
        List<FieldSchema> fields = new ArrayList<>();
        collect(root, fields, new ArrayList<>());
        return fields;
    }

    /**
     * All messages with wanted fields. Each message comes before the messages within it; the first message is the root.
     */
    public List<MessageSchema> messages() {
        List<MessageSchema> messages = new ArrayList<>();
        collect(root, new ArrayList<>(), messages);
        return messages;
    }

    /**
     * For each of {@link #fields()}, the other members of the field's {@code oneof}. They become null when the payload
     * has the field.
     */
    FieldSchema[][] rivals() {
        List<FieldSchema> fields = fields();
        IdentityHashMap<FieldSchema, FieldSchema[]> rivals = new IdentityHashMap<>();
        for (MessageSchema message : messages()) {
            for (FieldSchema field : message.fields()) {
                rivals.put(
                        field,
                        message.fields().stream()
                                .filter(other -> field.isRivalOf(other))
                                .toArray(FieldSchema[]::new));
            }
        }
        return fields.stream()
                .map(field -> rivals.getOrDefault(field, new FieldSchema[0]))
                .toArray(FieldSchema[][]::new);
    }

    private static void collect(MessageSchema message, List<FieldSchema> fields, List<MessageSchema> messages) {
        messages.add(message);
        message.fields().forEach(field -> collect(field, fields, messages));
    }

    private static void collect(FieldSchema field, List<FieldSchema> fields, List<MessageSchema> messages) {
        fields.add(field);
        if (field.message() != null) {
            collect(field.message(), fields, messages);
        }
        ElementSchema element = field.element();
        if (element != null && element.key() != null) {
            collect(element.key(), fields, messages);
        }
        if (element != null && element.value() != null) {
            collect(element.value(), fields, messages);
        }
    }

    ZoneId zone(int listener) {
        return zones.get(Math.min(listener, zones.size() - 1));
    }
}
