package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Opaque;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.ledger.Books;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.Verdicts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.LateUpdates;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of the owners among which all partitions are divided. Uses an {@link UpdateApplier} to apply updates to its
 * partitions, an {@link OwnerSnapshot} for views and resets, and an {@link OwnerMigration} to switch to other
 * definitions. One thread at a time: the thread of a {@link QueuedOwner}, or the thread that holds the lock of a {@link
 * LockedOwner}.
 */
final class Owner implements UpdateApplier.Listener {
    /**
     * A mask that selects every 1,024th batch. The owner publishes its gauges after each selected batch, and possibly
     * more often.
     */
    private static final int PUBLISH_MASK = 1023;

    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    final int number;
    /** The owner's number among all threads that decide fates. */
    final int deciding;

    final UpdateApplier applier;
    final OwnerGauges gauges = new OwnerGauges();
    private final Ledger ledger;
    private final Faults faults;
    private final RejectSink rejects;

    /** The only thread of the owner, or null when several threads take turns. */
    private final @Nullable Thread thread;

    /** The generation of the current updates. */
    Generation generation;

    /** Verdicts on the messages of the current updates. */
    private @Nullable Verdicts verdicts;

    /** The current updates. */
    private OwnerTask.@Nullable Updates current;

    private int batches;

    /** The change of definitions that is under way. */
    private @Nullable OwnerMigration migration;

    /**
     * Receives the number of late updates of each closed window; null if this owner does not count late updates by
     * window.
     */
    private @Nullable LateUpdates late;

    /** Makes the owner of the partitions that {@code generation} assigns to owner {@code number}. */
    Owner(
            int number,
            Ledger ledger,
            Faults faults,
            RejectSink rejects,
            Generation generation,
            @Nullable Thread thread) {
        this.number = number;
        this.ledger = ledger;
        deciding = ledger.thread(number);
        this.faults = faults;
        this.rejects = rejects;
        this.generation = generation;
        this.thread = thread;
        PartitionTable<SummaryPartition> partitions = generation.newPartitions();
        PartitionTable<RecentIds> ids = generation.newIds();
        applier = new UpdateApplier(partitions, ids, this);
        adopt(partitions, ids, 0);
        gauges.publish(partitions, ids);
    }

    /** From now on, counts the late updates of each closed window. */
    void countLate(LateUpdates into) {
        late = into;
    }

    /**
     * Adds each partition that the generation assigns to this owner and that this owner does not have yet.
     *
     * @param since the value for {@link SummaryPartition#since}
     */
    void adopt(PartitionTable<SummaryPartition> partitions, PartitionTable<RecentIds> ids, int since) {
        for (int partition = partitions.partitions().first();
                partition < partitions.partitions().end();
                partition++) {
            for (int summary = 0; summary < partitions.rows(); summary++) {
                if (partitions.get(summary, partition) == null && generation.owner(summary, partition) == number) {
                    SummaryPartition added = generation.summaries.partition(summary, partition);
                    added.since(since);
                    // The windows of an overflow summary close with those of its summary.
                    int closing = generation.summary(
                            generation.plan.summaries().get(summary).overflowOf());
                    added.closeBefore(generation.summaries.boundary(closing));
                    added.ownedBy(thread);
                    partitions.set(summary, partition, added);
                }
            }
            for (int table = 0; table < ids.rows(); table++) {
                int summary = generation.plan.dedups().get(table).summary();
                if (ids.get(table, partition) == null && generation.owner(summary, partition) == number) {
                    ids.set(table, partition, generation.ids.recent(table, partition));
                }
            }
        }
        link(partitions);
    }

    /**
     * Links each partition to the partition that takes its overflow. Both partitions have the same number, and
     * therefore the same owner.
     */
    void link(PartitionTable<SummaryPartition> partitions) {
        partitions.forEach((summary, number, partition) -> {
            int overflow = generation.overflows[summary];
            partition.overflowInto(
                    generation.plan.summaries().get(summary), overflow < 0 ? null : partitions.get(overflow, number));
        });
    }

    /** Applies all records of a batch. */
    void apply(OwnerTask.Updates updates) {
        verdicts = updates.verdicts;
        current = updates;
        applier.apply(updates.batch);
        current = null;
        if ((++batches & PUBLISH_MASK) == 0) {
            publish();
        }
    }

    /**
     * Performs a task of the coordinator, and counts down its latch.
     *
     * @return false when the task is not done yet, so that the method has to be called again. For {@link
     *     OwnerTask.DropWindows}, a call removes the windows from one partition, and the owner may apply updates before
     *     the next call. For all other tasks, other owners have to do their part first, and the owner does nothing else
     *     before the next call
     */
    boolean perform(OwnerTask.Control task) {
        if (task instanceof OwnerTask.Barrier barrier) {
            countOverflows();
            for (int summary = 0; summary < generation.overflows.length; summary++) {
                barrier.refusedUpdates.addAndGet(summary, generation.books.summary(summary).refused[number]);
            }
            barrier.ledger.add(deciding);
            new OwnerSnapshot(this, barrier).take();
        } else if (task instanceof OwnerTask.CloseWindows close) {
            partitionsOf(close.summary).forEach(partition -> partition.closeBefore(close.before));
        } else if (task instanceof OwnerTask.DropWindows drop) {
            if (!dropNext(drop)) {
                return false;
            }
        } else if (task instanceof OwnerTask.Switch other) {
            OwnerMigration going = migration == null ? new OwnerMigration(this, other) : migration;
            migration = going.step() ? null : going;
            if (migration != null) {
                return false;
            }
        }
        publish();
        task.arrived.countDown();
        return true;
    }

