package io.summarizer.core.queue;

import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded first-in-first-out queue of batches. Handing a batch over publishes everything written to it before.
 *
 * <p>Taking and waiting are separate calls, because a parser worker takes inside its gate and waits outside of it: a
 * worker that held a batch while waiting at a closed gate would tear a hole into the prefix that a cut stands for.
 * <pre>
 *   while (!queue.isDrained()) {
 *       T batch = queue.poll();
 *       if (batch == null) {
 *           queue.await(nanos);
 *       } else {
 *           process(batch);
 *       }
 *   }
 * </pre>
 * Any number of producers; as many consumers as {@link QueueKind} says. A queue that is closed refuses what comes, hands out
 * what it holds, and is then drained for good.
 *
 * @param <T> what is queued; never null
 */
public interface BatchQueue<T> {
    /** Adds a batch; false, with nothing done, when the queue is full or closed. Never blocks: for event loops. */
    boolean offer(T batch);

    /**
     * Adds a batch, waiting for room as long as it takes.
     *
     * @throws QueueClosedException when the queue is closed, also while waiting; the batch was not added
     * @throws InterruptedException while waiting only; the batch was not added
     */
    default void put(T batch) throws InterruptedException {
        for (int looks = 0; !offer(batch); looks++) {
            if (isClosed()) {
                throw new QueueClosedException();
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Backoff.yieldThenSleep(looks);
        }
    }

    /** Takes the oldest batch; null when there is none. Never blocks. */
    @Nullable
    T poll();

    /**
     * Takes the oldest batches, as many as there are and {@code max} at most, in one operation where the queue has one for it.
     * Never blocks.
     *
     * @param into where they are added at the end, in order; not used by another thread, and must not fail
     * @return how many
     */
    int drain(List<? super T> into, int max);

    /**
     * Waits until {@link #poll} may find something, {@link #wakeUp} is called, the queue is closed, or about {@code nanos} have
     * passed. May return for no reason.
     */
    void await(long nanos) throws InterruptedException;

    /** Ends the wait of all consumers that are in {@link #await} now. */
    void wakeUp();

    /** Has the queue refuse what is offered or put from now on, and wakes all who wait. Can be called again. */
    void close();

    /** Whether {@link #close} was called. */
    boolean isClosed();

    /** Whether the queue is closed, nothing is in it, and nothing will be. Once true it stays so. */
    boolean isDrained();

    /** Whether at most half of the room is taken: for producers that were refused to come again. */
    default boolean isHalfEmpty() {
        return size() <= capacity() / 2;
    }

    /** Batches in the queue; exact when nobody adds or takes. */
    int size();

    /** Batches the queue has room for. */
    int capacity();

    /** Bytes of the batches in the queue, where it bounds them; otherwise 0. */
    default long bytes() {
        return 0;
    }

    /**
     * The same queue with a bound on the bytes of its batches. One that exceeds the bound alone enters when the queue is empty; those
     * of 0 bytes always enter.
     *
     * @param queue used by nobody else from now on
     * @param weigh the bytes of a batch, which do not change while it is queued
     */
    static <T> BatchQueue<T> weighed(BatchQueue<T> queue, long bytesMax, ToLongFunction<? super T> weigh) {
        return new WeighedQueue<>(queue, bytesMax, weigh);
    }
}
