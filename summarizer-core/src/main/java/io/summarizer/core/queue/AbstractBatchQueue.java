package io.summarizer.core.queue;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What all queues share: closing, and waiting on either side. What is left to each kind is a bounded first-in-first-out
 * structure that never blocks.
 *
 * <p>Who waits for room looks again every now and then, whatever the kind, and no consumer ever wakes a producer: a full
 * queue holds work for many times as long as a producer sleeps, and to wake somebody for each place that becomes free would
 * cost the slower side, which is what everybody waits for.
 */
abstract class AbstractBatchQueue<T> implements BatchQueue<T> {
    private final ProducerDoor door = new ProducerDoor();
    private final ConsumerWait wait;
    /** Made once: waiting allocates nothing. */
    private final BooleanSupplier ready = this::isReady;

    AbstractBatchQueue(WaitPolicy wait) {
        this.wait = ConsumerWait.of(wait);
    }

    /** Adds at the end; false when full. Any thread. */
    abstract boolean add(T batch);

    /** Whether {@link #poll} would find nothing; false also while a batch is being added. Any thread. */
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
            Backoff.giveWay(); // somebody is about to add the last one
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
        return door.isShut() && isEmpty(); // in this order: shut first, so that nothing comes after the look
    }
}
