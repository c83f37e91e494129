package io.summarizer.core.store;

import java.util.List;
import java.util.Optional;

/**
 * All summaries as they were at one point of the stream: every batch is in it or not, parents and nested rows alike.
 * Immutable; any thread may read it. Whoever holds it holds the chunks of that point in memory.
 *
 * @param id names the cut to people; increasing
 * @param takenAtMicros when it was taken, in µs since the epoch
 * @param summaries in the order of definition
 */
public record Cut(long id, long takenAtMicros, List<SummaryView> summaries) {
    public Cut {
        summaries = List.copyOf(summaries);
    }

    /** The top-level summary of this name. */
    public Optional<SummaryView> summary(String name) {
        return summaries.stream()
                .filter(summary -> summary.layout().name().equals(name))
                .findFirst();
    }
}
