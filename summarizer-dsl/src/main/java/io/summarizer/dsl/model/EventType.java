package io.summarizer.dsl.model;

import io.summarizer.core.route.TopicPattern;
import java.util.List;

/**
 * A proto message bound to topics and a format.
 *
 * @param name simple message name, or the qualified one where the simple one is ambiguous
 * @param topics patterns of all its {@code event} declarations (disjoint from those of other events)
 */
public record EventType(String name, MessageType message, List<TopicPattern> topics, Format format) {
    public EventType {
        topics = List.copyOf(topics);
    }

    /** How the payload is written. */
    public enum Format {
        CSV,
        JSON,
        TEXT
    }
}
