package io.summarizer.core.queue;

import com.lmax.disruptor.Sequence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ring with one consumer, the only writer of the sequence of taken slots. Only the consumer's thread calls {@link
 * #poll} and {@link #drain}. One call of {@link #drain} releases all slots that it takes with a single write.
 */
final class SingleConsumerRing<T> extends BatchRing<T> {
    private final Sequence consumed;
    /**
     * The consumer's copy of the highest published sequence. The consumer updates the copy only after taking all
     * batches up to this sequence.
     */
    private final Sequence available = new Sequence(); // padded: producers read the neighbouring fields

    SingleConsumerRing(int capacity, WaitPolicy wait) {
        this(capacity, wait, new Sequence());
    }

    private SingleConsumerRing(int capacity, WaitPolicy wait, Sequence consumed) {
        super(capacity, wait, consumed);
        this.consumed = consumed;
    }

    @Override
    long taken() {
        return consumed.get();
    }

    @Override
    public @Nullable T poll() {
        long next = consumed.get() + 1;
        if (!isAvailable(next)) {
            return null;
        }
        T batch = ring.get(next).take();
        consumed.set(next);
        return batch;
    }

    @Override
    public int drain(List<? super T> into, int max) {
        long first = consumed.get() + 1;
        if (max <= 0 || !isAvailable(first)) {
            return 0;
        }
        long last = Math.min(available.get(), first + max - 1);
        for (long sequence = first; sequence <= last; sequence++) {
            into.add(ring.get(sequence).take());
        }
        consumed.set(last);
        return (int) (last - first + 1);
    }

    /**
     * Whether {@code next} is published. If a producer has claimed the slot, waits until the producer has filled it.
     */
    private boolean isAvailable(long next) {
        if (next <= available.get()) {
            return true;
        }
        for (int looks = 0; !ring.isAvailable(next); looks++) {
            if (ring.getCursor() < next) {
                return false;
            }
            Backoff.spinThenYield(looks);
        }
        long cursor = ring.getCursor();
        long last = next;
        while (last < cursor && ring.isAvailable(last + 1)) {
            last++; // stops at the first slot that is claimed but not published
        }
        available.set(last);
        return true;
    }
}
