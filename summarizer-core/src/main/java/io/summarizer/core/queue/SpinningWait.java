package io.summarizer.core.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Lets consumers poll, at no cost for producers. Between two polls a consumer spins. With {@code yielding} or {@code
 * sleeping}, the consumer also yields its time slice after a while. With {@code sleeping}, it finally sleeps.
 */
final class SpinningWait implements ConsumerWait {
    private final WaitPolicy policy;
    private final AtomicInteger wakeUps = new AtomicInteger();

    SpinningWait(WaitPolicy policy) {
        this.policy = policy;
    }

    @Override
    public void await(BooleanSupplier ready, long nanos) throws InterruptedException {
        int before = wakeUps.get();
        long start = System.nanoTime();
        for (int looks = 0; !ready.getAsBoolean() && wakeUps.get() == before; looks++) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (System.nanoTime() - start >= nanos) {
                return;
            }
            pause(looks);
        }
    }

    private void pause(int looks) {
        switch (policy) {
            case BLOCKING, SLEEPING -> Backoff.spinYieldThenSleep(looks);
            case YIELDING -> Backoff.spinThenYield(looks);
            case BUSY_SPIN -> Thread.onSpinWait();
        }
    }

    @Override
    public void added() {
        // consumers poll
    }

    @Override
    public void wakeUp() {
        wakeUps.incrementAndGet();
    }
}
