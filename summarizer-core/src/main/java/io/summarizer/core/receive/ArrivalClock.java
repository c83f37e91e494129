package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Hands out arrival stamps: µs since the epoch, strictly increasing over all threads of the process, even when the wall
 * clock is set back. Stamps advance with the monotonic clock and follow the wall clock slowly. The time between two
 * stamps is therefore reliable even when somebody sets the wall clock. While more than one message per µs arrives,
 * stamps run ahead of the clock, because each stamp is greater than the one before.
 *
 * <p>Lock-free: one compare-and-set per batch.
 */
public final class ArrivalClock {
    private static final System.Logger LOG = System.getLogger(ArrivalClock.class.getName());

    private static final long LEAP_MICROS_MIN = TimeUnit.MINUTES.toMicros(1);
    private static final long LEAP_MICROS_MAX = TimeUnit.DAYS.toMicros(1);

    private final LongSupplier microsNow;
    /** A clock for the deletion of what is old. It jumps to the system clock later than {@link #microsNow}. */
    private final LongSupplier steadier;
    /** Both clocks; empty when a caller, such as a test, gave another clock. */
    private final List<SteadyMicros> steady;

    private final AtomicLong last;

    /**
     * A clock that follows the system clock and gives only stamps above {@code last}. {@code last} is the greatest
     * stamp of an earlier run, so new messages have later stamps than all messages in the restored state.
     *
     * @param aheadMicros lead over a stamp with which an event is too early. When the system clock leads by so much for
     *     longer than a minute, the clock jumps to the system clock; otherwise, all events would be too early. The
     *     value is limited to between a minute and a day
     */
    public ArrivalClock(long last, long aheadMicros) {
        SteadyMicros steady = new SteadyMicros(
                Math.max(LEAP_MICROS_MIN, Math.min(aheadMicros, LEAP_MICROS_MAX)), ArrivalClock::leapt);
        SteadyMicros steadier = new SteadyMicros(LEAP_MICROS_MAX, lead -> {});
        microsNow = steady;
        this.steadier = steadier;
        this.steady = List.of(steady, steadier);
        this.steady.forEach(clock -> clock.atLeast(last));
        this.last = new AtomicLong(last);
    }

    /** A clock that follows {@code microsNow} and gives only stamps above {@code last}. */
    public ArrivalClock(LongSupplier microsNow, long last) {
        this.microsNow = microsNow;
        steadier = microsNow;
        steady = List.of();
        this.last = new AtomicLong(last);
    }

    private static void leapt(long leadMicros) {
        LOG.log(
                System.Logger.Level.WARNING,
                "arrival times jump forward by {0} s to the clock of the machine, which was set or had stood still",
                TimeUnit.MICROSECONDS.toSeconds(leadMicros));
    }

    /**
     * The time of day in µs since the epoch, for the deletion of what is old: the lower of the wall clock and a clock
     * that follows the wall clock slowly. So nothing is deleted too early because a clock is ahead for a moment, or by
     * hours for a short time.
     */
    public long lowerMicros() {
        return Math.min(steadier.getAsLong(), SteadyMicros.systemMicros());
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
            steady.forEach(clock -> clock.atLeast(stamp));
        }
    }
}
