package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.queue.BatchQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An {@link Owner} with a queue and a thread of its own: does what its queue says, in that order. */
final class QueuedOwner implements Agent, UpdateSink {
    /** Tasks taken from the queue at once: beyond its capacity, so few. */
    static final int DRAINED = 16;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final BatchQueue<OwnerTask> queue;
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final Owner owner;
    private final Thread thread;
    private final List<OwnerTask> tasks = new ArrayList<>(DRAINED);

    /** An owner whose thread is not started yet. */
    QueuedOwner(
            int number,
            BatchQueue<OwnerTask> queue,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            Faults faults,
            PipelineFailure failure,
            Generation generation) {
        this.queue = queue;
        this.updatePool = updatePool;
        thread = failure.newThread("owner-" + number, this);
        owner = new Owner(number, ledger, faults, generation, thread);
    }

    Thread thread() {
        return thread;
    }

    OwnerGauges gauges() {
        return owner.gauges;
    }

    BatchQueue<OwnerTask> queue() {
        return queue;
    }

    @Override
    public void put(OwnerTask.Updates updates) throws InterruptedException {
        queue.put(updates);
    }

    @Override
    public boolean doWork() throws InterruptedException {
        if (queue.drain(tasks, DRAINED) == 0) {
            owner.publish();
            return false;
        }
        for (OwnerTask task : tasks) {
            if (task instanceof OwnerTask.Updates updates) {
                owner.apply(updates);
                updates.applied(updatePool);
            } else if (task instanceof OwnerTask.Control control) {
                owner.perform(control);
            }
        }
        tasks.clear();
        return true;
    }

    @Override
    public void awaitWork() throws InterruptedException {
        queue.await(WAIT_NANOS);
    }

    @Override
    public boolean isDone() {
        return queue.isDrained();
    }
}
