package io.summarizer.core.pipeline;

/** Takes the updates for the rows of one owner: into its queue, or directly into the rows. Thread-safe. */
interface UpdateSink {
    /**
     * Takes a batch over, and recycles it after it was applied. Returns false when the owner has no room, or when
     * another thread uses it at the moment.
     */
    boolean offer(OwnerTask.Updates updates);

    /** Takes a batch over as {@link #offer} does, and waits for room without a time limit. */
    void put(OwnerTask.Updates updates) throws InterruptedException;
}
