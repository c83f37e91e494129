package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out arrival stamps: µs since the epoch, strictly increasing over all threads of the process, whatever the wall
 * clock does. They advance with the monotonic clock, follow the wall clock slowly, and run ahead of it when more than
 * one message per µs arrives. So the time between two stamps is reliable even when the clock is set.
 *
 * <p>Lock-free: one compare-and-set per batch.
 */
public final class ArrivalClock {
    private final LongSupplier microsNow;
    /** The same clock; null in tests with their own. */
    private final @Nullable SteadyMicros steady;

    private final AtomicLong last;

    /** A clock that follows the system's. */
    public ArrivalClock() {
        this(0);
    }

    /**
     * A clock that follows the system's and gives stamps above {@code last} only: {@code last} is the greatest stamp of
     * a former run, so that restored state and new messages stay in order.
     */
    public ArrivalClock(long last) {
        steady = new SteadyMicros();
        steady.atLeast(last);
        microsNow = steady;
        this.last = new AtomicLong(last);
    }

    /** As {@link #ArrivalClock(long)}, with {@code microsNow} as the clock. */
    public ArrivalClock(LongSupplier microsNow, long last) {
        steady = null;
        this.microsNow = microsNow;
        this.last = new AtomicLong(last);
    }

    /** Claims {@code n} stamps; returns the first, the others follow by one each. With n = 0 nothing is claimed. */
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
