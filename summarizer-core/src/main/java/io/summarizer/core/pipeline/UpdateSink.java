package io.summarizer.core.pipeline;

/**
 * Takes the updates for one owner, and either puts them into the owner's queue or applies them to its rows.
 * Thread-safe.
 */
interface UpdateSink {
    /** Takes a batch over, and reuses it after applying it. Returns false when the owner's queue is full. */
    boolean offer(OwnerTask.Updates updates);

    /** Takes a batch over as {@link #offer} does, but waits without a time limit until the owner takes the batch. */
    void put(OwnerTask.Updates updates) throws InterruptedException;
}
