package io.summarizer.core.queue;

import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded first-in-first-out queue of batches. Handing a batch over publishes everything written to it before.
 *
 * <p>Taking and waiting are separate calls, because a parser worker takes inside its gate and waits outside it: a
 * worker that held a batch while waiting at a closed gate would leave a hole in the prefix that a cut covers.
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
 * Any number of producers; as many consumers as {@link QueueKind} says. A closed queue refuses new batches, hands out
 * those it holds, and is then drained for good.
 *
 * @param <T> type of a batch; never null
 */
public interface BatchQueue<T> {
    /**
     * Adds a batch; returns false, without effect, when the queue is full or closed. Never blocks, so event loops may
     * call it.
     */
    boolean offer(T batch);

    /**
     * Adds a batch, waiting for room without a time limit.
     *
     * @throws QueueClosedException when the queue is closed, also while waiting; the batch was not added
     * @throws InterruptedException while waiting only; the batch was not added
     */
    default void put(T batch) throws InterruptedException {
        for (int looks = 0; !offer(batch); looks++) {
            if (isClosed()) {
                throw new QueueClosedException();
            }
            awaitRoom(looks);
        }
    }

    /** Pauses between two offers of a refused batch, finally for about 50 µs; {@code looks} counts the offers. */
    static void awaitRoom(int looks) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Backoff.yieldThenSleep(looks);
    }

    /** Takes the oldest batch; null when there is none. Never blocks. */
    @Nullable
    T poll();

    /**
     * Takes the oldest batches, at most {@code max}, in one operation if the kind of queue has one. Never blocks.
     *
     * @param into receives the batches at its end, in order; not used by another thread, and must not fail
     * @return number of batches taken
     */
    int drain(List<? super T> into, int max);

    /**
     * Waits until {@link #poll} may find something, {@link #wakeUp} is called, the queue is closed, or about
     * {@code nanos} have passed. May return spuriously.
     */
    void await(long nanos) throws InterruptedException;

    /** Ends the wait of all consumers that are in {@link #await}. */
    void wakeUp();

    /** Closes the queue: it refuses batches from now on, and all waiting threads wake up. Can be called again. */
    void close();

    /** Whether {@link #close} was called. */
    boolean isClosed();

    /** Whether the queue is closed, nothing is in it, and nothing will be. Once true it stays so. */
    boolean isDrained();

    /** Whether at most half of the room is used, so that producers that were refused may try again. */
    default boolean isHalfEmpty() {
        return size() <= capacity() / 2;
    }

    /** Batches in the queue; exact while nobody adds or takes. */
    int size();

    /** Batches the queue has room for. */
    int capacity();

    /** Bytes of the batches in the queue if it bounds them; otherwise 0. */
    default long bytes() {
        return 0;
    }

    /**
     * The same queue with a bound on the bytes of its batches. A batch larger than the bound enters when the queue is
     * empty; batches of 0 bytes always enter.
     *
     * @param queue the queue; nobody else may use it from now on
     * @param weigh gives the bytes of a batch, which must not change while it is queued
     */
    static <T> BatchQueue<T> weighed(BatchQueue<T> queue, long bytesMax, ToLongFunction<? super T> weigh) {
        return new WeighedQueue<>(queue, bytesMax, weigh);
    }
}
