package io.summarizer.core.queue;

import com.lmax.disruptor.Sequence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A ring with several claimants, each of which takes one batch at a time. The ring works like the worker pool that the
 * Disruptor had up to version 3. But no worker has a thread or a sequence of its own, so any thread may take batches.
 * <pre>
 *            released       claimed          cursor
 *   ... free    |  read or being |  published   |  free ...
 *               |  read          |  or filled   |
 * </pre>
 * If the next slot is published, a claimant advances {@code claimed} by one, and owns the slot from then on. The
 * claimant reads the batch, clears the slot, and marks the slot as read. Producers may refill only slots up to {@code
 * released}. Any claimant that finds marked slots after {@code released} advances {@code released} over these slots, in
 * order.
 *
 * <p>A claimant may be preempted between claim and mark. Even then, no batch is lost or taken twice: no other claimant
 * can claim the slot, and producers cannot fill it, because {@code released} stops before the slot. The other claimants
 * continue to take published batches. After at most one lap, the ring is full and refuses offers until the preempted
 * claimant continues.
 */
final class SharedRing<T> extends BatchRing<T> {
    static final long NONE = -1;

    private static final VarHandle MARK = MethodHandles.arrayElementVarHandle(long[].class);

    private final Sequence claimed = new Sequence();
    private final Sequence released;
    private final int mask;
    /** The last sequence that was read from each slot. */
    private final long[] marks;

    SharedRing(int capacity, WaitPolicy wait) {
        this(capacity, wait, new Sequence());
    }

    private SharedRing(int capacity, WaitPolicy wait, Sequence released) {
        super(capacity, wait, released);
        this.released = released;
        mask = ring.getBufferSize() - 1;
        marks = new long[mask + 1];
        for (int slot = 0; slot <= mask; slot++) {
            marks[slot] = slot - (mask + 1L); // as if the slot was read one lap ago
        }
    }

    @Override
    long taken() {
        return claimed.get();
    }

    @Override
    public @Nullable T poll() {
        long sequence = claim();
        return sequence == NONE ? null : read(sequence);
    }

    /**
     * Claims a sequence; the caller must then {@link #read} this sequence. Returns {@link #NONE} when nothing is
     * published.
     */
    long claim() {
        for (int looks = 0; ; looks++) {
            long last = claimed.get();
            long next = last + 1;
            if (ring.isAvailable(next)) {
                // This fails if other claimants have advanced since `last` was read.
                if (claimed.compareAndSet(last, next)) {
                    return next;
                }
            } else if (ring.getCursor() < next) {
                return NONE;
            } else {
                Backoff.spinThenYield(looks);
            }
        }
    }

    /** Takes the batch of a sequence that the caller has claimed, and gives the slot back. */
    T read(long sequence) {
        T batch = ring.get(sequence).take();
        release(sequence);
        return batch;
    }

    /**
     * Marks the slot of {@code sequence} as read, and advances {@code released} as far as slots are marked.
     *
     * <p>No slot is left out. Suppose that claimant A marks a slot while claimant B moves {@code released} up to this
     * slot. A then checks whether {@code released} has reached the slot, and B checks whether the slot is marked. Both
     * have a full fence between their write and their check. Therefore, at least one claimant sees the write of the
     * other, and moves {@code released} on.
     */
    private void release(long sequence) {
        MARK.setRelease(marks, (int) sequence & mask, sequence);
        while (true) {
            VarHandle.fullFence();
            long last = released.get();
            long next = last + 1;
            if ((long) MARK.getAcquire(marks, (int) next & mask) != next) {
                if (released.get() == last) {
                    return;
                }
            } else {
                boolean unused = released.compareAndSet(last, next);
            }
        }
    }
}
