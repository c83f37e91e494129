package io.summarizer.core.receive;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The time of day in µs since the epoch, by a clock that advances with the monotonic clock. The clock approaches the
 * wall clock by at most an eighth of the time that passes, as NTP's daemons slew a clock. Therefore, when somebody sets
 * the wall clock, no window of a few minutes ends early or stands still. A wall clock that is wrong for a moment has no
 * effect. There is one exception: this clock jumps to the wall clock when the wall clock has been far ahead for longer
 * than a minute. This clock then assumes that somebody set the wall clock on purpose, or that the machine slept.
 *
 * <p>Any thread. Cost of a call: a read of the monotonic clock. Ten times a second, a call also takes a lock and reads
 * the wall clock.
 */
final class SteadyMicros implements LongSupplier {
    /** The clock gains or loses at most the passed time divided by this number. */
    private static final int SLEW = 8;

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LEAP_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier wallMicros;
    private final LongSupplier monotonicNanos;
    private final long leapMicros;
    private final LongConsumer onLeap;
    private volatile Anchor anchor; // replaced under the lock

    /**
     * The state of this clock at its last read of the wall clock.
     *
     * @param behind lead of the wall clock over this clock
     * @param far if the wall clock is far ahead: the monotonic time, in ns, at which this lead was first seen;
     *     otherwise {@code nanos}
     */
    private record Anchor(long nanos, long micros, long behind, long far) {
        long micros(long now) {
            long passed = (now - nanos) / 1_000;
            long most = passed / SLEW;
            return micros + passed + Math.max(-most, Math.min(most, behind));
        }
    }

    /**
     * A clock that begins with the time of day of the system.
     *
     * @param leapMicros lead with which the wall clock is far ahead
     * @param onLeap gets the lead, in µs, when this clock jumps
     */
    SteadyMicros(long leapMicros, LongConsumer onLeap) {
        this(SteadyMicros::systemMicros, System::nanoTime, leapMicros, onLeap);
    }

    /** A clock that begins with {@code wallMicros} and advances with {@code monotonicNanos}. */
    SteadyMicros(LongSupplier wallMicros, LongSupplier monotonicNanos, long leapMicros, LongConsumer onLeap) {
        this.onLeap = onLeap;
        this.wallMicros = wallMicros;
        this.monotonicNanos = monotonicNanos;
        this.leapMicros = leapMicros;
        long nanos = monotonicNanos.getAsLong();
        anchor = new Anchor(nanos, wallMicros.getAsLong(), 0, nanos);
    }

    @Override
    public long getAsLong() {
        Anchor at = anchor;
        long nanos = monotonicNanos.getAsLong();
        return nanos - at.nanos < LOOK_NANOS ? at.micros(nanos) : look();
    }

    private synchronized long look() {
        long nanos = monotonicNanos.getAsLong();
        Anchor at = anchor;
        if (nanos - at.nanos >= LOOK_NANOS) {
            at = next(at, nanos);
            anchor = at;
        }
        return at.micros(nanos);
    }

    private Anchor next(Anchor at, long nanos) {
        long micros = at.micros(nanos);
        long behind = wallMicros.getAsLong() - micros;
        if (behind < leapMicros) {
            return new Anchor(nanos, micros, behind, nanos);
        }
        if (at.behind >= leapMicros && nanos - at.far >= LEAP_AFTER_NANOS) {
            onLeap.accept(behind);
            return new Anchor(nanos, micros + behind, 0, nanos);
        }
        return new Anchor(nanos, micros, behind, at.behind >= leapMicros ? at.far : nanos);
    }

    /** Moves the clock forward to {@code micros} if the clock shows an earlier time. */
    void atLeast(long micros) {
        if (getAsLong() < micros) {
            raise(micros);
        }
    }

    private synchronized void raise(long micros) {
        long nanos = monotonicNanos.getAsLong();
        if (anchor.micros(nanos) < micros) {
            anchor = new Anchor(nanos, micros, wallMicros.getAsLong() - micros, nanos);
        }
    }

    /** The wall clock. */
    static long systemMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
