package io.summarizer.flink.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.UpdateBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class CombinedUpdatesTest {
    private static final int OPS = UpdateBatch.KEY_OFFSET + 16;

    private final CombinedUpdates.Combiner combiner = new CombinedUpdates.Combiner();
    private final CombinedUpdates.Expander expander = new CombinedUpdates.Expander();

    /** Adds a record whose key follows from its hash. */
    private static void add(UpdateBatch batch, int target, long hash, long stamp, byte[] ops) {
        batch.beginRow();
        byte[] bytes = batch.reserve(OPS + ops.length);
        int at = batch.limit();
        Bytes.putInt(bytes, at + UpdateBatch.SUMMARY_OFFSET, target);
        Bytes.putLong(bytes, at + UpdateBatch.HASH_OFFSET, hash);
        Bytes.putLong(bytes, at + UpdateBatch.STAMP_OFFSET, stamp);
        Bytes.putLong(bytes, at + UpdateBatch.KEY_OFFSET, hash & 0xffff);
        Bytes.putLong(bytes, at + UpdateBatch.KEY_OFFSET + 8, 77);
        System.arraycopy(ops, 0, bytes, at + OPS, ops.length);
        batch.limit(at + OPS + ops.length);
        batch.endRow();
    }

    private static byte[] bytes(UpdateBatch batch) {
        return Arrays.copyOf(batch.bytes(), batch.limit());
    }

    /** The bytes after combining and expanding; empty if the combiner leaves the batch as it is. */
    private byte[] afterwards(UpdateBatch batch) {
        int combined = combiner.combine(batch);
        if (combined < 0) {
            return new byte[0];
        }
        assertThat(combined).isLessThan(batch.limit());
        byte[] from = Arrays.copyOf(combiner.bytes(), combined);
        byte[] to = new byte[batch.limit()];
        assertThat(expander.expand(from, combined, to)).isEqualTo(batch.limit());
        return to;
    }

    /** The records, in their order, by summary, hash, and what {@code more} returns. */
    private static Map<List<Long>, List<List<Byte>>> by(byte[] bytes, BiFunction<byte[], Integer, Long> more) {
        Map<List<Long>, List<List<Byte>>> records = new HashMap<>();
        for (int at = 0; at < bytes.length; at += Bytes.getInt(bytes, at)) {
            List<Byte> record = new ArrayList<>();
            for (int i = at; i < at + Bytes.getInt(bytes, at); i++) {
                record.add(bytes[i]);
            }
            long hash = Bytes.getLong(bytes, at + UpdateBatch.HASH_OFFSET);
            records.computeIfAbsent(
                            List.of((long) UpdateBatch.summary(bytes, at), hash, more.apply(bytes, at)),
                            key -> new ArrayList<>())
                    .add(record);
        }
        return records;
    }

    private static long shape(byte[] bytes, int at) {
        return (long) Bytes.getInt(bytes, at) << 16 | UpdateBatch.mapping(bytes, at);
    }

    private static long stamp(byte[] bytes, int at) {
        return Bytes.getLong(bytes, at + UpdateBatch.STAMP_OFFSET);
    }

    private static byte[] ops(Random random, int length, int changing) {
        byte[] ops = new byte[length];
        for (int i = 0; i < changing; i++) {
            ops[random.nextInt(length)] = (byte) random.nextInt();
        }
        return ops;
    }

    @Test
    void recordsAreTheSameInAnOrderThatChangesNoTable() {
        long seed = Seeds.first();
        int count = Seeds.count(2_000);
        int combined = 0;
        for (int i = 0; i < count; i++) {
            Random random = new Random(seed + i);
            UpdateBatch batch = new UpdateBatch(256);
            int records = 1 + random.nextInt(random.nextInt(50) == 0 ? 5_000 : 300);
            int keys = 1 + random.nextInt(random.nextInt(3) == 0 ? 3 : 400);
            int lengths = 1 + random.nextInt(4);
            int targets = 1 + random.nextInt(3);
            boolean isMixed = random.nextBoolean();
            long stamp = 1_000;
            for (int record = 0; record < records; record++) {
                long key = random.nextInt(keys);
                stamp += random.nextInt(5) == 0 ? 0 : 1;
                // Otherwise, records of different shapes never have the same key.
                long shape = isMixed ? random.nextInt(12) : key;
                int length = 11 * (1 + (int) (shape % lengths));
                add(
                        batch,
                        UpdateBatch.target((int) (key % targets), (int) (shape % targets)),
                        (key + 1) * 0x9E3779B97F4A7C15L,
                        stamp,
                        ops(random, length, random.nextInt(6)));
            }
            byte[] after = afterwards(batch);
            if (after.length > 0) {
                combined++;
                String replay = Seeds.replay(seed + i);
                assertThat(by(after, CombinedUpdatesTest::shape))
                        .as(replay)
                        .isEqualTo(by(bytes(batch), CombinedUpdatesTest::shape));
                assertThat(by(after, CombinedUpdatesTest::stamp))
                        .as(replay)
                        .isEqualTo(by(bytes(batch), CombinedUpdatesTest::stamp));
                assertThat(runs(after))
                        .as(replay)
                        .isEqualTo(by(after, CombinedUpdatesTest::shape).size());
            }
        }
        if (count > 1) {
            assertThat(combined).as(Seeds.replay(seed)).isPositive();
        }
    }

    /** Number of groups of successive records of one key and shape. */
    private static int runs(byte[] bytes) {
        int runs = 0;
        List<Long> before = List.of();
        for (int at = 0; at < bytes.length; at += Bytes.getInt(bytes, at)) {
            List<Long> run = List.of(
                    Bytes.getLong(bytes, at + UpdateBatch.HASH_OFFSET),
                    (long) UpdateBatch.summary(bytes, at),
                    shape(bytes, at));
            runs += run.equals(before) ? 0 : 1;
            before = run;
        }
        return runs;
    }

    @Test
    void whatRecordsHaveInCommonIsStoredOnce() {
        UpdateBatch batch = new UpdateBatch(256);
        for (int i = 0; i < 100; i++) {
            byte[] ops = new byte[40];
            ops[3] = (byte) i;
            add(batch, 0, 1 + i % 2, 1_000 + i, ops);
        }
        // A record, the number of runs, masks for 80 bytes, two counts; for the two runs, the lowest bytes of hash and
        // key; for each record, the lowest byte of the stamp, and of the operand.
        assertThat(combiner.combine(batch)).isEqualTo(80 + 4 + 20 + 2 + 2 * 2 + 100 * 2 + 100);
    }

    @Test
    void recordsOfOneMessageKeepTheirOrder() {
        UpdateBatch batch = new UpdateBatch(256);
        for (int i = 0; i < 20; i++) {
            add(batch, 0, 5, 1_000 + i, new byte[20]);
            add(batch, UpdateBatch.target(0, 1), 6, 1_000 + i, new byte[20]);
        }
        assertThat(afterwards(batch)).as("other keys").isNotEmpty();
        add(batch, 0, 5, 2_000, new byte[20]);
        add(batch, UpdateBatch.target(1, 1), 5, 2_000, new byte[20]);
        assertThat(afterwards(batch)).as("another summary").isNotEmpty();
        add(batch, 0, 5, 3_000, new byte[20]);
        add(batch, UpdateBatch.target(0, 1), 5, 3_001, new byte[20]);
        assertThat(afterwards(batch)).as("another message").isNotEmpty();
        add(batch, 0, 5, 3_001, new byte[20]);
        assertThat(afterwards(batch))
                .as("same key and message, another mapping")
                .isEmpty();
    }

    @Test
    void aMessageWithManyRecordsIsNotCompared() {
        UpdateBatch batch = new UpdateBatch(256);
        for (int i = 0; i < 33; i++) {
            add(batch, 0, i, 1_000, new byte[20]);
        }
        assertThat(afterwards(batch)).isNotEmpty();
        add(batch, 0, 33, 1_000, new byte[20]);
        assertThat(afterwards(batch)).isEmpty();
    }

    @Test
    void recordsWithGuardsStayAsTheyAre() {
        UpdateBatch batch = new UpdateBatch(256);
        for (int i = 0; i < 20; i++) {
            add(batch, 0, 5, 1_000 + i, new byte[20]);
        }
        assertThat(afterwards(batch)).isNotEmpty();
        batch.guard(0, true, 2_000);
        add(batch, 0, 5, 2_000, new byte[20]);
        assertThat(afterwards(batch)).isEmpty();
    }

    @Test
    void textsAndLargeBatchesStayAsTheyAre() {
        UpdateBatch batch = new UpdateBatch(256);
        assertThat(afterwards(batch)).as("empty").isEmpty();
        add(batch, 0, 1, 1_000, new byte[20]);
        assertThat(afterwards(batch)).as("one record").isEmpty();
        UpdateBatch texts = new UpdateBatch(256);
        for (int i = 0; i < 20; i++) {
            add(texts, 0, i, 1_000 + i, new byte[20 + i]);
        }
        assertThat(afterwards(texts)).as("no two records of the same length").isEmpty();

        UpdateBatch large = new UpdateBatch(256);
        while (large.limit() <= 1 << 20) {
            add(large, 0, 1, 1_000 + large.records(), new byte[1_000]);
        }
        assertThat(afterwards(large)).as("large").isEmpty();
    }
}
