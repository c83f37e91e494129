package io.summarizer.core.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Pauses between two looks at something that another thread is about to change; {@code looks} counts those so far. */
final class Backoff {
    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final int YIELDS_FIRST = 10;
    private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private Backoff() {}

    /** For what takes others some instructions, unless they lost their core: ours is offered then. */
    static void spinThenYield(int looks) {
        if (looks < SPINS) {
            Thread.onSpinWait();
        } else {
            giveWay();
        }
    }

    /** For what may come soon or not: in the end some 15,000 looks a second, and 50 µs of latency or a little more. */
    static void spinYieldThenSleep(int looks) {
        if (looks < SPINS + YIELDS) {
            spinThenYield(looks);
        } else {
            LockSupport.parkNanos(SLEEP_NANOS);
        }
    }

    /** For what others need a processor for. */
    static void yieldThenSleep(int looks) {
        spinYieldThenSleep(looks + SPINS + YIELDS - YIELDS_FIRST);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint only; nothing is wrong when it does nothing
    static void giveWay() {
        Thread.yield();
    }
}
