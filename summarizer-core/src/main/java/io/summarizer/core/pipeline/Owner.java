package io.summarizer.core.pipeline;

import io.summarizer.core.queue.BatchQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The one thread that writes a {@link Share}: does what its queue says, in that order. */
final class Owner implements Runnable, UpdateSink {
    /** Tasks taken from the queue at once: beyond its capacity, so few. */
    static final int DRAINED = 16;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final BatchQueue<OwnerTask> queue;
    private final BatchPool<OwnerTask.Updates> updatePool;
    private final PipelineFailure failure;
    private final Share share;
    private final Thread thread;
    private final List<OwnerTask> tasks = new ArrayList<>(DRAINED);

    /** An owner whose thread is not started yet. */
    Owner(
            int number,
            BatchQueue<OwnerTask> queue,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            PipelineCounters counters,
            PipelineFailure failure,
            Generation generation) {
        this.queue = queue;
        this.updatePool = updatePool;
        this.failure = failure;
        thread = failure.newThread("owner-" + number, this);
        share = new Share(number, ledger, counters, generation, thread);
    }

    Thread thread() {
        return thread;
    }

    Share share() {
        return share;
    }

    BatchQueue<OwnerTask> queue() {
        return queue;
    }

    @Override
    public void put(OwnerTask.Updates updates) throws InterruptedException {
        queue.put(updates);
    }

    @Override
    public void run() {
        try {
            while (!queue.isDrained()) {
                if (queue.drain(tasks, DRAINED) > 0) {
                    for (OwnerTask task : tasks) {
                        process(task);
                    }
                    tasks.clear();
                } else {
                    share.publish();
                    queue.await(WAIT_NANOS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure.report(e);
        }
    }

    private void process(OwnerTask task) throws InterruptedException {
        if (task instanceof OwnerTask.Updates updates) {
            share.apply(updates);
            updates.applied(updatePool);
        } else if (task instanceof OwnerTask.Control control) {
            share.perform(control);
        }
    }
}
