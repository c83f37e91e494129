package io.summarizer.core.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses between two checks of a value that another thread is about to change; {@code looks} is the number of checks so
 * far.
 */
final class Backoff {
    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final int YIELDS_FIRST = 10;
    private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int DOUBLINGS = 2;

    private Backoff() {}

    /**
     * Pauses for a few instructions of another thread; sometimes yields the core, in case that thread was preempted.
     */
    static void spinThenYield(int looks) {
        if (looks < SPINS) {
            Thread.onSpinWait();
        } else {
            giveWay();
        }
    }

    /**
     * Waits for an unknown time: spins, yields, then sleeps. The caller then checks its condition about 15,000 times a
     * second, so it notices that the condition holds about 50 µs late.
     */
    static void spinYieldThenSleep(int looks) {
        if (looks < SPINS + YIELDS) {
            spinThenYield(looks);
        } else {
            LockSupport.parkNanos(SLEEP_NANOS);
        }
    }

    /**
     * Yields at first; later sleeps, each time twice as long, but at most 0.2 ms. For callers that wait for work of
     * other threads. Such callers must not spin, because the other threads need a processor.
     */
    static void yieldThenSleep(int looks) {
        if (looks < YIELDS_FIRST) {
            giveWay();
        } else {
            LockSupport.parkNanos(SLEEP_NANOS << Math.min(looks - YIELDS_FIRST, DOUBLINGS));
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint only; nothing is wrong when it does nothing
    static void giveWay() {
        Thread.yield();
    }
}
