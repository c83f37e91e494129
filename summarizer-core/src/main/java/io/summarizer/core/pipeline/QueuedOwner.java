package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.reject.RejectSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An {@link Owner} with its own queue and thread: performs the tasks of its queue in order. */
final class QueuedOwner implements Agent, UpdateSink {
    /**
     * Number of tasks taken from the queue at once. The number is small, because the queue's capacity does not bound
     * tasks that were taken.
     */
    static final int DRAINED = 16;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final BatchQueue<OwnerTask> queue;
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final Owner owner;
    private final @Nullable Thread thread;

    /** The tasks that were taken from the queue. The owner has performed the tasks before position {@link #next}. */
    private final List<OwnerTask> tasks = new ArrayList<>(DRAINED);

    private int next;

    /** Windows that are removed between batches of updates; the coordinator sends no other task before the end. */
    private OwnerTask.@Nullable DropWindows dropping;

    /** An owner whose thread is not started yet. */
    QueuedOwner(
            int number,
            BatchQueue<OwnerTask> queue,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            Faults faults,
            PipelineFailure failure,
            RejectSink rejects,
            Generation generation) {
        this.queue = queue;
        this.updatePool = updatePool;
        thread = failure.newThread("owner-" + number, this);
        owner = new Owner(number, ledger, faults, rejects, generation, thread);
    }

    /** The thread of this owner; null when another thread takes the owner's steps. */
    @Nullable
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
    public boolean offer(OwnerTask.Updates updates) {
        return queue.offer(updates);
    }

    @Override
    public void put(OwnerTask.Updates updates) throws InterruptedException {
        queue.put(updates);
    }

    @Override
    public boolean doWork() {
        if (tasks.isEmpty() && queue.drain(tasks, DRAINED) == 0) {
            if (dropping != null) {
                dropNext();
                return true;
            }
            owner.publish();
            return false;
        }
        int first = next;
        while (next < tasks.size()) {
            OwnerTask task = tasks.get(next);
            if (task instanceof OwnerTask.Updates updates) {
                owner.apply(updates);
                updates.applied(updatePool);
                dropNext();
            } else if (task instanceof OwnerTask.DropWindows drop) {
                dropping = drop;
            } else if (task instanceof OwnerTask.Control control && !owner.perform(control)) {
                assert dropping == null;
                return next > first;
            }
            next++;
        }
        tasks.clear();
        next = 0;
        return true;
    }

    /** Performs the next part of {@link #dropping}, if there is one. */
    private void dropNext() {
        if (dropping != null && owner.perform(dropping)) {
            dropping = null;
        }
    }

    @Override
    public void awaitWork() throws InterruptedException {
        if (tasks.isEmpty()) {
            queue.await(WAIT_NANOS);
        } else {
            owner.awaitOthers();
        }
    }

    @Override
    public boolean isDone() {
        return tasks.isEmpty() && dropping == null && queue.isDrained();
    }
}
