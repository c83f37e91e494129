package io.summarizer.core.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Where consumers of a queue park while it is empty. A producer pays one volatile read as long as nobody is parked.
 *
 * <p>Why no wake-up is lost: a consumer raises {@code parked} and then looks at the queue; a producer adds and then looks
 * at {@code parked}. Both are volatile, so at least one of the two sees what the other did.
 */
final class ConsumerParking {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private volatile int parked;

    /** Parks the caller unless {@code ready} already; returns after a signal, a time-out, or for no reason at all. */
    @SuppressWarnings({"NonAtomicVolatileUpdate", "WaitNotInLoop"}) // written under the lock; callers poll in a loop
    void await(BooleanSupplier ready, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            parked++;
            try {
                if (!ready.getAsBoolean()) {
                    boolean unused = work.await(nanos, TimeUnit.NANOSECONDS);
                }
            } finally {
                parked--;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes one consumer, if any is parked. To be called after adding. */
    void signal() {
        if (parked > 0) {
            lock.lock();
            try {
                work.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Wakes all consumers. */
    void signalAll() {
        lock.lock();
        try {
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
