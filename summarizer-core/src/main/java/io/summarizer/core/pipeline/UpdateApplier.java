package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop that brings batches of updates into the partitions that one owner writes. One thread.
 *
 * <p>A row of a large summary is in no cache. Records are therefore taken in groups: the index is prefetched for all of a group, then
 * all rows that it tells the places of, then the multisets that these tell the places of, before the first is updated, so that
 * their cache misses overlap instead of following each other ({@code bin/bench state} shows what that gives).
 *
 * <p>Records of the same key that follow each other, those of other summaries aside, are a run: its row is looked up once, and
 * where the records have the same columns, as those of one mapping have, each column's operands are added up before its cell is
 * written ({@code RunsBenchmark} shows what that gives). Runs are found with one comparison for each record, which the
 * processor predicts well, for data has many of them or none; to find all records of a key in a group costs skewed keys
 * what it gives. A guarded record is in no run. The records of a key are applied in their order, those of different keys need not be.
 *
 * <p>A record with a guard in front is applied only when its event is new, which the ids of its partition tell; they are prefetched
 * with the likely rows.
 */
public final class UpdateApplier {
    /**
     * Runs of a group. Each stage waits for its first cache miss, which more runs share; some dozens are as fast as any more
     * ({@code bin/bench state --sections large}).
     */
    private static final int GROUP = 32;

    /** Records of a group; more would no longer be in the nearest cache when they are applied. */
    private static final int GROUP_RECORDS = 128;

    /** Summaries whose latest run is known; with more, some share that. A power of two. */
    private static final int LATEST = 16;

    /** In place of where a guard starts: the record has none. */
    private static final int NO_GUARD = -1;

    /** In place of a row: there is none. */
    private static final int NONE = -1;

    /** In place of a row: a fault kept it from being found, or made. */
    private static final int FAILED = -2;

    private PartitionTable<SummaryStore> stores;

    /** By table of ids. */
    private PartitionTable<RecentIds> ids;

    /** Of these, all values. */
    private @Nullable SummaryStore[] storeCells;

    private @Nullable RecentIds[] idCells;

    private final Listener listener;

    /**
     * The runs of the group at hand: where their first records start, how many they have, the hash of their key, whether they are of
     * one shape.
     */
    private final int[] firsts = new int[GROUP];

    private final int[] counts = new int[GROUP];
    private final long[] hashes = new long[GROUP];

    private final boolean[] uniform = new boolean[GROUP];

    /** Where the records of run r start, from r * GROUP_RECORDS on; not written for those that have one. */
    private final int[] starts = new int[GROUP * GROUP_RECORDS];

    /** The guard of a run's only record; those that have one are in no run with others. */
    private final int[] guards = new int[GROUP];

    private final SummaryStore[] storesOf = new SummaryStore[GROUP];
    private final int[] rows = new int[GROUP];

    /** What {@link SummaryStore#placeOfSet} said of one multiset of each row. */
    private final long[] places = new long[GROUP];

    /** The latest run of a summary; of those that have the same lowest bits in their number, of one. */
    private final int[] latest = new int[LATEST];

    /** How many runs the group has. */
    private int runs;

    private final UpdateRun run = new UpdateRun();

    /** Written only so that the reads of {@code prefetch} have a use. */
    @SuppressWarnings("unused")
    private int prefetched;

    /** Hears of records that were not applied; on the owner's thread. */
    public interface Listener {
        /**
         * An event was seen before, so that none of the records is applied that its mapping made of it. Told once, of the first.
         *
         * @param record where it starts in {@code bytes}, as {@link UpdateBatch} lays it out; its guard lies in front of it
         */
        default void duplicate(byte[] bytes, int record) {
            throw new IllegalStateException("there are ids, so somebody has to hear of duplicates");
        }

        /**
         * A record met a full summary, or had a key or text that was too long, and was not applied, or not in full.
         *
         * @param record where it starts in {@code bytes}, as {@link UpdateBatch} lays it out
         */
        void refused(byte[] bytes, int record);

        /** A record was not applied, or not in full, because of a fault in this program. */
        void failed(byte[] bytes, int record, RuntimeException fault);
    }

