package io.summarizer.dsl.model;

import io.summarizer.core.store.SummaryLayout;
import java.util.List;

/**
 * All definitions of a folder, checked.
 *
 * @param events event types in the order of their first {@code event} declaration
 * @param summaries top-level summaries in the order of definition, followed by the summaries that take overflow
 * @param mappings mappings in the order of definition
 */
public record Definitions(List<EventType> events, List<SummaryLayout> summaries, List<Mapping> mappings) {
    public Definitions {
        events = List.copyOf(events);
        summaries = List.copyOf(summaries);
        mappings = List.copyOf(mappings);
    }

    /**
     * Returns definitions with the same event types and summaries, but only with the mappings into the summary at
     * position {@code summary}.
     */
    public Definitions only(int summary) {
        return new Definitions(
                events,
                summaries,
                mappings.stream()
                        .filter(mapping -> mapping.summary() == summary)
                        .toList());
    }

    /**
     * A pair of an event type whose events are counted once, and a summary that a mapping of this event type updates.
     *
     * @param event position in {@link #events()}
     * @param summary position in {@link #summaries()}
     */
    public record Once(int event, int summary) {}

    /**
     * All {@link Once} pairs, in the order of their first mapping. Guarded records refer to a pair by its position in
     * this list.
     */
    public List<Once> countedOnce() {
        return mappings.stream()
                .filter(mapping -> events.get(mapping.event()).dedup() != null)
                .map(mapping -> new Once(mapping.event(), mapping.summary()))
                .distinct()
                .toList();
    }
}
