package io.summarizer.core.queue;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.SleepingWaitStrategy;
import com.lmax.disruptor.TimeoutBlockingWaitStrategy;
import com.lmax.disruptor.TimeoutException;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BatchQueue} over a Disruptor ring with several publishers and one consumer. A slot holds a reference to a
 * batch; the batch's own array is what keeps the data together in the cache.
 *
 * <p>{@link #poll}, {@link #await} and {@link #size} belong to the one consumer thread (size may be read by others as an
 * estimate). The capacity is rounded up to a power of two.
 */
final class DisruptorBatchQueue<T> implements BatchQueue<T> {
    private static final long BLOCKING_WAIT_MS = 100;

    private final RingBuffer<Slot<T>> ring;
    private final SequenceBarrier barrier;
    private final Sequence consumed = new Sequence();
    /** The consumer's copy of the highest published sequence: re-read only when everything known is taken. */
    private long available = -1;

    DisruptorBatchQueue(int capacity, WaitPolicy wait) {
        int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
        ring = RingBuffer.createMultiProducer(Slot::new, size, strategy(wait));
        ring.addGatingSequences(consumed);
        barrier = ring.newBarrier();
    }

    private static WaitStrategy strategy(WaitPolicy wait) {
        return switch (wait) {
            case BLOCKING -> new TimeoutBlockingWaitStrategy(BLOCKING_WAIT_MS, TimeUnit.MILLISECONDS);
            case SLEEPING -> new SleepingWaitStrategy();
            case YIELDING -> new YieldingWaitStrategy();
            case BUSY_SPIN -> new BusySpinWaitStrategy();
        };
    }

    @Override
    public boolean offer(T batch) {
        long sequence;
        try {
            sequence = ring.tryNext();
        } catch (InsufficientCapacityException full) {
            return false; // a singleton without stack trace: costs no more than a return value
        }
        ring.get(sequence).batch = batch;
        ring.publish(sequence);
        return true;
    }

    @Override
    public void put(T batch) throws InterruptedException {
        // ring.next() would spin on parkNanos(1) without noticing interrupts.
        for (int idle = 0; !offer(batch); idle++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(Math.min(1L << Math.min(idle, 20), 200_000L));
        }
    }

    @Override
    public @Nullable T poll() {
        long next = consumed.get() + 1;
        if (next > available) {
            available = publishedUpTo(next);
            if (next > available) {
                return null;
            }
        }
        Slot<T> slot = ring.get(next);
        T batch = slot.batch;
        slot.batch = null;
        consumed.set(next);
        return batch;
    }

    /** Claimed is not yet published: stop at the first gap. */
    private long publishedUpTo(long from) {
        long cursor = ring.getCursor();
        for (long sequence = from; sequence <= cursor; sequence++) {
            if (!ring.isAvailable(sequence)) {
                return sequence - 1;
            }
        }
        return cursor;
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        try {
            barrier.waitFor(consumed.get() + 1);
        } catch (TimeoutException | AlertException spurious) {
            barrier.clearAlert(); // the caller polls and decides
        }
    }

    @Override
    public void wakeUp() {
        barrier.alert();
    }

    @Override
    public int size() {
        return (int) Math.max(0, ring.getCursor() - consumed.get());
    }

    @Override
    public int capacity() {
        return ring.getBufferSize();
    }

    private static final class Slot<T> {
        private @Nullable T batch;
    }
}
