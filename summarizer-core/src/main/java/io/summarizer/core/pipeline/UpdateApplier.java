package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RecordFormat;
import io.summarizer.core.store.RowPrefetch;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The loop that applies batches of updates to the partitions of one owner. One thread.
 *
 * <p>The rows of a large summary are usually not in the processor's caches. The applier therefore takes records in
 * groups. For a group, {@link RowPrefetch} first reads the index entries, the rows, the texts of keys and the sets.
 * After that, the applier updates the rows. The cache misses of a group overlap ({@code bin/bench state} measures the
 * gain).
 *
 * <p>Consecutive records of a summary that have the same key are a run; records of other summaries may lie between
 * them. The row of a run is looked up once. If all records of a run have the same columns, as records of one mapping
 * do, the applier adds up the operands of each column before it writes the column's cell ({@code RunsBenchmark}
 * measures the gain). To find runs, the applier makes one comparison per record. The processor predicts this comparison
 * well: in most data, either most neighbours have the same key, or hardly any do. A search for all records of a key in
 * a group would cost about the time that it saves. A guarded record is a run of its own. The records of one key are
 * applied in their order; records of different keys may change their order.
 *
 * <p>A guard may precede a record. The applier applies such a record only when its event is new, that is, when the
 * partition does not have the event's id yet. The applier also prefetches the places of ids.
 */
public final class UpdateApplier {
    /**
     * Maximum number of runs in a group. Each stage waits for its first cache miss; in a larger group, more runs share
     * this wait. Beyond a few dozen runs, nothing is gained ({@code bin/bench state --sections large}).
     */
    private static final int GROUP = 32;

    /**
     * Maximum number of records in a group. In a larger group, the first records would no longer be in the nearest
     * cache when they are applied.
     */
    private static final int GROUP_RECORDS = 128;

    /**
     * Number of entries in {@link #latest}, a power of two. If there are more summaries than entries, some summaries
     * share an entry.
     */
    private static final int LATEST = 16;

    /** Stands for the start of the guard when a record has no guard. */
    private static final int NO_GUARD = -1;

    /** Stands for a row when there is none. */
    private static final int NONE = -1;

    /** Stands for a row when the listener has heard of the record. */
    private static final int DONE = -2;

    /** Stands for a row that has no window; the listener has heard of the record. */
    private static final int NO_WINDOW = -3;

    private PartitionTable<SummaryPartition> partitions;

    /** The ids by table and partition. */
    private PartitionTable<RecentIds> ids;

    /** All values of {@link #partitions}. */
    private @Nullable SummaryPartition[] partitionCells;

    private @Nullable RecentIds[] idCells;

    /** The partitions of both tables. */
    private final Partitions here;

    private final Listener listener;

    /**
     * The runs of the group. This array has the start of the first record of each run. The next two arrays have, for
     * each run, the number of records, and whether all records have the same shape.
     */
    private final int[] firsts = new int[GROUP];

    private final int[] counts = new int[GROUP];
    private final boolean[] uniform = new boolean[GROUP];

    /**
     * The starts of the records of each run. The entries of run r begin at r * GROUP_RECORDS; they are not written when
     * the run has one record.
     */
    private final int[] starts = new int[GROUP * GROUP_RECORDS];

    /** For each run, the guard of its record; a guarded record is the only record of its run. */
    private final int[] guards = new int[GROUP];

    /** For each run, the tables, the hash of the key, and the row. */
    private final RowPrefetch prefetch = new RowPrefetch(GROUP);

    /** For each summary, its latest run; summaries whose numbers have the same lowest bits share an entry. */
    private final int[] latest = new int[LATEST];

    /** Number of runs of the group. */
    private int runs;

    private final UpdateRun run = new UpdateRun();

    /** A sum of the values that {@link #prefetchIds} reads, written so that the compiler cannot remove the reads. */
    @SuppressWarnings("unused")
    private int prefetched;

