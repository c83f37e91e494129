package io.summarizer.core.queue;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BatchQueue} over a bounded queue of {@code java.util.concurrent}; any number of consumers.
 *
 * <p>{@code lbq} locks head and tail apart and allocates a node a batch; {@code abq} has one lock and allocates nothing.
 */
final class BlockingBatchQueue<T> implements BatchQueue<T> {
    private final BlockingQueue<T> queue;
    private final int capacity;
    private final ConsumerParking parking = new ConsumerParking();

    private BlockingBatchQueue(BlockingQueue<T> queue, int capacity) {
        this.queue = queue;
        this.capacity = capacity;
    }

    static <T> BlockingBatchQueue<T> linked(int capacity) {
        return new BlockingBatchQueue<>(new LinkedBlockingQueue<>(capacity), capacity);
    }

    static <T> BlockingBatchQueue<T> array(int capacity) {
        return new BlockingBatchQueue<>(new ArrayBlockingQueue<>(capacity), capacity);
    }

    @Override
    public boolean offer(T batch) {
        boolean added = queue.offer(batch);
        if (added) {
            parking.signal();
        }
        return added;
    }

    @Override
    public void put(T batch) throws InterruptedException {
        queue.put(batch);
        parking.signal();
    }

    @Override
    public @Nullable T poll() {
        return queue.poll();
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        parking.await(() -> !queue.isEmpty(), nanos);
    }

    @Override
    public void wakeUp() {
        parking.signalAll();
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
