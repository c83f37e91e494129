package io.summarizer.core.queue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code disruptor}: a ring of the Disruptor with several publishers. A slot holds a reference to a batch; the batch's own
 * array is what keeps the data together in the cache. The capacity is rounded up to a power of two.
 *
 * <p>Waiting is that of all queues here, so the ring's own wait strategy is the one whose signal is empty.
 */
abstract class BatchRing<T> extends AbstractBatchQueue<T> {
    final RingBuffer<Slot<T>> ring;

    /**
     * A ring.
     *
     * @param released the gating sequence: up to here slots may be filled anew
     */
    BatchRing(int capacity, WaitPolicy wait, Sequence released) {
        super(wait);
        int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
        ring = RingBuffer.createMultiProducer(Slot::new, size, new BusySpinWaitStrategy());
        ring.addGatingSequences(released);
    }

    /** The last sequence that a consumer has taken, or is about to read. */
    abstract long taken();

    @Override
    final boolean add(T batch) {
        Objects.requireNonNull(batch);
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
    final boolean isEmpty() {
        long taken = taken(); // first: it never overtakes the cursor, so an equal cursor read later means empty then
        return ring.getCursor() <= taken;
    }

    @Override
    public final int size() {
        long taken = taken();
        return (int) Math.max(0, Math.min(ring.getCursor() - taken, ring.getBufferSize()));
    }

    @Override
    public final int capacity() {
        return ring.getBufferSize();
    }

    /** Cleared when it is taken, so that the ring keeps nothing alive. */
    static final class Slot<T> {
        @Nullable
        T batch;

        T take() {
            T taken = batch;
            if (taken == null) {
                throw new IllegalStateException("a slot was read before it was filled, or twice");
            }
            batch = null;
            return taken;
        }
    }
}
