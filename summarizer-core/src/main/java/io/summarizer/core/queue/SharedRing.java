package io.summarizer.core.queue;

import com.lmax.disruptor.Sequence;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A ring with several claimants, who take one batch each from one ring: what the Disruptor had as a worker pool up to
 * version 3, without a thread or a sequence for each worker, so that any thread may come and take.
 * <pre>
 *            released       claimed          cursor
 *   ... free    |  read or being |  published   |  free ...
 *               |  read          |  or filled   |
 * </pre>
 * A claimant moves {@code claimed} on by one, if the slot behind it is published: from then on the slot is its own. It reads
 * the batch, clears the slot and marks it as read. {@code released}, which gates the producers, then moves over all slots
 * that are marked, in order, by whoever finds them so.
 *
 * <p>A claimant that is held up between claim and mark loses nothing and duplicates nothing: nobody else can claim its slot,
 * and {@code released} stops in front of it, so the producers cannot fill it. The others go on taking what is published; the
 * ring is full at the latest one lap later, and offers are refused until the claimant goes on.
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
            marks[slot] = slot - (mask + 1L); // as if it had been read one lap ago
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

    /** The sequence that is the caller's from now on, who has to {@link #read} it; {@link #NONE} when there is nothing. */
    long claim() {
        for (int looks = 0; ; looks++) {
            long last = claimed.get();
            long next = last + 1;
            if (ring.isAvailable(next)) {
                // Should the others have gone on by a whole lap since the read, this fails.
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
     * Marks the slot of {@code sequence} as read, and moves {@code released} on as far as slots are marked.
     *
     * <p>Why no slot stays behind: one claimant marks a slot and then looks whether {@code released} has come to it; another one
     * moves {@code released} to that slot and then looks whether it is marked. With a full fence between the two steps of
     * each, at least one of them sees what the other did, and moves on.
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
