package io.summarizer.core.pipeline;

/**
 * The work of a thread of the pipeline, in steps that do not wait for work. So one thread can take the steps of several
 * agents, in any order. One thread at a time.
 */
interface Agent {
    /**
     * Does some of the available work; returns whether any was done. Waits for no other agent, unless the
     * messages of one batch have more updates for an owner than a batch of updates holds, and the owner has no room
     * for these.
     */
    boolean doWork() throws InterruptedException;

    /** Waits until there may be something to do, or a while has passed. */
    void awaitWork() throws InterruptedException;

    /** Whether all work is done and none will come. */
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
