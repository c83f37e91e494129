package io.summarizer.core.queue;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The part that all queues share: closing, and waiting by producers and consumers. A subclass adds a bounded
 * first-in-first-out structure that never blocks.
 *
 * <p>If a producer in {@link #put} finds the queue full, the producer polls at intervals, and consumers do not wake it.
 * A full queue holds much more work than consumers can do while the producer sleeps, so the queue does not run empty. A
 * wake-up for each free place would slow down the consumers, which are the bottleneck when the queue is full. Other
 * producers wait in {@link RoomWaiters}. Consumers wake these producers, but only when the queue is half empty.
 */
abstract class AbstractBatchQueue<T> implements BatchQueue<T> {
    private final ProducerDoor door = new ProducerDoor();
    private final ConsumerWait wait;
    /** The condition that ends a wait; allocated once, so that waiting allocates nothing. */
    private final BooleanSupplier ready = this::isReady;

    AbstractBatchQueue(WaitPolicy wait) {
        this.wait = ConsumerWait.of(wait);
    }

    /** Adds a batch at the end; returns false when the queue is full. Any thread. */
    abstract boolean add(T batch);

    /** Whether {@link #poll} would find nothing. Also false while a batch is being added. Any thread. */
    abstract boolean isEmpty();

    @Override
    public final boolean offer(T batch) {
        if (!door.enter()) {
            return false;
        }
        boolean added = false;
        try {
            added = add(batch);
        } finally {
            door.leave();
        }
        if (added) {
            wait.added();
        }
        return added;
    }

    @Override
    public int drain(List<? super T> into, int max) {
        int taken = 0;
        while (taken < max) {
            T batch = poll();
            if (batch == null) {
                break;
            }
            into.add(batch);
            taken++;
        }
        return taken;
    }

    @Override
    public final void await(long nanos) throws InterruptedException {
        if (door.isClosed() && !door.isShut()) {
            Backoff.giveWay(); // somebody is adding the last batch
        } else {
            wait.await(ready, nanos);
        }
    }

    private boolean isReady() {
        return !isEmpty() || door.isClosed();
    }

    @Override
    public final void wakeUp() {
        wait.wakeUp();
    }

    @Override
    public final void close() {
        door.close();
        wait.wakeUp();
    }

    @Override
    public final boolean isClosed() {
        return door.isClosed();
    }

    @Override
    public final boolean isDrained() {
        return door.isShut() && isEmpty(); // in this order: nothing is added once the door is shut
    }
}
