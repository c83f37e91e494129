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

/** What an owner takes from its queue. */
sealed interface OwnerTask {
    /** Bytes of memory that it takes in a queue. */
    default long heldBytes() {
        return 0;
    }

    /** Updates for rows of partitions that this owner holds; recycled afterwards, wrapper and all. */
    final class Updates implements OwnerTask {
        final UpdateBatch batch;

        /** Of the message batch that the updates are of. */
        @Nullable
        Verdicts verdicts;

        /** Of the message batch that the updates are of, if anybody waits for that. */
        @Nullable
        Completion completion;

        Updates() {
            batch = new UpdateBatch(MessageProcessor.FLUSH_BYTES + 16 * 1024);
        }

        @Override
        public long heldBytes() {
            return batch.heldBytes();
        }

        /** After all records were applied: says so, and gives the wrapper back for reuse. */
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

    /** What the coordinator asks all owners for. */
    abstract sealed class Control implements OwnerTask {
        /** Counted down by each owner once it has done so. */
        final CountDownLatch arrived;

        private Control(int owners) {
            arrived = new CountDownLatch(owners);
        }
    }

    /** Asks for a view of all that the owner holds, or of one summary that is to be emptied, at this point of its queue. */
    final class Barrier extends Control {
        /** Under which all views are taken. */
        final CutLease lease;

        /** The summary to be emptied once its views are taken, the only one to be viewed; or -1. */
        final int reset;

        /** Views of stores, from each owner; to be read once {@link #arrived} is down. */
        final PartitionTable<StoreView> views;

        /** Views of ids for a checkpoint, from each owner; otherwise without rows. */
        final PartitionTable<RecentIds.View> ids;

        /** For each summary: updates that came to nothing, or not in full, of all owners that arrived. */
        final AtomicLongArray refusedUpdates;

        /** What owners add their counts to. */
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

    /** Asks for the stores of other definitions, which all that follows in the queue is for. */
    final class Switch extends Control {
        final Generation next;
        final LayoutMatch match;

        /** Under which stores are read that are retired. */
        final CutLease lease;

        /** Summaries whose rows are laid out anew, one after the other. */
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
     * A summary whose rows are laid out anew, by all owners together: its rows may come to lie in other partitions.
     *
     * @param source its number before
     * @param copied counted down by each owner once its rows are copied
     */
    record Rebuild(int source, RowTransfer rows, CountDownLatch copied) {}
}
