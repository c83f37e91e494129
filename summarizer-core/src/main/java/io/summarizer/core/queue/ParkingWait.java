package io.summarizer.core.queue;

import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Parks consumers on a lock, so that an idle consumer costs nothing. While no consumer is parked, the cost for a
 * producer is one volatile read.
 *
 * <p>No wake-up is lost. A consumer sets {@code parked} and then checks the queue; a producer adds a batch and then
 * checks {@code parked}. If each thread writes before it reads, at least one of the two sees the other's write.
 * Volatile fields alone do not give this order, because a queue may publish with a release store, which a later read
 * may overtake. Therefore, the consumer has a full fence between its two steps, and the producer has its atomic update
 * at {@link ProducerDoor#leave}. If the producer checks before the consumer has set {@code parked}, the producer wakes
 * nobody, but the consumer's check then finds the batch. A signal between the check and the sleep of a consumer is not
 * lost either, because the consumer holds the lock from its check until it sleeps.
 */
final class ParkingWait implements ConsumerWait {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private volatile int parked;

    @Override
    @SuppressWarnings({"NonAtomicVolatileUpdate", "WaitNotInLoop"}) // written under the lock; callers poll in a loop
    public void await(BooleanSupplier ready, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            parked++;
            try {
                VarHandle.fullFence();
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

    /** Wakes one consumer, if any is parked. */
    @Override
    public void added() {
        if (parked > 0) {
            lock.lock();
            try {
                work.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void wakeUp() {
        lock.lock();
        try {
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
