package io.summarizer.core.queue;

import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A bounded first-in-first-out queue of batches. A consumer sees everything that the producer wrote to a batch before
 * adding it.
 *
 * <p>Taking a batch and waiting for a batch are separate calls, because of the gate that a cut closes. A parser worker
 * takes batches inside the gate and waits outside. If a worker held a batch while it waited at the closed gate, the cut
 * would miss this batch, but have later batches.
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
 * Any number of producers; {@link QueueKind} gives the number of consumers. A closed queue refuses new batches, hands
 * out the batches that it holds, and is then drained for good.
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
     * Adds a batch; waits without a time limit while the queue is full.
     *
     * @throws QueueClosedException when the queue is closed before or during the wait; the batch was not added
     * @throws InterruptedException when the thread was interrupted during the wait; the batch was not added
     */
    default void put(T batch) throws InterruptedException {
        for (int looks = 0; !offer(batch); looks++) {
            if (isClosed()) {
                throw new QueueClosedException();
            }
            awaitRoom(looks);
        }
    }

    /**
     * Pauses between two offers of a refused batch: briefly at first, later for up to 0.2 ms. {@code looks} is the
     * number of offers so far.
     */
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
     * Takes the oldest batches, at most {@code max}, in one operation if the kind of queue has such an operation. Never
     * blocks.
     *
     * @param into list to which the batches are appended, in order; no other thread uses the list, and adding to it
     *     must not fail
     * @return number of batches taken
     */
    int drain(List<? super T> into, int max);

    /**
     * Waits until {@link #poll} may find a batch, {@link #wakeUp} is called, the queue is closed, or about {@code
     * nanos} ns have passed. May return spuriously.
     */
    void await(long nanos) throws InterruptedException;

    /** Ends the wait of all consumers that are in {@link #await}. */
    void wakeUp();

    /**
     * Closes the queue: the queue refuses batches from now on, and all waiting threads wake up. Further calls have no
     * effect.
     */
    void close();

    /** Whether {@link #close} was called. */
    boolean isClosed();

    /** Whether the queue is closed and empty, and no batch can still be added. Once true, this stays true. */
    boolean isDrained();

    /** Whether the queue is at most half full. Producers whose batches were refused may then try again. */
    default boolean isHalfEmpty() {
        return size() <= capacity() / 2;
    }

    /** Number of batches in the queue; exact while no thread adds or takes batches. */
    int size();

    /** Maximum number of batches in the queue. */
    int capacity();

    /** Bytes of the batches in the queue, if the queue bounds these bytes; otherwise 0. */
    default long bytes() {
        return 0;
    }

    /**
     * The same queue with a bound on the bytes of its batches. A batch larger than the bound can enter only an empty
     * queue; the bound never keeps out batches of 0 bytes.
     *
     * @param queue the queue; no other code may use it from now on
     * @param weigh function that returns the bytes of a batch; this number must not change while the batch is queued
     */
    static <T> BatchQueue<T> weighed(BatchQueue<T> queue, long bytesMax, ToLongFunction<? super T> weigh) {
        return new WeighedQueue<>(queue, bytesMax, weigh);
    }
}
