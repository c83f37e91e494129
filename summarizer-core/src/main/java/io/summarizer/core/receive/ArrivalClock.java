package io.summarizer.core.receive;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Hands out arrival stamps: µs since the epoch, strictly increasing over all threads of the process, whatever the wall
 * clock does. When messages come faster than one a µs, or the clock steps back, stamps run ahead of it.
 *
 * <p>Lock-free: one compare-and-set for each batch.
 */
public final class ArrivalClock {
    private final LongSupplier microsNow;
    private final AtomicLong last;

    /** A clock that follows the system's. */
    public ArrivalClock() {
        this(ArrivalClock::systemMicros, 0);
    }

    /** A clock that follows the system's and gives stamps above {@code last} only. */
    public ArrivalClock(long last) {
        this(ArrivalClock::systemMicros, last);
    }

    /**
     * A clock that follows {@code microsNow} and gives stamps above {@code last} only: the greatest stamp of a former
     * run, so that restored state and new messages stay in order.
     */
    public ArrivalClock(LongSupplier microsNow, long last) {
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

    /** Says that stamps up to {@code stamp} were given before, by another clock: those claimed from now on are above it. */
    public void seen(long stamp) {
        if (last.get() < stamp) {
            last.accumulateAndGet(stamp, Math::max);
        }
    }

    private static long systemMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
