package io.summarizer.core.pipeline;

/** Where the updates for the rows of one owner go: to its queue, or at once into the rows. Thread-safe. */
@FunctionalInterface
interface UpdateSink {
    /** Takes a batch over, which is recycled once it was applied; waits for room as long as it takes. */
    void put(OwnerTask.Updates updates) throws InterruptedException;
}
