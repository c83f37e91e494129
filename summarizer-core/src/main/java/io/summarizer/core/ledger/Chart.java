package io.summarizer.core.ledger;

import java.util.List;

/**
 * The names of the event types, mappings and summaries that have accounts in {@link Books}. Immutable.
 *
 * @param summaries names of the summaries; mappings refer to summaries by position
 */
public record Chart(List<String> summaries, List<EventType> events) {
    public Chart {
        summaries = List.copyOf(summaries);
        events = List.copyOf(events);
    }

    /** An event type and its mappings. */
    public record EventType(String name, List<Mapping> mappings) {
        public EventType {
            mappings = List.copyOf(mappings);
        }
    }

    /**
     * A mapping of an event type into a summary.
     *
     * @param narrow whether the mapping takes only some topics of its event type
     */
    public record Mapping(String name, int summary, boolean narrow) {}

    /** All mappings, in the order of their event types. */
    List<Mapping> mappings() {
        return events.stream().flatMap(event -> event.mappings().stream()).toList();
    }
}
