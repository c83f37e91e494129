package io.summarizer.core.queue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code disruptor}: a ring of the Disruptor with several publishers. A slot holds a reference to a batch. The data of
 * a batch lie together in an array of the batch, not in the ring. The capacity is rounded up to a power of two.
 *
 * <p>Consumers wait in the same way as at all other queues of this package. The ring's own wait strategy therefore does
 * nothing when the Disruptor signals it.
 */
abstract class BatchRing<T> extends AbstractBatchQueue<T> {
    final RingBuffer<Slot<T>> ring;

    /**
     * Makes a ring.
     *
     * @param released the gating sequence: slots up to it may be filled again
     */
    BatchRing(int capacity, WaitPolicy wait, Sequence released) {
        super(wait);
        int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
        ring = RingBuffer.createMultiProducer(Slot::new, size, new BusySpinWaitStrategy());
        ring.addGatingSequences(released);
    }

    /** The last sequence that a consumer has taken or, in a {@link SharedRing}, has claimed. */
    abstract long taken();

    @Override
    final boolean add(T batch) {
        Objects.requireNonNull(batch);
        long sequence;
        try {
            sequence = ring.tryNext();
        } catch (InsufficientCapacityException full) {
            return false; // a singleton without stack trace, which costs no more than a return value
        }
        ring.get(sequence).batch = batch;
        ring.publish(sequence);
        return true;
    }

    @Override
    final boolean isEmpty() {
        long taken = taken(); // first: taken() never overtakes the cursor, so equal means empty
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

    /**
     * A reference to a batch. The reference is cleared when the batch is taken, so that the ring does not keep the
     * batch in memory.
     */
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
