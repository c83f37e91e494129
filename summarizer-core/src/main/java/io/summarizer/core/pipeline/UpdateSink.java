package io.summarizer.core.pipeline;

/** Where the updates for the rows of one owner go: to its queue, or at once into the rows. Thread-safe. */
interface UpdateSink {
    /** Takes a batch over, which is recycled once it was applied; false when there is no room. */
    boolean offer(OwnerTask.Updates updates);

    /** As {@link #offer}; waits for room as long as it takes. */
    void put(OwnerTask.Updates updates) throws InterruptedException;
}
