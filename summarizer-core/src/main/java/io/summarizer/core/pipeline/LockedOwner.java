package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.reject.RejectSink;
import java.util.concurrent.locks.ReentrantLock;

/** An {@link Owner} under a lock: the thread that brings updates applies them. Any thread. */
final class LockedOwner implements UpdateSink {
    private final ReentrantLock lock = new ReentrantLock();
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final Owner owner;

    LockedOwner(
            int number,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            Faults faults,
            RejectSink rejects,
            Generation generation) {
        this.updatePool = updatePool;
        owner = new Owner(number, ledger, faults, rejects, generation, null);
    }

    @Override
    public void put(OwnerTask.Updates updates) {
        boolean unused = offer(updates);
    }

    /** Applies the updates. */
    @Override
    public boolean offer(OwnerTask.Updates updates) {
        lock.lock();
        try {
            owner.apply(updates);
        } finally {
            lock.unlock();
        }
        updates.applied(updatePool);
        return true;
    }

    /** Performs a task of the coordinator. */
    void perform(OwnerTask.Control task) throws InterruptedException {
        lock.lock();
        try {
            while (!owner.perform(task)) {
                owner.awaitOthers();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Publishes the gauges, which would otherwise stay unpublished while there are no updates. Does nothing while the
     * owner works: a change of definitions may take long, and readers of gauges must not wait for it.
     */
    OwnerGauges published() {
        if (lock.tryLock()) {
            try {
                owner.publish();
            } finally {
                lock.unlock();
            }
        }
        return owner.gauges;
    }
}