    UpdateApplier(PartitionTable<SummaryStore> stores, PartitionTable<RecentIds> ids, Listener listener) {
        this.stores = stores;
        this.ids = ids;
        storeCells = stores.cells();
        idCells = ids.cells();
        this.listener = listener;
    }

    /** As {@link #ofAll(Summaries, SeenIds, Listener)}, for updates without guards. */
    public static UpdateApplier ofAll(Summaries summaries, Listener listener) {
        return ofAll(
                summaries, SeenIds.of(List.of(), SavedIds.none(), 1, Partitions.COUNT, summaries.budget()), listener);
    }

    /** All partitions of all summaries, for an owner that has no colleagues. */
    public static UpdateApplier ofAll(Summaries summaries, SeenIds seen, Listener listener) {
        PartitionTable<RecentIds> ids = new PartitionTable<>(seen.tables(), RecentIds[]::new);
        for (int table = 0; table < ids.rows(); table++) {
            for (int partition = 0; partition < Partitions.COUNT; partition++) {
                ids.set(table, partition, seen.recent(table, partition));
            }
        }
        return new UpdateApplier(summaries.stores(), ids, listener);
    }

    /** The stores by summary; none where another owner has one. A value is replaced at a reset, by the owner only. */
    public PartitionTable<SummaryStore> stores() {
        return stores;
    }

    /** The ids by table; none where another owner has them. */
    PartitionTable<RecentIds> ids() {
        return ids;
    }

    /** Puts others in their place, whose number may be another. */
    void replace(PartitionTable<SummaryStore> stores, PartitionTable<RecentIds> ids) {
        this.stores = stores;
        this.ids = ids;
        storeCells = stores.cells();
        idCells = ids.cells();
    }

    /** Applies all records of a batch, those of a key in their order. */
    public void apply(UpdateBatch batch) {
        byte[] bytes = batch.bytes();
        int limit = batch.limit();
        for (int at = 0; at < limit; ) {
            at = group(bytes, at, limit);
            prefetch(runs);
            prefetchIds(bytes, runs);
            for (int i = 0; i < runs; i++) {
                if (guards[i] == NO_GUARD || isNew(bytes, guards[i], firsts[i])) {
                    apply(i, bytes);
                }
            }
        }
        Arrays.fill(storesOf, null); // lest a store that was retired be kept until as many runs came again
    }

