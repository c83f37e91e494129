package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out arrival stamps: µs since the epoch, strictly increasing over all threads of the process, whatever the wall
 * clock does. Stamps advance with the monotonic clock and follow the wall clock slowly; they run ahead of the clock
 * when more than one message per µs arrives. The time between two stamps is therefore reliable even when somebody sets
 * the wall clock.
 *
 * <p>Lock-free: one compare-and-set per batch.
 */
public final class ArrivalClock {
    private final LongSupplier microsNow;
    /** The same clock; null in tests that have another clock. */
    private final @Nullable SteadyMicros steady;

    private final AtomicLong last;

    /** A clock that follows the clock of the system. */
    public ArrivalClock() {
        this(0);
    }

    /**
     * A clock that follows the clock of the system and gives only stamps above {@code last}. {@code last} is the
     * greatest stamp of a former run; so restored state and new messages stay in order.
     */
    public ArrivalClock(long last) {
        steady = new SteadyMicros();
        steady.atLeast(last);
        microsNow = steady;
        this.last = new AtomicLong(last);
    }

    /** A clock as {@link #ArrivalClock(long)} makes, which follows {@code microsNow}. */
    public ArrivalClock(LongSupplier microsNow, long last) {
        steady = null;
        this.microsNow = microsNow;
        this.last = new AtomicLong(last);
    }

    /**
     * Claims {@code n} stamps and returns the first; each of the others is one higher than the stamp before. With n = 0
     * nothing is claimed.
     */
    public long claim(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("n=" + n);
        }
        long now = microsNow.getAsLong();
        while (true) {
            long previous = last.get();
            long first = Math.max(now, previous + 1);
            // With n = 0 this would move the mark to just below the next stamp: harmless, but no reason to write.
            if (n == 0 || last.compareAndSet(previous, first + n - 1)) {
                return first;
            }
        }
    }

    /** Gives the messages of a batch their stamps, unless it has them. */
    public void stamp(MessageBatch batch) {
        if (batch.firstStamp() == 0) {
            batch.firstStamp(claim(Math.max(1, batch.count())));
        }
    }

    /** Makes all stamps that are claimed from now on greater than {@code stamp}, which another clock gave. */
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
