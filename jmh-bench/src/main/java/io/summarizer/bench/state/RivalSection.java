package io.summarizer.bench.state;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.UpdateBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import net.agkn.hll.HLL;

/**
 * Compares the store with the obvious code: a {@link HashMap} from key objects to row objects. Rows are measured
 * without sets and with sets. With sets, each row of the map has an {@link HLL} of java-hll, and each row of the store
 * has a multiset. Map and store get the same batches in the same JVM.
 */
final class RivalSection {
    private static final int MEMORY_ROWS = 2_000_000;
    private static final int ROWS = 280_000;
    private static final int UPDATES = 2_097_152;
    private static final int WARM_UPS = 5;
    private static final int ROUNDS = 9;

    /**
     * Offset of the first column's operand within a record. Before the operand are a byte for nulls, four longs and the
     * column's number.
     */
    private static final int FIRST_OPERAND = UpdateBatch.KEY_OFFSET + 1 + 4 * 8 + 2;
    /** Bytes from one operand to the next: a long, and a short for the column's number. */
    private static final int NEXT_OPERAND = 10;

    private RivalSection() {}

    private record Key(long campaign, long inventory, long creative, long segment) {
        /** Returns the key of the record at {@code at}: the four longs after the byte for nulls. */
        static Key of(byte[] bytes, int at) {
            int key = at + UpdateBatch.KEY_OFFSET + 1;
            return new Key(
                    Bytes.getLong(bytes, key),
                    Bytes.getLong(bytes, key + 8),
                    Bytes.getLong(bytes, key + 16),
                    Bytes.getLong(bytes, key + 24));
        }
    }

    /**
     * Returns the operand of column {@code column} of the record at {@code at}. A record has one operation for each
     * column, and the operations are in the order of the columns.
     */
    private static long operand(byte[] bytes, int at, int column) {
        return Bytes.getLong(bytes, at + FIRST_OPERAND + column * NEXT_OPERAND);
    }

    /** A row of the wide summary without its users. */
    @SuppressWarnings("UnusedVariable") // only its memory matters
    private static class WideRow {
        private long sum1;
        private long sum2;
        private long sum3;
        private long sum4;
        private long sum5;
        private long sum6;
        private long sum7;
        private long mediaCost;
        private long dataCost;

        /** Adds the operands of the record that starts at {@code at}. */
        void add(byte[] bytes, int at) {
            sum1 += operand(bytes, at, 0);
            sum2 += operand(bytes, at, 1);
            sum3 += operand(bytes, at, 2);
            sum4 += operand(bytes, at, 3);
            sum5 += operand(bytes, at, 4);
            sum6 += operand(bytes, at, 5);
            sum7 += operand(bytes, at, 6);
            mediaCost += operand(bytes, at, 7);
            dataCost += operand(bytes, at, 8);
        }
    }

    /** A row of the wide summary. */
    private static final class WideUsersRow extends WideRow {
        private final HLL users = MultisetSection.newRival();

        @Override
        void add(byte[] bytes, int at) {
            super.add(bytes, at);
            users.addRaw(operand(bytes, at, 9));
        }
    }

    /** A row of the reference workload without its users. */
    @SuppressWarnings("UnusedVariable") // as above
    private static class SmallRow {
        private int impressions;
        private long mediaCost;
        private long dataCost;

        /** Adds the operands of the record that starts at {@code at}. */
        void add(byte[] bytes, int at) {
            impressions += (int) operand(bytes, at, 0);
            mediaCost += operand(bytes, at, 1);
            dataCost += operand(bytes, at, 2);
        }
    }

    /** A row of the reference workload. */
    private static final class SmallUsersRow extends SmallRow {
        private final HLL users = MultisetSection.newRival();

        @Override
        void add(byte[] bytes, int at) {
            super.add(bytes, at);
            users.addRaw(operand(bytes, at, 3));
        }
    }

    static void run() {
        updates();
        updatesWithUsers();
        // In the recorded figures of earlier runs, hashmap-memory and store-memory-2m are for rows with sets. The names
        // keep this meaning.
        memory("hashmap-memory-without-hll", Updates.wide(false), updates -> wideRows(WideRow::new));
        memory("store-memory-2m-without-multiset", Updates.wide(false), updates -> new Owner(updates)::apply);
        memory("hashmap-memory", Updates.wide(), updates -> wideRows(WideUsersRow::new));
        memory("store-memory-2m", Updates.wide(), updates -> new Owner(updates)::apply);
    }

