package io.summarizer.core.queue;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * {@code abq} and {@code lbq}: a bounded queue of {@code java.util.concurrent}; any number of consumers.
 *
 * <p>{@code lbq} locks head and tail separately and allocates a node per batch; {@code abq} has one lock and allocates
 * nothing. The blocking methods of these queues are not used, because a consumer must be able to wait without taking a
 * batch.
 */
final class LockedBatchQueue<T> extends AbstractBatchQueue<T> {
    private final BlockingQueue<T> queue;
    private final int capacity;

    private LockedBatchQueue(BlockingQueue<T> queue, int capacity) {
        super(WaitPolicy.BLOCKING);
        this.queue = queue;
        this.capacity = capacity;
    }

    static <T> BatchQueue<T> linked(int capacity) {
        return new LockedBatchQueue<>(new LinkedBlockingQueue<>(capacity), capacity);
    }

    static <T> BatchQueue<T> array(int capacity) {
        return new LockedBatchQueue<>(new ArrayBlockingQueue<>(capacity), capacity);
    }

    @Override
    boolean add(T batch) {
        return queue.offer(batch);
    }

    @Override
    boolean isEmpty() {
        return queue.isEmpty();
    }

    @Override
    public @Nullable T poll() {
        return queue.poll();
    }

    /** Takes batches; acquires the lock once for all of them. */
    @Override
    public int drain(List<? super T> into, int max) {
        return queue.drainTo(into, max);
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public int capacity() {
        return capacity;
    }
}
