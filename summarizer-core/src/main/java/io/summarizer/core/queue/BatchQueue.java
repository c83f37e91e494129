package io.summarizer.core.queue;

import org.jspecify.annotations.Nullable;

/**
 * A bounded first-in-first-out queue of batches. Handing a batch over publishes everything written to it before.
 *
 * <p>Taking and waiting are separate calls, because a parser worker takes inside its gate and waits outside of it: a
 * worker that held a batch while waiting at a closed gate would tear a hole into the prefix that a cut stands for.
 *
 * <p>Any number of producers; as many consumers as the implementation's Javadoc says.
 *
 * @param <T> what is queued
 */
public interface BatchQueue<T> {
    /** Adds a batch unless the queue is full; never blocks. For event loops. */
    boolean offer(T batch);

    /** Adds a batch, waiting for room as long as it takes. */
    void put(T batch) throws InterruptedException;

    /** Takes the oldest batch; null when there is none. Never blocks. */
    @Nullable
    T poll();

    /** Waits until {@link #poll} may find something, {@link #wakeUp} is called, or about {@code nanos} have passed. */
    void await(long nanos) throws InterruptedException;

    /** Ends the wait of all consumers that are in {@link #await} now. */
    void wakeUp();

    /** Batches in the queue; exact when nobody adds or takes. */
    int size();

    /** Batches the queue has room for. */
    int capacity();
}