    /** Receives the records that were not applied. Called on the owner's thread. */
    public interface Listener {
        /**
         * Reports a duplicate event to this listener. The applier skips all records that the mapping made from this
         * event, and calls this method only for the first of these records.
         *
         * @param record start of the record in {@code bytes}, in the layout of {@link UpdateBatch}; the guard lies
         *     before the record
         */
        default void duplicate(byte[] bytes, int record) {
            throw new IllegalStateException("there are ids, so somebody has to hear of duplicates");
        }

        /**
         * Reports that a record was not applied, or not in full, because the summary was full, or because of an
         * oversized key or text.
         *
         * @param record start of the record in {@code bytes}, in the layout of {@link UpdateBatch}
         */
        void refused(byte[] bytes, int record);

        /**
         * Reports that a record was not applied because it belongs to no window.
         *
         * @param record start of the record in {@code bytes}, in the layout of {@link UpdateBatch}
         * @param partition the partition of the record, which knows the reason
         */
        default void refused(byte[] bytes, int record, SummaryPartition partition) {
            refused(bytes, record);
        }

        /** Reports that a record was not applied, or not in full, because of a fault in this program. */
        void failed(byte[] bytes, int record, RuntimeException fault);
    }

    UpdateApplier(PartitionTable<SummaryPartition> partitions, PartitionTable<RecentIds> ids, Listener listener) {
        this.partitions = partitions;
        this.ids = ids;
        here = partitions.partitions();
        partitionCells = partitions.cells();
        idCells = ids.cells();
        this.listener = listener;
    }

    /** Makes an applier as {@link #ofAll(Summaries, SeenIds, Listener)} does, but for updates without guards. */
    public static UpdateApplier ofAll(Summaries summaries, Listener listener) {
        return ofAll(
                summaries,
                SeenIds.of(List.of(), SavedIds.none(), 0, 1, summaries.here().count(), summaries.budget()),
                listener);
    }

    /** An applier for all partitions of all summaries, for a single owner. */
    public static UpdateApplier ofAll(Summaries summaries, SeenIds seen, Listener listener) {
        PartitionTable<RecentIds> ids = new PartitionTable<>(summaries.here(), seen.tables(), RecentIds[]::new);
        for (int table = 0; table < ids.rows(); table++) {
            for (int partition = summaries.here().first();
                    partition < summaries.here().end();
                    partition++) {
                ids.set(table, partition, seen.recent(table, partition));
            }
        }
        return new UpdateApplier(summaries.partitions(), ids, listener);
    }

    /** The partitions by summary; empty for partitions of other owners. */
    public PartitionTable<SummaryPartition> partitions() {
        return partitions;
    }

    /** The ids by table and partition; empty for partitions of other owners. */
    PartitionTable<RecentIds> ids() {
        return ids;
    }

    /** Replaces both tables; the new tables may have other sizes. */
    void replace(PartitionTable<SummaryPartition> partitions, PartitionTable<RecentIds> ids) {
        this.partitions = partitions;
        this.ids = ids;
        partitionCells = partitions.cells();
        idCells = ids.cells();
    }

    /** Applies all records of a batch. The records of one key are applied in their order. */
    public void apply(UpdateBatch batch) {
        byte[] bytes = batch.bytes();
        int limit = batch.limit();
        for (int at = 0; at < limit; ) {
            at = group(bytes, at, limit);
            prefetch.run(bytes, firsts);
            prefetchIds(bytes, runs);
            for (int i = 0; i < runs; i++) {
                if (guards[i] == NO_GUARD) {
                    apply(i, bytes);
                } else if (isNew(bytes, guards[i], firsts[i])) {
                    applyGuarded(i, bytes);
                }
            }
        }
        prefetch.forget();
    }

