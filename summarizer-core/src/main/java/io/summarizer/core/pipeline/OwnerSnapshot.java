package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.SummaryStore;

/**
 * Takes views of the partitions of an owner at a {@linkplain OwnerTask.Barrier barrier}, and empties the partitions at
 * a reset. One use.
 */
final class OwnerSnapshot {
    private final Owner owner;
    private final OwnerTask.Barrier barrier;
    private final PartitionTable<SummaryStore> stores;

    OwnerSnapshot(Owner owner, OwnerTask.Barrier barrier) {
        this.owner = owner;
        this.barrier = barrier;
        stores = owner.applier.stores();
    }

    void take() {
        if (barrier.reset < 0) {
            freeze(0, stores.rows());
        } else {
            freeze(barrier.reset, barrier.reset + 1);
            int overflow = owner.generation.overflows[barrier.reset];
            if (overflow >= 0) {
                freeze(overflow, overflow + 1);
            }
            owner.link(stores);
        }
        if (barrier.ids.rows() > 0) {
            freezeIds();
        }
    }

    private void freeze(int from, int to) {
        int notes = 0;
        for (int cell = PartitionTable.cell(from, 0); cell < PartitionTable.cell(to, 0); cell++) {
            SummaryStore store = stores.cells()[cell];
            notes += store == null ? 0 : store.notes();
        }
        FrozenTables tables = new FrozenTables(barrier.lease, notes);
        for (int summary = from; summary < to; summary++) {
            stores.forEach(summary, (row, partition, store) -> {
                barrier.views.set(row, partition, store.freeze(tables));
                if (barrier.reset >= 0) {
                    empty(row, partition, store);
                }
            });
        }
        tables.add();
    }

    /** Puts an empty store in the place of {@code store}, whose last view was taken. */
    private void empty(int summary, int partition, SummaryStore store) {
        owner.gauges.retired(store);
        int since = store.leaveTo(barrier.lease);
        SummaryStore fresh = owner.generation.summaries.renew(summary, partition);
        fresh.since(since);
        owner.put(stores, summary, partition, fresh);
    }

    /**
     * Takes views of the ids, for a checkpoint. A reset does not remove ids, because events in its cut must not count
     * again.
     */
    private void freezeIds() {
        FrozenTables tables =
                new FrozenTables(barrier.lease, PartitionTable.cell(barrier.ids.rows(), 0) * RecentIds.NOTES);
        owner.applier.ids().forEach((table, partition, ids) -> barrier.ids.set(table, partition, ids.freeze(tables)));
        tables.add();
    }
}