    /**
     * Removes windows from the next partition that has some, so that updates never wait for all partitions. Returns
     * whether no partition was left.
     */
    private boolean dropNext(OwnerTask.DropWindows drop) {
        for (SummaryPartition partition : partitionsOf(drop.summary)) {
            List<SummaryStore> taken = partition.takeBefore(drop.before);
            taken.forEach(store -> retire(partition, store, drop.lease));
            if (!taken.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The partitions of a summary and of its overflow summary. */
    private List<SummaryPartition> partitionsOf(int summary) {
        List<SummaryPartition> all = applier.partitions().present(summary);
        int overflow = generation.overflows[summary];
        if (overflow >= 0) {
            all.addAll(applier.partitions().present(overflow));
        }
        return all;
    }

    /** Retires a store that is no longer written. */
    void retire(SummaryPartition partition, SummaryStore store, CutLease last) {
        gauges.retired(store);
        int unused = store.leaveTo(last);
        partition.retire(store);
    }

    /** Waits for other owners, for at most about 100 ms. Call it after {@link #perform} returned false. */
    void awaitOthers() throws InterruptedException {
        OwnerMigration migration = this.migration;
        if (migration != null) {
            migration.awaitOthers(WAIT_NANOS);
        }
    }

    @Override
    public void refused(byte[] bytes, int record) {
        boolean unused = find(bytes, record, Fate.LIMIT);
    }

    @Override
    public void refused(byte[] bytes, int record, SummaryPartition partition) {
        Fate fate = switch (partition.refusal(bytes, record)) {
            case UNTIMED -> Fate.UNTIMED;
            case EARLY -> Fate.EARLY;
            case LATE -> Fate.LATE;
            case FULL -> Fate.LIMIT;
        };
        boolean found = find(bytes, record, fate);
        if (fate == Fate.LATE) {
            late(bytes, record, partition.start(bytes, record), found);
        }
    }

    /**
     * Counts an update for a closed window, and keeps its message.
     *
     * @param isFirst whether this is the first such update of the message and mapping
     */
    private void late(byte[] bytes, int record, long window, boolean isFirst) {
        OwnerTask.Updates updates = current;
        String summary = generation
                .plan
                .summaries()
                .get(UpdateBatch.summary(bytes, record))
                .name();
        LateUpdates late = this.late;
        if (isFirst && late != null) {
            late.add(summary, window, 1);
        }
        long stamp = Bytes.getLong(bytes, record + UpdateBatch.STAMP_OFFSET);
        IMessage message = updates == null ? null : updates.late(stamp);
        if (message != null) {
            rejects.late(summary, window, message);
        }
    }

    @Override
    public void duplicate(byte[] bytes, int record) {
        if (find(bytes, record, Fate.DUPLICATE)) {
            Opaque.add(generation.books.summary(UpdateBatch.summary(bytes, record)).duplicates, number, 1);
        }
    }

    @Override
    public void failed(byte[] bytes, int record, RuntimeException fault) {
        boolean unused = find(bytes, record, Fate.FAULT);
        faults.report("update not applied because of a fault in this program", fault);
    }

    /**
     * Counts a record that did not reach the rows in full. Returns whether the record's mapping had already counted the
     * message with a better fate.
     */
    private boolean find(byte[] bytes, int record, Fate fate) {
        Verdicts verdicts = this.verdicts;
        if (verdicts == null) {
            throw new IllegalStateException("updates of no message");
        }
        Books books = generation.books;
        int mapping = UpdateBatch.mapping(bytes, record);
        long stamp = Bytes.getLong(bytes, record + UpdateBatch.STAMP_OFFSET);
        if (!verdicts.countsMessages()) {
            // Events of different sources may have equal stamps. The hash of the key tells most of their updates apart.
            stamp += UpdateBatch.hash(bytes, record);
        }
        Fate before = ledger.find(books, verdicts, deciding, stamp, mapping, fate);
        if (before == Fate.APPLIED) {
            Opaque.add(books.summary(books.summaryOf(mapping)).refused, number, 1);
        }
        return before != null;
    }

    /** Publishes the gauges. */
    void publish() {
        gauges.publish(applier.partitions(), applier.ids());
        countOverflows();
    }

    /**
     * Counts the updates of overflow summaries. For every summary, the number of updates is the number of applied
     * updates minus the number of refused updates. Workers count applied updates; owners count refused updates. For an
     * overflow summary, workers count nothing, because no mapping updates it directly. Owners therefore count -1
     * refused updates for each update of an overflow summary.
     */
    private void countOverflows() {
        for (int overflow : generation.overflows) {
            if (overflow >= 0) {
                long updates = 0;
                for (SummaryPartition partition : applier.partitions().present(overflow)) {
                    updates += partition.updates();
                }
                Opaque.set(generation.books.summary(overflow).refused, number, -updates);
            }
        }
    }
}
