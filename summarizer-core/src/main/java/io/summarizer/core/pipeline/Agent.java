package io.summarizer.core.pipeline;

/**
 * The work of a thread of the pipeline, in steps that do not wait for work: so that one thread can do the work of several agents in
 * turns, in an order of its choice. One thread at a time.
 */
interface Agent {
    /** Does some of what there is to do; returns whether there was anything. Waits for nothing but room for what it makes. */
    boolean doWork() throws InterruptedException;

    /** Waits until there may be work, or a while has passed. */
    void awaitWork() throws InterruptedException;

    /** Whether there is nothing to do and never will be. */
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