    /** Finds the runs of the records of one group; returns the place after them. */
    private int group(byte[] bytes, int from, int limit) {
        int runs = 0;
        int at = from;
        prefetch.begin();
        for (int records = 0; records < GROUP_RECORDS && at < limit; records++) {
            int guard = NO_GUARD;
            int start = at;
            if (UpdateBatch.isGuard(bytes, at)) {
                guard = at;
                start += UpdateBatch.GUARD_BYTES;
            }
            int summary = UpdateBatch.summary(bytes, start);
            long hash = UpdateBatch.hash(bytes, start);
            SummaryPartition partition = partitionOf(summary, hash);
            if (!partition.takes(bytes, start)) {
                if (runs > 0) {
                    break; // ids are looked up in the order of records
                }
                refuse(partition, bytes, guard, start);
                at = start + Bytes.getInt(bytes, start);
                continue;
            }
            StoreTables tables = partition.tables();
            int run = latest[summary & (LATEST - 1)];
            // An entry that is left from the previous group may point to a run of another summary, or beyond the runs
            // of this group; the code below checks for both cases.
            if (run < runs && prefetch.hash(run) == hash && guard == NO_GUARD && isOf(run, tables, bytes, start)) {
                join(run, tables.record(), bytes, start);
            } else if (runs == GROUP) {
                break;
            } else {
                latest[summary & (LATEST - 1)] = runs;
                prefetch.add(tables, hash);
                guards[runs] = guard;
                counts[runs] = 1;
                firsts[runs] = start;
                runs++;
            }
            at = start + Bytes.getInt(bytes, start);
        }
        this.runs = runs;
        return at;
    }

    /** Whether a record belongs to a run whose key has the same hash. */
    private boolean isOf(int run, StoreTables tables, byte[] bytes, int start) {
        return prefetch.tables(run) == tables && guards[run] == NO_GUARD && tables.isSameKey(bytes, start, firsts[run]);
    }

    private void join(int run, RecordFormat format, byte[] bytes, int start) {
        int count = counts[run]++;
        int at = run * GROUP_RECORDS;
        if (count == 1) {
            starts[at] = firsts[run];
            uniform[run] = format.isFitForRun(bytes, firsts[run]);
        }
        uniform[run] = uniform[run] && format.isOfRun(bytes, start, firsts[run]);
        starts[at + count] = start;
    }

    private void prefetchIds(byte[] bytes, int runs) {
        int read = 0;
        for (int i = 0; i < runs; i++) {
            if (guards[i] != NO_GUARD) {
                read += idsOf(bytes, guards[i], firsts[i]).prefetch(UpdateBatch.lowOf(bytes, guards[i]));
            }
        }
        prefetched = read;
    }

    /** Whether the event of a guarded record is new. */
    private boolean isNew(byte[] bytes, int guard, int at) {
        boolean isNew = idsOf(bytes, guard, at)
                .isNew(
                        UpdateBatch.highOf(bytes, guard),
                        UpdateBatch.lowOf(bytes, guard),
                        Bytes.getLong(bytes, guard + UpdateBatch.STAMP_OFFSET));
        if (!isNew && UpdateBatch.isFirst(bytes, guard)) {
            listener.duplicate(bytes, at);
        }
        return isNew;
    }

    private RecentIds idsOf(byte[] bytes, int guard, int at) {
        long hash = UpdateBatch.hash(bytes, at);
        RecentIds ids = idCells[here.cellOf(UpdateBatch.tableOf(bytes, guard), hash)];
        assert ids != null : "table " + UpdateBatch.tableOf(bytes, guard) + " hash " + hash + " is another owner's";
        return ids;
    }

