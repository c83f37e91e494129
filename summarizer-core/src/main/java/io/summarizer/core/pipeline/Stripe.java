package io.summarizer.core.pipeline;

import java.util.concurrent.locks.ReentrantLock;

/** A {@link Share} under a lock: who brings updates applies them. Any thread. */
final class Stripe implements UpdateSink {
    private final ReentrantLock lock = new ReentrantLock();
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final Share share;

    Stripe(
            int number,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            PipelineCounters counters,
            Generation generation) {
        this.updatePool = updatePool;
        share = new Share(number, ledger, counters, generation, null);
    }

    @Override
    public void put(OwnerTask.Updates updates) {
        lock.lock();
        try {
            share.apply(updates);
        } finally {
            lock.unlock();
        }
        updates.applied(updatePool);
    }

    /** Has its share do what the coordinator asks for. */
    void perform(OwnerTask.Control task) throws InterruptedException {
        lock.lock();
        try {
            share.perform(task);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Its share, which says what the state has come to first, as no thread does so when nothing comes any more. Not while the stripe
     * is at work: a change of definitions may take long, and who asks for gauges must not wait for it.
     */
    Share published() {
        if (lock.tryLock()) {
            try {
                share.publish();
            } finally {
                lock.unlock();
            }
        }
        return share;
    }
}