    /**
     * Makes an empty table with the function {@code empty}, fills the table with all rows, and reports how many bytes
     * of heap it takes per key. Does not keep the table.
     */
    private static void memory(String figure, Updates updates, Function<Updates, Consumer<UpdateBatch>> empty) {
        long before = Figures.liveBytes();
        Consumer<UpdateBatch> rows = empty.apply(updates);
        updates.fill(MEMORY_ROWS, rows);
        Figures.report(figure, (double) (Figures.liveBytes() - before) / MEMORY_ROWS, "bytes/key");
        Figures.keep(rows);
    }

    private static Consumer<UpdateBatch> wideRows(Supplier<WideRow> empty) {
        Map<Key, WideRow> rows = new HashMap<>();
        return batch -> {
            byte[] bytes = batch.bytes();
            for (int at = 0; at < batch.limit(); at += Bytes.getInt(bytes, at)) {
                rows.computeIfAbsent(Key.of(bytes, at), key -> empty.get()).add(bytes, at);
            }
        };
    }

    private static void updates() {
        Map<Key, SmallRow> rows = new HashMap<>();
        Owner owner = new Owner(Updates.reference(false));
        compare("hashmap-update", rows, batch -> apply(rows, batch), "store-update", owner);
    }

    private static void updatesWithUsers() {
        Map<Key, SmallUsersRow> rows = new HashMap<>();
        Owner owner = new Owner(Updates.reference(true));
        compare("hashmap-hll-update", rows, batch -> applyWithUsers(rows, batch), "store-multiset-update", owner);
    }

    /**
     * Fills both tables with all rows and users. Then measures the time of the same batches with both tables,
     * alternately.
     */
    private static void compare(
            String theirFigure, Map<Key, ?> rows, Consumer<UpdateBatch> theirs, String ourFigure, Owner owner) {
        owner.fill(ROWS);
        owner.updates().fill(ROWS, theirs);
        if (rows.size() != owner.rows()) {
            throw new IllegalStateException("rows=" + rows.size() + " instead of " + owner.rows());
        }
        UpdateBatch[] batches = batches(owner.updates());
        double[] theirNanos = new double[ROUNDS];
        double[] ourNanos = new double[ROUNDS];
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            long hashMap = timed(theirs, batches);
            long store = timed(owner::apply, batches);
            if (round >= 0) {
                theirNanos[round] = (double) hashMap / UPDATES;
                ourNanos[round] = (double) store / UPDATES;
            }
        }
        Figures.report(theirFigure, Numbers.median(theirNanos), "ns/update");
        Figures.report(ourFigure, Numbers.median(ourNanos), "ns/update");
    }

    private static UpdateBatch[] batches(Updates updates) {
        Zipf zipf = new Zipf(ROWS, 1.1);
        Random random = new Random(1);
        return Updates.batches(UPDATES / Updates.BATCH, (batch, i, j) -> {
            int row = zipf.sample(random);
            int update = i * Updates.BATCH + j;
            updates.append(batch, row, update, Updates.user(row, update));
        });
    }

    private static long timed(Consumer<UpdateBatch> rows, UpdateBatch[] batches) {
        long start = System.nanoTime();
        for (UpdateBatch batch : batches) {
            rows.accept(batch);
        }
        return System.nanoTime() - start;
    }

    /**
     * Applies a batch to the map. Rows with and without sets have separate methods, so that the JVM compiles each
     * method for one kind of row.
     */
    private static void apply(Map<Key, SmallRow> rows, UpdateBatch batch) {
        byte[] bytes = batch.bytes();
        for (int at = 0; at < batch.limit(); at += Bytes.getInt(bytes, at)) {
            rows.computeIfAbsent(Key.of(bytes, at), key -> new SmallRow()).add(bytes, at);
        }
    }

    /** Applies a batch like {@link #apply}, to rows with users. */
    private static void applyWithUsers(Map<Key, SmallUsersRow> rows, UpdateBatch batch) {
        byte[] bytes = batch.bytes();
        for (int at = 0; at < batch.limit(); at += Bytes.getInt(bytes, at)) {
            rows.computeIfAbsent(Key.of(bytes, at), key -> new SmallUsersRow()).add(bytes, at);
        }
    }
}