    /** Finds the runs of as many records as make a group; returns the place behind them. */
    private int group(byte[] bytes, int from, int limit) {
        int runs = 0;
        int at = from;
        for (int records = 0; records < GROUP_RECORDS && at < limit; records++) {
            int guard = NO_GUARD;
            int start = at;
            if (UpdateBatch.isGuard(bytes, at)) {
                guard = at;
                start += UpdateBatch.GUARD_BYTES;
            }
            int summary = UpdateBatch.summary(bytes, start);
            long hash = Bytes.getLong(bytes, start + UpdateBatch.HASH_OFFSET);
            SummaryStore store = storeOf(summary, hash);
            int run = latest[summary & (LATEST - 1)];
            // One that is left over from the group before is of another summary, or beyond the runs of this one.
            if (run < runs && hashes[run] == hash && guard == NO_GUARD && isOf(run, store, bytes, start)) {
                join(run, store, bytes, start);
            } else if (runs == GROUP) {
                break;
            } else {
                latest[summary & (LATEST - 1)] = runs;
                hashes[runs] = hash;
                storesOf[runs] = store;
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

    /** Whether a record whose hash is that of a run belongs to it. */
    private boolean isOf(int run, SummaryStore store, byte[] bytes, int start) {
        return storesOf[run] == store && guards[run] == NO_GUARD && store.isSameKey(bytes, start, firsts[run]);
    }

    private void join(int run, SummaryStore store, byte[] bytes, int start) {
        int count = counts[run]++;
        int at = run * GROUP_RECORDS;
        if (count == 1) {
            starts[at] = firsts[run];
            uniform[run] = store.isFitForRun(bytes, firsts[run]);
        }
        uniform[run] = uniform[run] && store.isOfRun(bytes, start, firsts[run]);
        starts[at + count] = start;
    }

    private void prefetch(int runs) {
        int read = 0;
        for (int i = 0; i < runs; i++) {
            read += storesOf[i].prefetchIndex(hashes[i]);
        }
        for (int i = 0; i < runs; i++) {
            rows[i] = storesOf[i].likelyRow(hashes[i]);
        }
        for (int i = 0; i < runs; i++) {
            if (rows[i] >= 0) {
                read += storesOf[i].prefetchRow(rows[i]);
            }
        }
        int multisets = 0;
        for (int i = 0; i < runs; i++) {
            multisets = Math.max(multisets, storesOf[i].multisets());
        }
        for (int number = 0; number < multisets; number++) {
            findPlaces(number, runs);
            for (int i = 0; i < runs; i++) {
                if (places[i] != MultisetArena.NO_PLACE) {
                    read += storesOf[i].prefetchSet(number, places[i]);
                }
            }
        }
        prefetched = read;
    }

    /** Finds the places of one multiset of each run's row. */
    private void findPlaces(int number, int runs) {
        for (int i = 0; i < runs; i++) {
            places[i] = rows[i] >= 0 ? storesOf[i].placeOfSet(rows[i], number) : MultisetArena.NO_PLACE;
        }
    }

    private void prefetchIds(byte[] bytes, int runs) {
        int read = 0;
        for (int i = 0; i < runs; i++) {
            if (guards[i] != NO_GUARD) {
                read += idsOf(bytes, guards[i], firsts[i]).prefetch(UpdateBatch.lowOf(bytes, guards[i]));
            }
        }
        prefetched += read;
    }

    /** Whether the event of a guarded record is to be counted. */
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
        long hash = Bytes.getLong(bytes, at + UpdateBatch.HASH_OFFSET);
        RecentIds ids = idCells[PartitionTable.cellOf(UpdateBatch.tableOf(bytes, guard), hash)];
        assert ids != null : "table " + UpdateBatch.tableOf(bytes, guard) + " hash " + hash + " is another owner's";
        return ids;
    }

    /** Applies the records of a run: at once where that can be, else each to the row that the one before it found. */
    private void apply(int number, byte[] bytes) {
        SummaryStore store = storesOf[number];
        int count = counts[number];
        int row = rowOf(store, bytes, firsts[number], rows[number]);
        if (row >= 0 && count > 1 && uniform[number]) {
            applyAtOnce(store, row, bytes, number * GROUP_RECORDS, count);
            return;
        }
        apply(store, row, bytes, firsts[number]);
        for (int i = 1; i < count; i++) {
            int start = starts[number * GROUP_RECORDS + i];
            row = row >= 0 ? row : rowOf(store, bytes, start, NONE);
            apply(store, row, bytes, start);
        }
    }

    private void applyAtOnce(SummaryStore store, int row, byte[] bytes, int first, int count) {
        run.set(bytes, starts, first, first + count);
        try {
            if (!store.applyTo(row, run)) {
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

    /** The row of a record; {@link #NONE} when it is refused, {@link #FAILED} after a fault. */
    private int rowOf(SummaryStore store, byte[] bytes, int at, int likelyRow) {
        try {
            return store.row(bytes, at, likelyRow);
        } catch (RuntimeException fault) {
            listener.failed(bytes, at, fault);
            return FAILED;
        }
    }

    /** Applies a record, of which {@link #rowOf} said this. */
    private void apply(SummaryStore store, int row, byte[] bytes, int at) {
        if (row == FAILED) {
            return;
        }
        try {
            if (!store.applyTo(row, bytes, at)) {
                listener.refused(bytes, at);
            }
        } catch (RuntimeException fault) {
            listener.failed(bytes, at, fault);
        }
    }

    private SummaryStore storeOf(int summary, long hash) {
        SummaryStore store = storeCells[PartitionTable.cellOf(summary, hash)];
        assert store != null : "summary " + summary + " hash " + hash + " belongs to another owner";
        return store;
    }
}
