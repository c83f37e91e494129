package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.SummaryStore;

/**
 * What an owner does at a {@linkplain OwnerTask.Switch switch} to other definitions: kept stores find their new places, rows of rebuilt
 * summaries are copied into new stores, all others go. Waits for the other owners after each rebuilt summary, because rows of theirs
 * may become this owner's; so no two summaries are in memory twice at a time. One use.
 */
final class OwnerMigration {
    private final Owner owner;
    private final OwnerTask.Switch task;

    OwnerMigration(Owner owner, OwnerTask.Switch task) {
        this.owner = owner;
        this.task = task;
    }

    void run() throws InterruptedException {
        PartitionTable<SummaryStore> before = owner.applier.stores();
        // From here on nothing but the table above refers to stores that are not kept.
        owner.generation = task.next;
        PartitionTable<SummaryStore> stores = task.next.newStores();
        PartitionTable<RecentIds> ids = task.next.newIds();
        owner.applier.ids().forEach((table, partition, seen) -> goOver(seen, partition, ids));
        for (int summary = 0; summary < stores.rows(); summary++) {
            if (task.match.outcome(summary) == LayoutMatch.Outcome.KEPT) {
                keep(task.match.source(summary), before, summary, stores);
            }
        }
        for (OwnerTask.Rebuild rebuild : task.rebuilds) {
            before.forEach(rebuild.source(), (source, partition, store) -> {
                // Not under the lease, which would keep the rows until all other summaries were copied, too.
                rebuild.rows().add(store.freeze());
                retire(store, task.lease);
                before.set(source, partition, null);
            });
            rebuild.copied().countDown();
            rebuild.copied().await();
        }
        before.forEach((source, partition, store) -> retire(store, task.lease));
        owner.adopt(stores, ids, task.lease.mark());
        owner.applier.replace(stores, ids);
    }

    /**
     * Has ids go over to the generation. Those whose partitions are others now are left to all owners, which is done before any of
     * them goes on: then the summary is one of those that are rebuilt.
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
            int source, PartitionTable<SummaryStore> before, int summary, PartitionTable<SummaryStore> stores) {
        before.forEach(
                source,
                (row, partition, store) ->
                        store.relabel(task.next.plan.summaries().get(summary)));
        stores.setRow(summary, before, source);
        before.clearRow(source);
    }

    private void retire(SummaryStore store, CutLease last) {
        owner.gauges.retired(store);
        int unused = store.leaveTo(last);
        store.retire();
    }
}
