package io.summarizer.core.pipeline;

/**
 * The work of a thread of the pipeline, in steps that do not wait for work. One thread can therefore take the steps of
 * several agents, in any order. One thread at a time.
 */
interface Agent {
    /**
     * Does some of the available work; returns whether any was done. Waits for another agent in one case only: the
     * messages of one batch have more updates for an owner than a batch of updates holds, and this owner has no room.
     */
    boolean doWork() throws InterruptedException;

    /** Waits until there may be work, or until a short time has passed. */
    void awaitWork() throws InterruptedException;

    /** Whether all work is done and no more work will come. */
    boolean isDone();

    /** Runs when the agent ends, for whatever reason; no step follows. */
    default void ended() {}

    /** Works until all is done. */
    default void work() throws InterruptedException {
        while (!isDone()) {
            if (!doWork()) {
                awaitWork();
            }
        }
    }
}
