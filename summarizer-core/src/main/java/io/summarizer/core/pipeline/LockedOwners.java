package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Partitions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@linkplain LockedOwner Owners without threads}: updates are in the rows as soon as an owner has taken them. */
final class LockedOwners implements Owners {
    private final List<LockedOwner> owners = new ArrayList<>();
    private final PipelineFailure failure;

    LockedOwners(
            Placement placement,
            Generation generation,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            Faults faults,
            PipelineFailure failure,
            RejectSink rejects) {
        this.failure = failure;
        for (int i = 0; i < placement.owners(); i++) {
            owners.add(new LockedOwner(i, updatePool, ledger, faults, rejects, generation));
        }
    }

    /** Number of owners, each of which has a lock. */
    static int count(PipelineMode mode) {
        return mode == PipelineMode.LOCKED ? 1 : Partitions.COUNT;
    }

    @Override
    public List<LockedOwner> sinks() {
        return owners;
    }

    @Override
    public void start() {
        // The threads that bring updates do the work.
    }

    /**
     * Performs the task at once. For a change of definitions, each owner gets a thread, because owners wait for each
     * other.
     */
    @Override
    public void deliver(OwnerTask.Control task) {
        if (!(task instanceof OwnerTask.Switch)) {
            owners.forEach(owner -> perform(owner, task));
            return;
        }
        List<Thread> helpers = owners.stream()
                .map(owner -> failure.newThread("migration", () -> perform(owner, task)))
                .toList();
        helpers.forEach(Thread::start);
        for (Thread helper : helpers) {
            Waiting.uninterruptibly(helper::join);
            failure.forget(helper);
        }
    }

    private void perform(LockedOwner owner, OwnerTask.Control task) {
        try {
            owner.perform(task);
        } catch (Throwable e) {
            failure.report(e);
        }
    }

    @Override
    public List<OwnerGauges> published() {
        return owners.stream().map(LockedOwner::published).toList();
    }

    @Override
    public void queues(Consumer<QueueGauge> visitor) {
        // There are no queues.
    }

    @Override
    public void close() {
        // No threads run.
    }
}