    /**
     * Looks up the row of a run once and applies the records of the run: all records together if possible, otherwise
     * one by one.
     */
    private void apply(int number, byte[] bytes) {
        StoreTables tables = prefetch.tables(number);
        int count = counts[number];
        int row = rowOf(tables, bytes, firsts[number], prefetch.likelyRow(number));
        if (row >= 0 && count > 1 && uniform[number]) {
            applyAtOnce(tables, row, bytes, number * GROUP_RECORDS, count);
            return;
        }
        apply(tables, row, bytes, firsts[number]);
        for (int i = 1; i < count; i++) {
            int start = starts[number * GROUP_RECORDS + i];
            row = row >= 0 ? row : rowOf(tables, bytes, start, NONE);
            apply(tables, row, bytes, start);
        }
    }

    /**
     * Applies the guarded record of a run; such a run has one record. If a bound refuses its row, forgets the id of the
     * event, so that the event counts when it is sent again.
     */
    private void applyGuarded(int number, byte[] bytes) {
        StoreTables tables = prefetch.tables(number);
        int at = firsts[number];
        int row = rowOf(tables, bytes, at, prefetch.likelyRow(number));
        if (row == NO_WINDOW || (row == NONE && !storeOf(bytes, at).hasOverflow())) {
            idsOf(bytes, guards[number], at).forgetLast();
        }
        apply(tables, row, bytes, at);
    }

    private void applyAtOnce(StoreTables tables, int row, byte[] bytes, int first, int count) {
        run.set(bytes, starts, first, first + count);
        try {
            if (!tables.apply(row, run)) {
                for (int i = 0; i < count; i++) {
                    if (run.takeRefused(i)) {
                        listener.refused(bytes, starts[first + i]);
                    }
                }
            }
        } catch (RuntimeException fault) {
            run.forgetRefused();
            for (int i = first; i < first + count; i++) {
                listener.failed(bytes, starts[i], fault);
            }
        }
    }

    /** The row of a record; {@link #NONE} when the row is refused, {@link #DONE} when the record is done with. */
    private int rowOf(StoreTables tables, byte[] bytes, int at, int likelyRow) {
        try {
            int row = tables.row(bytes, at, likelyRow);
            return row >= 0 ? row : newRow(bytes, at);
        } catch (RuntimeException fault) {
            listener.failed(bytes, at, fault);
            return DONE;
        }
    }

    private int newRow(byte[] bytes, int at) {
        SummaryPartition partition = partitionOf(UpdateBatch.summary(bytes, at), UpdateBatch.hash(bytes, at));
        SummaryStore store = partition.storeOf(bytes, at);
        if (store != null) {
            return store.newRow(bytes, at);
        }
        listener.refused(bytes, at, partition);
        return NO_WINDOW;
    }

    /** Applies a record to {@code row}, the result of {@link #rowOf} for this record. */
    private void apply(StoreTables tables, int row, byte[] bytes, int at) {
        if (row < NONE) {
            return;
        }
        try {
            if (row >= 0 ? !tables.apply(row, bytes, at) : !applyRefused(bytes, at)) {
                listener.refused(bytes, at);
            }
        } catch (RuntimeException fault) {
            listener.failed(bytes, at, fault);
        }
    }

    /** Applies a record whose row a store has refused. */
    private boolean applyRefused(byte[] bytes, int at) {
        return storeOf(bytes, at).applyRefused(bytes, at);
    }

    /** The store of a record whose row the store has refused. */
    private SummaryStore storeOf(byte[] bytes, int at) {
        SummaryPartition partition = partitionOf(UpdateBatch.summary(bytes, at), UpdateBatch.hash(bytes, at));
        return Objects.requireNonNull(partition.storeOf(bytes, at));
    }

    private SummaryPartition partitionOf(int summary, long hash) {
        SummaryPartition partition = partitionCells[here.cellOf(summary, hash)];
        assert partition != null : "summary " + summary + " hash " + hash + " belongs to another owner";
        return partition;
    }

    /** Reports a record that belongs to no window, unless its event is a duplicate. */
    private void refuse(SummaryPartition partition, byte[] bytes, int guard, int start) {
        if (guard == NO_GUARD || isNew(bytes, guard, start)) {
            listener.refused(bytes, start, partition);
        }
    }
}
