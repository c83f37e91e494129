package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowTransfer;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.Verdicts;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.UpdateBatch;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A task in the queue of an owner. */
sealed interface OwnerTask {
    /** Bytes of memory that the task takes in a queue. */
    default long heldBytes() {
        return 0;
    }

    /** Updates for rows of partitions that the owner has. The batch and this wrapper are both recycled. */
    final class Updates implements OwnerTask {
        final UpdateBatch batch;

        /** The verdicts on the message batch of the updates. */
        @Nullable
        Verdicts verdicts;

        /** The completion of the message batch of the updates, if it has a receipt. */
        @Nullable
        Completion completion;

        Updates() {
            batch = new UpdateBatch(MessageProcessor.FLUSH_BYTES + 16 * 1024);
        }

        @Override
        public long heldBytes() {
            return batch.heldBytes();
        }

        /** Notifies the completion and gives the wrapper back for reuse. Called after all records were applied. */
        void applied(BatchPool<Updates> pool) {
            Completion completion = this.completion;
            this.completion = null;
            verdicts = null;
            batch.clear();
            pool.release(this);
            if (completion != null) {
                completion.done();
            }
        }
    }

    /** A request of the coordinator to all owners. */
    abstract sealed class Control implements OwnerTask {
        /** Counted down by each owner after it has performed the task. */
        final CountDownLatch arrived;

        private Control(int owners) {
            arrived = new CountDownLatch(owners);
        }
    }

    /**
     * Requests views at this point of the owner's queue: of all stores of the owner, or only of the stores of a summary
     * that is to be emptied.
     */
    final class Barrier extends Control {
        /** The lease of all views. */
        final CutLease lease;

        /** The summary to be viewed, with its overflow, and then emptied; -1 to view all summaries and empty none. */
        final int reset;

        /** Views of stores, from each owner. Read them when {@link #arrived} is down. */
        final PartitionTable<StoreView> views;

        /** Views of ids, from each owner, for a checkpoint; a table without rows for other cuts. */
        final PartitionTable<RecentIds.View> ids;

        /** For each summary, the number of updates that the owners arrived so far did not apply, or not in full. */
        final AtomicLongArray refusedUpdates;

        /** The counts to which each owner adds its counts. */
        final Ledger.Snapshot ledger;

        Barrier(CutLease lease, int summaries, int tables, int owners, int reset, Ledger.Snapshot ledger) {
            super(owners);
            this.lease = lease;
            this.ledger = ledger;
            this.reset = reset;
            views = new PartitionTable<>(summaries, StoreView[]::new);
            ids = new PartitionTable<>(lease.kind() == CutLease.Kind.CHECKPOINT ? tables : 0, RecentIds.View[]::new);
            refusedUpdates = new AtomicLongArray(summaries);
        }
    }

    /** Requests a switch to the stores of other definitions. All later tasks in the queue refer to these stores. */
    final class Switch extends Control {
        final Generation next;
        final LayoutMatch match;

        /** The lease under which retired stores are read. */
        final CutLease lease;

        /** Summaries whose rows get a new layout, one after the other. */
        final List<Rebuild> rebuilds;

        Switch(Generation next, LayoutMatch match, CutLease lease, int owners) {
            super(owners);
            this.next = next;
            this.match = match;
            this.lease = lease;
            rebuilds = IntStream.range(0, match.to().size())
                    .filter(summary -> match.outcome(summary) == LayoutMatch.Outcome.REBUILT)
                    .map(match::source)
                    .mapToObj(source -> new Rebuild(
                            source, new RowTransfer(match, source, next.summaries), new CountDownLatch(owners)))
                    .toList();
        }
    }

    /**
     * A summary whose rows get a new layout. All owners copy it together, because rows may move to other partitions.
     *
     * @param source number of the summary in the former definitions
     * @param copied counted down by each owner after its rows are copied
     */
    record Rebuild(int source, RowTransfer rows, CountDownLatch copied) {}
}
