package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that one owner writes, and the loop that brings a batch of updates into them. One thread.
 *
 * <p>Records of the same key that follow each other, as in the events of one session or of sorted input, are a run: its row is
 * looked up once.
 *
 * <p>A row of a large summary is in no cache. Records are therefore taken in groups: all rows of a group are touched
 * before the first is updated, then the multisets that the rows tell the places of, so that their cache misses overlap
 * instead of following each other ({@code bin/bench state} shows what that gives).
 *
 * <p>A record with a guard in front is applied only when its event is new, which the ids of its partition tell; they are touched
 * with the likely rows.
 */
public final class OwnedStores {
    /** Records of a group; more than the processor's outstanding cache misses gain nothing. */
    private static final int GROUP = 16;

    /** In place of a likely row: the key is that of the record before. */
    private static final int REPEATED = -2;

    /** In place of where a guard starts: the record has none. */
    private static final int NO_GUARD = -1;

    /** Store of partition p of summary s at s * COUNT + p; null where another owner has it. */
    private @Nullable SummaryStore[] stores;

    /** The ids that partition p of table t has seen at t * COUNT + p; null where another owner has it. */
    private @Nullable RecentIds[] ids;

    private final Listener listener;

    /** The records of the group at hand: where they and their guards start, their stores and likely rows. */
    private final int[] offsets = new int[GROUP];

    private final int[] guards = new int[GROUP];

    private final SummaryStore[] storesOf = new SummaryStore[GROUP];
    private final int[] rows = new int[GROUP];

    /** Written only so that the reads of {@code touch} have a use. */
    @SuppressWarnings("unused")
    private int touched;

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
         * A record met a full summary and was not applied, or not in full.
         *
         * @param record where it starts in {@code bytes}, as {@link UpdateBatch} lays it out
         */
        void refused(byte[] bytes, int record);

        /** A record was not applied, or not in full, because of a fault in this program. */
        void failed(byte[] bytes, int record, RuntimeException fault);
    }

    OwnedStores(@Nullable SummaryStore[] stores, @Nullable RecentIds[] ids, Listener listener) {
        this.stores = stores;
        this.ids = ids;
        this.listener = listener;
    }

    /** As {@link #ofAll(Summaries, SeenIds, Listener)}, for updates without guards. */
    public static OwnedStores ofAll(Summaries summaries, Listener listener) {
        return ofAll(summaries, SeenIds.of(List.of(), SavedIds.none(), 1, Partitions.COUNT), listener);
    }

    /** All partitions of all summaries, for an owner that has no colleagues. */
    public static OwnedStores ofAll(Summaries summaries, SeenIds seen, Listener listener) {
        SummaryStore[] stores = new SummaryStore[summaries.layouts().size() * Partitions.COUNT];
        for (int i = 0; i < stores.length; i++) {
            stores[i] = summaries.store(i / Partitions.COUNT, i % Partitions.COUNT);
        }
        RecentIds[] ids = new RecentIds[seen.tables() * Partitions.COUNT];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = seen.recent(i / Partitions.COUNT, i % Partitions.COUNT);
        }
        return new OwnedStores(stores, ids, listener);
    }

    /** The stores, by summary and partition; null where another owner has one. Replaced at a reset, by the owner only. */
    public @Nullable SummaryStore[] stores() {
        return stores;
    }

    /** The ids, by table and partition; null where another owner has them. */
    @Nullable
    RecentIds[] ids() {
        return ids;
    }

    /** Puts others in their place, whose number may be another. */
    void replace(@Nullable SummaryStore[] stores, @Nullable RecentIds[] ids) {
        this.stores = stores;
        this.ids = ids;
    }

    /** Applies all records of a batch, in their order. */
    public void apply(UpdateBatch batch) {
        byte[] bytes = batch.bytes();
        int limit = batch.limit();
        int at = 0;
        while (at < limit) {
            int records = 0;
            for (; records < GROUP && at < limit; at += Bytes.getInt(bytes, at)) {
                int guard = NO_GUARD;
                if (UpdateBatch.isGuard(bytes, at)) {
                    guard = at;
                    at += UpdateBatch.GUARD_BYTES;
                }
                guards[records] = guard;
                SummaryStore store = storeOf(bytes, at);
                boolean repeated = records > 0
                        && storesOf[records - 1] == store
                        && store.isSameKey(bytes, at, offsets[records - 1]);
                offsets[records] = at;
                storesOf[records] = store;
                rows[records++] = repeated ? REPEATED : store.likelyRow(bytes, at);
            }
            touch(records);
            touchIds(bytes, records);
            int row = -1;
            for (int i = 0; i < records; i++) {
                if (guards[i] != NO_GUARD && !isNew(bytes, guards[i], offsets[i])) {
                    row = -1; // nobody looked it up
                    continue;
                }
                row = apply(storesOf[i], bytes, offsets[i], rows[i], row);
            }
        }
    }

    private void touch(int records) {
        int read = 0;
        for (int i = 0; i < records; i++) {
            if (rows[i] >= 0) {
                read += storesOf[i].touchRow(rows[i]);
            }
        }
        for (int i = 0; i < records; i++) {
            if (rows[i] >= 0) {
                read += storesOf[i].touchSets(rows[i]);
            }
        }
        touched = read;
    }

    private void touchIds(byte[] bytes, int records) {
        int read = 0;
        for (int i = 0; i < records; i++) {
            if (guards[i] != NO_GUARD) {
                read += idsOf(bytes, guards[i], offsets[i]).touch(UpdateBatch.lowOf(bytes, guards[i]));
            }
        }
        touched += read;
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
        RecentIds ids = this.ids[UpdateBatch.tableOf(bytes, guard) * Partitions.COUNT + Partitions.of(hash)];
        assert ids != null : "table " + UpdateBatch.tableOf(bytes, guard) + " hash " + hash + " is another owner's";
        return ids;
    }

    /**
     * Applies a record.
     *
     * @param previous the row of the record before it
     * @return its row, or -1 when it has none
     */
    private int apply(SummaryStore store, byte[] bytes, int at, int likelyRow, int previous) {
        int row = -1;
        try {
            boolean known = likelyRow == REPEATED && previous >= 0;
            row = known ? previous : store.row(bytes, at, likelyRow);
            if (!store.applyTo(row, bytes, at)) {
                listener.refused(bytes, at);
            }
        } catch (RuntimeException fault) {
            listener.failed(bytes, at, fault);
        }
        return row;
    }

    private SummaryStore storeOf(byte[] bytes, int at) {
        int summary = UpdateBatch.summary(bytes, at);
        long hash = Bytes.getLong(bytes, at + UpdateBatch.HASH_OFFSET);
        SummaryStore store = stores[summary * Partitions.COUNT + Partitions.of(hash)];
        assert store != null : "summary " + summary + " hash " + hash + " belongs to another owner";
        return store;
    }
}
