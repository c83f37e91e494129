package io.summarizer.dsl.model;

import io.summarizer.core.store.SummaryLayout;
import java.util.List;

/**
 * All definitions of a folder, checked.
 *
 * @param events event types in the order of their first {@code event} declaration
 * @param summaries top-level summaries in the order of definition, then those that take the overflow of others
 * @param mappings mappings in the order of definition
 */
public record Definitions(List<EventType> events, List<SummaryLayout> summaries, List<Mapping> mappings) {
    public Definitions {
        events = List.copyOf(events);
        summaries = List.copyOf(summaries);
        mappings = List.copyOf(mappings);
    }
}
