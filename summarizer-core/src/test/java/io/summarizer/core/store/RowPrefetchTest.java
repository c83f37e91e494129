package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowPrefetchTest {
    private static final SummaryLayout DEEPEST =
            Rows.layout("D", List.of(KeyType.STRING), List.of(AggregateType.LASTSTRING));
    private static final SummaryLayout FIRST = Rows.layout(
            "F", List.of(KeyType.STRING), List.of(AggregateType.SUMINT64, AggregateType.LASTSTRING), DEEPEST);
    private static final SummaryLayout SECOND =
            Rows.layout("N", List.of(KeyType.INT64), List.of(AggregateType.MULTISET64));
    private static final SummaryLayout LAYOUT = Rows.layout(
            "S",
            List.of(KeyType.INT64, KeyType.STRING),
            List.of(AggregateType.SUMINT64, AggregateType.LASTSTRING, AggregateType.MULTISET64),
            FIRST,
            SECOND);

    private record Nested(String table, long hash, int row) {}

    /** Records with texts and with nested rows at two levels: each nested row of the first level is found. */
    @Test
    void shouldFindTheNestedRowsOfEachRecord() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        SummaryStore store = Rows.store(LAYOUT);
        RowPrefetch prefetch = new RowPrefetch(8);
        Map<String, Integer> rows = new HashMap<>();
        int[] made = new int[2];
        int found = 0;
        for (int group = 0; group < 500; group++) {
            UpdateBatch batch = new UpdateBatch(64);
            List<Nested> expected = new ArrayList<>();
            int[] starts = new int[8];
            for (int i = 0; i < starts.length; i++) {
                long number = random.nextInt(20);
                KeyBuffer key = Rows.key(LAYOUT, number, random.nextBoolean() ? null : "x".repeat((int) number));
                starts[i] = batch.limit();
                batch.beginRow(0, key, key.hash(), group);
                for (int ops = random.nextInt(4); ops > 0; ops--) {
                    addOp(batch, random);
                }
                for (int nested = random.nextInt(3); nested > 0; nested--) {
                    int table = random.nextInt(2);
                    KeyBuffer below = table == 0
                            ? Rows.key(FIRST, "y".repeat(random.nextInt(3)))
                            : Rows.key(SECOND, (long) random.nextInt(3));
                    batch.enter(table, below, below.hash());
                    addNestedOps(batch, table, random);
                    batch.leave();
                    String name = key.hash() + "/" + table + "/" + below.hash();
                    int row = rows.computeIfAbsent(name, unused -> made[table]++);
                    expected.add(new Nested(LAYOUT.nested().get(table).name(), below.hash(), row));
                }
                batch.endRow();
            }
            for (int start : starts) {
                store.apply(batch.bytes(), start);
            }
            prefetch.begin();
            for (int start : starts) {
                prefetch.add(store.tables(), Bytes.getLong(batch.bytes(), start + UpdateBatch.HASH_OFFSET));
            }
            prefetch.run(batch.bytes(), starts);
            List<Nested> got = new ArrayList<>();
            for (int i = starts.length; i < prefetch.count(); i++) {
                int table = prefetch.tables(i) == store.tables().nested(0) ? 0 : 1;
                assertThat(prefetch.tables(i)).isSameAs(store.tables().nested(table));
                got.add(new Nested(LAYOUT.nested().get(table).name(), prefetch.hash(i), prefetch.likelyRow(i)));
            }
            assertThat(got).as("seed %d, group %d", seed, group).isEqualTo(expected);
            for (int i = 0; i < starts.length; i++) {
                assertThat(prefetch.likelyRow(i))
                        .as("seed %d", seed)
                        .isEqualTo(store.tables().row(batch.bytes(), starts[i], -1));
            }
            found += got.size();
        }
        assertThat(found).as("seed %d", seed).isGreaterThan(1_000);
    }

    private static void addOp(UpdateBatch batch, Random random) {
        if (random.nextBoolean()) {
            batch.addLong(random.nextBoolean() ? 0 : 2, random.nextLong(1_000));
        } else {
            Rows.addText(batch, 1, "text".repeat(random.nextInt(4)));
        }
    }

    private static void addNestedOps(UpdateBatch batch, int table, Random random) {
        if (table == 1) {
            batch.addLong(0, random.nextLong());
            return;
        }
        batch.addLong(0, 1);
        if (random.nextBoolean()) {
            Rows.addText(batch, 1, "z".repeat(random.nextInt(9)));
        }
        if (random.nextBoolean()) {
            KeyBuffer deepest = Rows.key(DEEPEST, random.nextBoolean() ? null : "w");
            batch.enter(0, deepest, deepest.hash());
            Rows.addText(batch, 0, "v".repeat(random.nextInt(9)));
            batch.leave();
        }
    }

    /** There are more nested rows than the group may have. */
    @Test
    void shouldIgnoreNestedRowsBeyondItsBound() {
        SummaryStore store = Rows.store(LAYOUT);
        KeyBuffer key = Rows.key(LAYOUT, 1L, "a");
        UpdateBatch batch = new UpdateBatch(64);
        batch.beginRow(0, key, key.hash(), 1);
        for (long number = 0; number < 10; number++) {
            KeyBuffer below = Rows.key(SECOND, number);
            batch.enter(1, below, below.hash());
            batch.addLong(0, number);
            batch.leave();
        }
        batch.endRow();
        RowPrefetch prefetch = new RowPrefetch(2);
        for (int time = 0; time < 2; time++) {
            prefetch.begin();
            prefetch.add(store.tables(), key.hash());
            prefetch.run(batch.bytes(), new int[] {0, 0});
            // At first there is no row, so there are no nested rows, either.
            assertThat(prefetch.count()).isEqualTo(time == 0 ? 1 : 6);
            store.apply(batch.bytes(), 0);
        }
        assertThat(store.nested(1).rows()).isEqualTo(10);
    }
}
