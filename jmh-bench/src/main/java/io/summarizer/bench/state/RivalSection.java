package io.summarizer.bench.state;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.UpdateBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.agkn.hll.HLL;

/**
 * The same updates with what one would write first: a {@link HashMap} of key objects to row objects, each with an {@link
 * HLL} of java-hll. Beside it, in the same JVM, the store on the same keys.
 */
final class RivalSection {
    private static final int MEMORY_ROWS = 2_000_000;
    private static final int ROWS = 280_000;
    private static final int UPDATES = 2_097_152;
    private static final int WARM_UPS = 5;
    private static final int ROUNDS = 9;

    private RivalSection() {}

    private record Key(long campaign, long inventory, long creative, long segment) {
        static Key of(int row) {
            return new Key(row % 200, row / 200 % 150, row % 1_000, row);
        }

        /** The key of the record at {@code at}: behind a byte for nulls, four longs. */
        static Key of(byte[] bytes, int at) {
            int key = at + UpdateBatch.KEY_OFFSET + 1;
            return new Key(
                    Bytes.getLong(bytes, key),
                    Bytes.getLong(bytes, key + 8),
                    Bytes.getLong(bytes, key + 16),
                    Bytes.getLong(bytes, key + 24));
        }
    }

    /** A row of the wide summary. */
    @SuppressWarnings("UnusedVariable") // what is kept costs, whether or not somebody reads it
    private static final class Row {
        long sum1;
        long sum2;
        long sum3;
        long sum4;
        long sum5;
        long sum6;
        long sum7;
        long mediaCost;
        long dataCost;
        final HLL users = MultisetSection.newRival();

        void add(long user) {
            sum1 += 1;
            sum2 += 2;
            sum3 += 3;
            sum4 += 4;
            sum5 += 5;
            sum6 += 6;
            sum7 += 7;
            mediaCost += 4_219;
            dataCost += 312;
            users.addRaw(user);
        }
    }

    /** A row of the reference workload without its users. */
    @SuppressWarnings("UnusedVariable") // as above
    private static final class SmallRow {
        int impressions;
        long mediaCost;
        long dataCost;

        /** Adds the three observations that start at {@code at}: a short and a long each. */
        void add(byte[] bytes, int at) {
            impressions += (int) Bytes.getLong(bytes, at + 2);
            mediaCost += Bytes.getLong(bytes, at + 12);
            dataCost += Bytes.getLong(bytes, at + 22);
        }
    }

    static void run() {
        updates();
        memory();
    }

    private static void memory() {
        long before = Figures.liveBytes();
        Map<Key, Row> rows = new HashMap<>();
        for (int round = 0; round < Updates.MOST_USERS; round++) {
            for (int row = 0; row < MEMORY_ROWS; row++) {
                if (row % Updates.MOST_USERS >= round) {
                    rows.computeIfAbsent(Key.of(row), key -> new Row()).add(Updates.user(row, round));
                }
            }
        }
        Figures.report("hashmap-memory", (double) (Figures.liveBytes() - before) / MEMORY_ROWS, "bytes/key");
        rows.clear(); // its table of buckets stays, before and after
        before = Figures.liveBytes();
        Owner owner = new Owner(Updates.wide());
        owner.fill(MEMORY_ROWS);
        Figures.report("store-memory-2m", (double) (Figures.liveBytes() - before) / MEMORY_ROWS, "bytes/key");
        Figures.keep(owner);
    }

    private static void updates() {
        Map<Key, SmallRow> rows = new HashMap<>();
        for (int row = 0; row < ROWS; row++) {
            rows.put(Key.of(row), new SmallRow());
        }
        Owner owner = new Owner(Updates.reference(false));
        owner.fill(ROWS);
        Zipf zipf = new Zipf(ROWS, 1.1);
        Random random = new Random(1);
        UpdateBatch[] batches = new UpdateBatch[UPDATES / Updates.BATCH];
        for (int i = 0; i < UPDATES; i++) {
            if (i % Updates.BATCH == 0) {
                batches[i / Updates.BATCH] = Updates.batch();
            }
            owner.updates().append(batches[i / Updates.BATCH], zipf.sample(random), i, 0);
        }
        double[] theirs = new double[ROUNDS];
        double[] ours = new double[ROUNDS];
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (UpdateBatch batch : batches) {
                apply(rows, batch);
            }
            long hashMap = System.nanoTime() - start;
            long store = owner.timed(batches);
            if (round >= 0) {
                theirs[round] = (double) hashMap / UPDATES;
                ours[round] = (double) store / UPDATES;
            }
        }
        Figures.report("hashmap-update", Figures.median(theirs), "ns/update");
        Figures.report("store-update", Figures.median(ours), "ns/update");
    }

    private static void apply(Map<Key, SmallRow> rows, UpdateBatch batch) {
        byte[] bytes = batch.bytes();
        for (int at = 0; at < batch.limit(); at += Bytes.getInt(bytes, at)) {
            rows.computeIfAbsent(Key.of(bytes, at), key -> new SmallRow()).add(bytes, at + UpdateBatch.KEY_OFFSET + 33);
        }
    }
}
