package io.summarizer.bench.state;

import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.bytes.FrozenTables;
import io.summarizer.core.pipeline.OwnedStores;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An owner of all partitions of one summary, without the queue before it. */
final class Owner {
    private final Updates updates;
    private final Summaries summaries;
    private final OwnedStores stores;

    Owner(Updates updates) {
        this.updates = updates;
        summaries = empty(updates);
        stores = OwnedStores.ofAll(summaries, new OwnedStores.Listener() {
            @Override
            public void refused(byte[] bytes, int record) {
                throw new IllegalStateException("no room for a row");
            }

            @Override
            public void failed(byte[] bytes, int record, RuntimeException fault) {
                throw fault;
            }
        });
    }

    /** State without rows for the summary that {@code updates} are made for. */
    static Summaries empty(Updates updates) {
        return new Summaries(List.of(updates.layout()), List.of(RowSources.compile(updates.layout())), Long.MAX_VALUE);
    }

    /** All rows as they are now, for a state file. */
    Cut cut() {
        return summaries.freeze(1, 0);
    }

    Updates updates() {
        return updates;
    }

    void apply(UpdateBatch batch) {
        stores.apply(batch);
    }

    /** All partitions as they are now: what an owner does at a cut. */
    List<StoreView> freeze(CutLease lease) {
        List<StoreView> views = new ArrayList<>(stores.stores().length);
        int notes = 0;
        for (SummaryStore store : stores.stores()) {
            notes += Objects.requireNonNull(store).notes();
        }
        FrozenTables tables = new FrozenTables(lease, notes);
        for (SummaryStore store : stores.stores()) {
            views.add(Objects.requireNonNull(store).freeze(tables));
        }
        tables.add();
        return views;
    }

    long rows() {
        long rows = 0;
        for (SummaryStore store : stores.stores()) {
            rows += Objects.requireNonNull(store).rows();
        }
        return rows;
    }

    long bytesUsed() {
        long bytes = 0;
        for (SummaryStore store : stores.stores()) {
            bytes += Objects.requireNonNull(store).bytesUsed();
        }
        return bytes;
    }

    /** Makes rows 0 to {@code rows} - 1 in an order that no cache foresees, each with 1 to 3 distinct users. */
    void fill(int rows) {
        UpdateBatch batch = Updates.batch();
        for (int round = 0; round < Updates.MOST_USERS; round++) {
            for (long i = 0; i < rows; i++) {
                int row = (int) permuted(i, rows);
                if (row % Updates.MOST_USERS >= round) {
                    updates.append(batch, row, i, Updates.user(row, round));
                    if (batch.records() == Updates.BATCH) {
                        stores.apply(batch);
                        batch.clear();
                    }
                }
            }
        }
        stores.apply(batch);
    }

    /** A permutation of 0 to {@code rows} - 1: multiplication by a number that has no factor in common with it. */
    private static long permuted(long i, long rows) {
        return i * 1_000_000_007L % rows;
    }

    /** Nanoseconds that the updates of {@code batches} take, applied once. */
    long timed(UpdateBatch[] batches) {
        long start = System.nanoTime();
        for (UpdateBatch batch : batches) {
            stores.apply(batch);
        }
        return System.nanoTime() - start;
    }
}
