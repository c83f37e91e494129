package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowTransfer;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.Verdicts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.Partitions;
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

    /** Updates for rows of partitions that the owner has. Both the batch and this wrapper are reused. */
    final class Updates implements OwnerTask {
        final UpdateBatch batch;

        /** The verdicts on the message batch of the updates. */
        @Nullable
        Verdicts verdicts;

        /** The completion of the message batch of the updates, if it has a receipt. */
        @Nullable
        Completion completion;

        /** Copies of the messages that have updates for closed windows; null when there was no such message yet. */
        private @Nullable MessageBatch late;
        /**
         * Position in {@link #late} of the last message that a search found. Updates are in the order of their
         * messages, so the next search begins here.
         */
        private int found;

        Updates() {
            this(new UpdateBatch(MessageProcessor.FLUSH_BYTES + 16 * 1024));
        }

        Updates(UpdateBatch batch) {
            this.batch = batch;
        }

        @Override
        public long heldBytes() {
            MessageBatch late = this.late;
            return batch.heldBytes() + (late == null ? 0 : late.heldBytes());
        }

        /**
         * Adds a copy of a message that has updates for closed windows. All messages that are added to one object come
         * from the same received batch.
         */
        void addLate(MessageBatch from, int message) {
            MessageBatch late = this.late;
            if (late == null) {
                late = new MessageBatch(from.length(message, MessageBatch.FRAME), 1);
                this.late = late;
            }
            late.firstStamp(from.firstStamp());
            late.appendFrom(from, message);
        }

        /** The message that {@link #addLate} added with this arrival stamp; null when there is no such message. */
        @Nullable
        IMessage late(long stamp) {
            MessageBatch late = this.late;
            for (int tried = 0; late != null && tried < late.count(); tried++) {
                found = found < late.count() ? found : 0;
                if (late.firstStamp() + late.ordinal(found) == stamp) {
                    return late.message(found);
                }
                found++;
            }
            return null;
        }

        /** Notifies the completion and gives the wrapper back for reuse. Called after all records were applied. */
        void applied(BatchPool<Updates> pool) {
            Completion completion = this.completion;
            this.completion = null;
            verdicts = null;
            late = null;
            batch.clear();
            pool.release(this);
            if (completion != null) {
                completion.done();
            }
        }
    }

    /** A request of the coordinator to all owners. */
    abstract sealed class Control implements OwnerTask {
        /** A latch that each owner counts down after performing the task. */
        final CountDownLatch arrived;

        private Control(int owners) {
            arrived = new CountDownLatch(owners);
        }
    }

    /**
     * The rows that a cut has.
     *
     * @param summary the only summary to take, with its overflow; -1 for all summaries
     * @param before the operation covers only windows that begin before this time; the greatest long means all rows
     * @param empties whether the summary is emptied
     */
    record Scope(int summary, long before, boolean empties) {
        /** All rows. */
        static final Scope ALL = new Scope(-1, Long.MAX_VALUE, false);
    }

    /** Requests views at this point of the owner's queue. */
    final class Barrier extends Control {
        /** The lease of all views. */
        final CutLease lease;

        final Scope scope;

        /**
         * Views of the stores of each partition, from each owner. Read this list only after {@link #arrived} has
         * reached zero.
         */
        final PartitionTable<List<StoreView>> views;

        /** Views of ids, from each owner, for a checkpoint; a table without rows for other cuts. */
        final PartitionTable<RecentIds.View> ids;

        /**
         * For each summary, the number of updates that were not applied in full. Each owner adds its numbers when it
         * arrives, so the sums are complete when all owners have arrived.
         */
        final AtomicLongArray refusedUpdates;

        /** The counts to which each owner adds its counts. */
        final Ledger.Snapshot ledger;

        Barrier(
                CutLease lease,
                Partitions here,
                int summaries,
                int tables,
                int owners,
                Scope scope,
                Ledger.Snapshot ledger) {
            super(owners);
            this.lease = lease;
            this.ledger = ledger;
            this.scope = scope;
            views = new PartitionTable<>(here, summaries, OwnerTask::newViews);
            ids = new PartitionTable<>(
                    here, lease.kind() == CutLease.Kind.CHECKPOINT ? tables : 0, RecentIds.View[]::new);
            refusedUpdates = new AtomicLongArray(summaries);
        }
    }

    @SuppressWarnings("unchecked") // there are no arrays of lists
    private static @Nullable List<StoreView>[] newViews(int partitions) {
        return (@Nullable List<StoreView>[]) new List<?>[partitions];
    }

    /** Closes the windows of a summary that begin before a time: closed windows take no more updates. */
    final class CloseWindows extends Control {
        final int summary;
        final long before;

        CloseWindows(int summary, long before, int owners) {
            super(owners);
            this.summary = summary;
            this.before = before;
        }
    }

    /** Removes rows of closed windows from memory, after the windows were written to files. */
    final class DropWindows extends Control {
        final int summary;
        final long before;

        /** The lease under which the rows are retired. */
        final CutLease lease;

        DropWindows(int summary, long before, CutLease lease, int owners) {
            super(owners);
            this.summary = summary;
            this.before = before;
            this.lease = lease;
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
     * @param copied a latch that each owner counts down after copying its rows
     */
    record Rebuild(int source, RowTransfer rows, CountDownLatch copied) {}
}
