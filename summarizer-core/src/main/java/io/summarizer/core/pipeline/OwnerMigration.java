package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.SummaryPartition;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Switches an owner to other definitions, at a {@linkplain OwnerTask.Switch switch}: kept stores move to their new
 * places, rows of rebuilt summaries are copied into new stores, and all other stores are retired. After each rebuilt
 * summary, the owner waits until all owners have copied their rows of this summary, because the owner's new stores may
 * get rows from other owners. Because of this wait, only one summary at a time is in memory twice. One use.
 */
final class OwnerMigration {
    private final Owner owner;
    private final OwnerTask.Switch task;
    private final PartitionTable<SummaryPartition> before;
    private final PartitionTable<SummaryPartition> partitions;
    private final PartitionTable<RecentIds> ids;

    /** For each summary of {@link #before}, the number of updates in partitions whose rows were copied. */
    private final long[] updates;

    /** Number of rebuilt summaries whose rows this owner has copied. */
    private int copied;

    /** Moves the parts that need no copies; {@link #step} does the rest. */
    OwnerMigration(Owner owner, OwnerTask.Switch task) {
        this.owner = owner;
        this.task = task;
        before = owner.applier.partitions();
        updates = new long[before.rows()];
        // From here on, only the table {@code before} refers to stores that are not kept.
        owner.generation = task.next;
        partitions = task.next.newPartitions();
        ids = task.next.newIds();
        owner.applier.ids().forEach((table, partition, seen) -> goOver(seen, partition, ids));
        for (int summary = 0; summary < partitions.rows(); summary++) {
            if (task.match.outcome(summary) == LayoutMatch.Outcome.KEPT) {
                keep(task.match.source(summary), before, summary, partitions);
            }
        }
    }

    /** Copies rows until this owner has to wait for others, or is done. Returns whether everything is done. */
    boolean step() {
        while (othersCopied()) {
            if (copied == task.rebuilds.size()) {
                before.forEach((source, number, partition) -> retire(partition, task.lease));
                owner.adopt(partitions, ids, task.lease.mark());
                carryUpdates();
                owner.applier.replace(partitions, ids);
                return true;
            }
            OwnerTask.Rebuild rebuild = task.rebuilds.get(copied++);
            before.forEach(rebuild.source(), (source, number, partition) -> {
                // The lease does not hold these views, because it would keep the rows until all summaries were copied.
                partition.freeze().forEach(rebuild.rows()::add);
                updates[source] += partition.updates();
                retire(partition, task.lease);
                before.set(source, number, null);
            });
            rebuild.copied().countDown();
        }
        return false;
    }

    /** Adds the updates of the old partitions to new ones, because an owner reports the sum over its partitions. */
    private void carryUpdates() {
        for (int summary = 0; summary < partitions.rows(); summary++) {
            int source = task.match.source(summary);
            List<SummaryPartition> present = partitions.present(summary);
            if (source >= 0 && !present.isEmpty()) {
                present.get(0).addUpdates(updates[source]);
            }
        }
    }

    private boolean othersCopied() {
        return copied == 0 || task.rebuilds.get(copied - 1).copied().getCount() == 0;
    }

    /**
     * Waits until the other owners have copied their rows of the current summary, for at most about {@code nanos} ns.
     */
    void awaitOthers(long nanos) throws InterruptedException {
        if (copied > 0) {
            boolean unused = task.rebuilds.get(copied - 1).copied().await(nanos, TimeUnit.NANOSECONDS);
        }
    }

    /**
     * Moves ids to the next generation. If the partitions of a rebuilt summary change, no owner continues before all
     * owners have the ids of this summary.
     */
    private void goOver(RecentIds seen, int partition, PartitionTable<RecentIds> ids) {
        SeenIds next = task.next.ids;
        int table = next.successorOf(seen);
        if (table >= 0 && next.recent(table, partition) == seen) {
            seen.goOverTo(next, table);
            ids.set(table, partition, seen);
            return;
        }
        owner.gauges.retired(seen);
        if (table >= 0) {
            next.inherit(table, seen);
        }
        seen.retire();
    }

    private void keep(
            int source,
            PartitionTable<SummaryPartition> before,
            int summary,
            PartitionTable<SummaryPartition> partitions) {
        before.forEach(
                source,
                (row, number, partition) ->
                        partition.relabel(task.next.plan.summaries().get(summary)));
        partitions.setRow(summary, before, source);
        before.clearRow(source);
    }

    private void retire(SummaryPartition partition, CutLease last) {
        partition.forEach(store -> owner.retire(partition, store, last));
    }
}
