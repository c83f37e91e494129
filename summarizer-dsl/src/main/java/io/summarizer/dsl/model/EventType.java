package io.summarizer.dsl.model;

import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.core.route.TopicPattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A proto message bound to topics and a format.
 *
 * @param name simple message name, or the qualified name if the simple name is ambiguous
 * @param topics patterns of all {@code event} declarations of this type; no topic matches patterns of two event types
 * @param dedup the clause that identifies the events of this type, or null when all events count
 */
public record EventType(
        String name,
        MessageType message,
        List<TopicPattern> topics,
        Format format,
        @Nullable Dedup dedup) {
    public EventType {
        topics = List.copyOf(topics);
    }

    /** An event type without a {@code dedup} clause: all of its events count. */
    public EventType(String name, MessageType message, List<TopicPattern> topics, Format format) {
        this(name, message, topics, format, null);
    }

    /** The same event type with this clause. */
    public EventType withDedup(@Nullable Dedup dedup) {
        return new EventType(name, message, topics, format, dedup);
    }

    /**
     * The clause {@code dedup by id within 1h}: an event is a duplicate if the window before the event has a counted
     * event with the same id. Duplicates are not counted.
     *
     * @param by the id; an event whose id is null always counts
     */
    public record Dedup(Expression by, long windowMicros) {}
}
