package io.summarizer.core.pipeline;

/**
 * The work of one pipeline thread, in steps. A step does not wait for work, so one thread can take the steps of several
 * agents, in any order. Used by one thread at a time.
 */
interface Agent {
    /**
     * Does some of the available work. Returns whether any work was available. Waits for another agent in one case
     * only: when a message batch has more updates for an owner than fit into one update batch, and the queue of this
     * owner is full.
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
