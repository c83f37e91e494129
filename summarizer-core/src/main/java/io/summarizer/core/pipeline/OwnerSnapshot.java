package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import java.util.List;

/**
 * Takes views of the partitions of an owner at a {@linkplain OwnerTask.Barrier barrier}, and empties the partitions at
 * a reset. One use.
 */
final class OwnerSnapshot {
    private final Owner owner;
    private final OwnerTask.Barrier barrier;
    private final OwnerTask.Scope scope;
    private final PartitionTable<SummaryPartition> partitions;

    OwnerSnapshot(Owner owner, OwnerTask.Barrier barrier) {
        this.owner = owner;
        this.barrier = barrier;
        scope = barrier.scope;
        partitions = owner.applier.partitions();
    }

    void take() {
        if (scope.summary() < 0) {
            freeze(0, partitions.rows());
        } else {
            freeze(scope.summary(), scope.summary() + 1);
            int overflow = owner.generation.overflows[scope.summary()];
            if (overflow >= 0) {
                freeze(overflow, overflow + 1);
            }
            owner.link(partitions);
        }
        if (barrier.ids.rows() > 0) {
            freezeIds();
        }
    }

    private void freeze(int from, int to) {
        int notes = 0;
        Partitions here = partitions.partitions();
        for (int cell = here.cell(from, 0); cell < here.cell(to, 0); cell++) {
            SummaryPartition partition = partitions.cells()[cell];
            notes += partition == null ? 0 : partition.notes();
        }
        FrozenTables tables = new FrozenTables(barrier.lease, notes);
        for (int summary = from; summary < to; summary++) {
            partitions.forEach(summary, (row, number, partition) -> {
                if (scope.empties()) {
                    barrier.views.set(row, number, empty(partition, tables));
                } else {
                    barrier.views.set(row, number, partition.freeze(tables, scope.before()));
                }
            });
        }
        tables.add();
    }

    /** Takes the last views of the stores of a partition, and empties the partition. */
    private List<StoreView> empty(SummaryPartition partition, FrozenTables tables) {
        List<SummaryStore> taken = partition.takeOpen(barrier.lease.mark());
        List<StoreView> views = partition.freeze(taken, tables);
        taken.forEach(store -> owner.retire(partition, store, barrier.lease));
        return views;
    }

    /**
     * Takes views of the ids, for a checkpoint. A reset does not remove ids: events that are in the cut of the reset
     * must not be counted again when they are repeated.
     */
    private void freezeIds() {
        FrozenTables tables = new FrozenTables(barrier.lease, barrier.ids.cells().length * RecentIds.NOTES);
        owner.applier.ids().forEach((table, partition, ids) -> barrier.ids.set(table, partition, ids.freeze(tables)));
        tables.add();
    }
}
