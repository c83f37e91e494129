package io.summarizer.core.evolve;

import io.summarizer.core.store.SummaryStore;

/** The stores of a summary that rows are loaded into. */
@FunctionalInterface
interface LoadTarget {
    /**
     * The store that takes the rows of a partition.
     *
     * @param window start of the window of the rows; {@link SummaryStore#NO_WINDOW} if the summary has no windows
     */
    SummaryStore store(int partition, long window);
}
