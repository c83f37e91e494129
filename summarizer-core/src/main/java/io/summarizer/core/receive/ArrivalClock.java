package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out arrival stamps: µs since the epoch, strictly increasing over all threads of the process, even when the wall
 * clock is set back. Stamps advance with the monotonic clock and follow the wall clock slowly. The time between two
 * stamps is therefore reliable even when somebody sets the wall clock. While more than one message per µs arrives,
 * stamps run ahead of the clock, because each stamp is greater than the one before.
 *
 * <p>Lock-free: one compare-and-set per batch.
 */
public final class ArrivalClock {
    private final LongSupplier microsNow;
    /** The clock in {@link #microsNow}; null when a caller, such as a test, gave another clock. */
    private final @Nullable SteadyMicros steady;

    private final AtomicLong last;

    /**
     * A clock that follows the system clock and gives only stamps above {@code last}. {@code last} is the greatest
     * stamp of an earlier run, so new messages have later stamps than all messages in the restored state.
     */
    public ArrivalClock(long last) {
        steady = new SteadyMicros();
        steady.atLeast(last);
        microsNow = steady;
        this.last = new AtomicLong(last);
    }

    /** A clock that follows {@code microsNow} and gives only stamps above {@code last}. */
    public ArrivalClock(LongSupplier microsNow, long last) {
        steady = null;
        this.microsNow = microsNow;
        this.last = new AtomicLong(last);
    }

    /**
     * The time of day in µs since the epoch, for the deletion of what is old: the lower of this clock and the wall
     * clock. So nothing is deleted because a clock is ahead for a moment.
     */
    public long lowerMicros() {
        return Math.min(microsNow.getAsLong(), SteadyMicros.systemMicros());
    }

    /** Claims {@code n} consecutive stamps and returns the first. With n = 0 nothing is claimed. */
    public long claim(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n=" + n);
        }
        long now = microsNow.getAsLong();
        while (true) {
            long previous = last.get();
            long first = Math.max(now, previous + 1);
            // With n = 0, a write to `last` would be of no use: it would only move `last` to just below the next stamp.
            if (n == 0 || last.compareAndSet(previous, first + n - 1)) {
                return first;
            }
        }
    }

    /** Gives the messages of a batch their stamps, unless the batch has stamps already. */
    public void stamp(MessageBatch batch) {
        if (batch.firstStamp() == 0) {
            batch.firstStamp(claim(Math.max(1, batch.count())));
        }
    }

    /** Makes all later stamps greater than {@code stamp}, which comes from another clock. */
    public void seen(long stamp) {
        if (last.get() < stamp) {
            last.accumulateAndGet(stamp, Math::max);
            SteadyMicros steady = this.steady;
            if (steady != null) {
                steady.atLeast(stamp);
            }
        }
    }
}
