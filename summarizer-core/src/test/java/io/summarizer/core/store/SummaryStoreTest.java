package io.summarizer.core.store;

import static io.summarizer.core.store.Rows.addText;
import static io.summarizer.core.store.Rows.apply;
import static io.summarizer.core.store.Rows.key;
import static io.summarizer.core.store.Rows.layout;
import static io.summarizer.core.store.Rows.store;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The behaviour of a store, one case at a time; {@link SummaryStoreModelTest} mixes them all. */
class SummaryStoreTest {
    private static final int LARGEST_INLINE_TEXT = 8188;

    @Test
    void aRowExistsAndItsSumsAreZeroEvenWhenNothingWasAdded() {
        SummaryLayout layout =
                layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32, AggregateType.MININT64));
        SummaryStore store = store(layout);
        apply(store, key(layout, 7), 1, ops -> {});

        RowCursor row = only(store);
        assertThat(row.keyLong(0)).isEqualTo(7);
        assertThat(row.longValue(0)).isZero();
        assertThat(row.isEmpty(0)).isFalse();
        assertThat(row.isEmpty(1)).isTrue();
    }

    @Test
    void aNullKeyIsAGroupOfItsOwnApartFromZeroAndTheEmptyText() {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64, KeyType.STRING), List.of(AggregateType.COUNT));
        SummaryStore store = store(layout);
        Object[][] keys = {{null, null}, {0, null}, {null, ""}, {0, ""}};
        for (int round = 0; round < 2; round++) {
            for (Object[] key : keys) {
                apply(store, key(layout, key), 1, ops -> ops.addLong(0, 0));
            }
        }
        RowCursor row = store.freeze().cursor();
        for (Object[] key : keys) {
            assertThat(row.next()).isTrue();
            assertThat(row.isKeyNull(0)).isEqualTo(key[0] == null);
            assertThat(row.isKeyNull(1)).isEqualTo(key[1] == null);
            assertThat(row.longValue(0)).isEqualTo(2);
        }
        assertThat(row.next()).isFalse();
        assertThat(row.next()).isFalse();
    }

    @Test
    void aSumint32StaysExactWhenItOutgrowsItsCellInEitherDirection() {
        SummaryLayout layout =
                layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32, AggregateType.SUMINT32));
        SummaryStore store = store(layout);
        BigInteger up = BigInteger.ZERO;
        long[] steps = {
            (1L << 30) - 1,
            1,
            -1,
            Integer.MAX_VALUE,
            1,
            1L << 40,
            -(1L << 41),
            -(1L << 41),
            Long.MAX_VALUE / 4,
            5,
            Long.MAX_VALUE
        };
        for (long step : steps) {
            up = up.add(BigInteger.valueOf(step));
            apply(store, key(layout, 1), 1, ops -> {
                ops.addLong(0, step);
                ops.addLong(1, -step);
            });
            RowCursor row = only(store);
            assertThat(Rows.sum(row, 0)).isEqualTo(up);
            assertThat(Rows.sum(row, 1)).isEqualTo(up.negate());
        }
        assertThat(store.saturations()).isZero();
    }

    @Test
    void aSumOfDoublesNeverBecomesInfinite() {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMDOUBLE));
        SummaryStore store = store(layout);
        apply(store, key(layout, 1), 1, ops -> {
            ops.addLong(0, Double.doubleToRawLongBits(-1e308));
            ops.addLong(0, Double.doubleToRawLongBits(-1e308));
            ops.addLong(0, Double.doubleToRawLongBits(1e308));
        });
        assertThat(only(store).doubleValue(0)).isEqualTo(-Double.MAX_VALUE);
        assertThat(store.saturations()).isEqualTo(2);
    }

    @Test
    void firstAndLastGoByStampAndAmongEqualStampsByOrder() {
        SummaryLayout layout = layout(
                "s",
                List.of(KeyType.INT64),
                List.of(
                        AggregateType.FIRSTINT64,
                        AggregateType.LASTINT64,
                        AggregateType.FIRSTSTRING,
                        AggregateType.LASTSTRING));
        SummaryStore store = store(layout);
        long[] stamps = {50, 40, 60, 40, 60, 55};
        for (int i = 0; i < stamps.length; i++) {
            int observation = i;
            apply(store, key(layout, 1), stamps[i], ops -> {
                ops.addLong(0, observation);
                ops.addLong(1, observation);
                addText(ops, 2, "text" + observation);
                addText(ops, 3, "text" + observation);
            });
        }
        RowCursor row = only(store);
        assertThat(row.longValue(0)).isEqualTo(1);
        assertThat(row.longValue(1)).isEqualTo(4);
        assertThat(text(row, 2)).isEqualTo("text1");
        assertThat(text(row, 3)).isEqualTo("text4");
    }

    @Test
    void anEmptyTextIsSomethingSeen() {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), List.of(AggregateType.LASTSTRING));
        SummaryStore store = store(layout);
        apply(store, key(layout, 1), 1, ops -> {});
        assertThat(only(store).isEmpty(0)).isTrue();
        apply(store, key(layout, 1), 1, ops -> addText(ops, 0, ""));
        RowCursor row = only(store);
        assertThat(row.isEmpty(0)).isFalse();
        assertThat(text(row, 0)).isEmpty();
    }

    @Test
    void textsOfAnyLengthGrowAndShrinkInPlaceWithoutLeaking() {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), List.of(AggregateType.LASTSTRING));
        SummaryStore store = store(layout);
        int[] lengths = {
            0,
            1,
            11,
            12,
            13,
            28,
            29,
            100,
            LARGEST_INLINE_TEXT - 1,
            LARGEST_INLINE_TEXT,
            LARGEST_INLINE_TEXT + 1,
            16_371,
            16_372,
            16_373,
            100_000
        };
        Random random = new Random(4);
        long settled = 0;
        for (int round = 0; round < 2_000; round++) {
            int length = lengths[random.nextInt(lengths.length)];
            String text = String.valueOf((char) ('a' + round % 26)).repeat(length);
            apply(store, key(layout, round % 3), round, ops -> addText(ops, 0, text));
            RowCursor row = store.freeze().cursor();
            for (int skip = 0; skip <= round % 3; skip++) {
                row.next();
            }
            assertThat(text(row, 0)).hasSize(length).isEqualTo(text);
            if (round == 500) {
                settled = store.bytesUsed();
            }
        }
        assertThat(store.bytesUsed()).isLessThanOrEqualTo(settled + 40 * 16 * 1024);
    }

    @Test
    void longTextKeysAreToldApartByTheirLastByte() {
        SummaryLayout layout = layout("s", List.of(KeyType.STRING, KeyType.STRING), List.of(AggregateType.COUNT));
        SummaryStore store = store(layout);
        List<String> keys = new ArrayList<>();
        for (int length : new int[] {3, LARGEST_INLINE_TEXT - 8, LARGEST_INLINE_TEXT, 16_380, 40_000}) {
            keys.add("x".repeat(length) + "a");
            keys.add("x".repeat(length) + "b");
        }
        for (int round = 0; round < 2; round++) {
            for (String key : keys) {
                KeyBuffer buffer = key(layout, "left", key);
                UpdateBatch batch = new UpdateBatch(16);
                batch.beginRow(0, buffer, 42, 1); // all keys collide
                batch.addLong(0, 1);
                batch.endRow();
                store.apply(batch.bytes(), 0);
            }
        }
        assertThat(store.rows()).isEqualTo(keys.size());
        RowCursor row = store.freeze().cursor();
        for (String key : keys) {
            assertThat(row.next()).isTrue();
            row.readKeyText(1);
            assertThat(Rows.text(row)).isEqualTo(key);
            row.readKeyText(0);
            assertThat(Rows.text(row)).isEqualTo("left");
            assertThat(row.longValue(0)).isEqualTo(2);
        }
    }

    @Test
    void keysWhoseHashesAllCollideAreStillToldApart() {
        SummaryLayout layout = layout("s", List.of(KeyType.INT32), List.of(AggregateType.COUNT));
        SummaryStore store = store(layout);
        UpdateBatch batch = new UpdateBatch(16);
        int keys = RowIndex.SEGMENT_SLOTS + 100;
        for (int i = 0; i < keys; i++) {
            batch.clear();
            batch.beginRow(0, key(layout, i), 42, 1);
            batch.addLong(0, 1);
            batch.endRow();
            store.apply(batch.bytes(), 0);
        }
        assertThat(store.rows()).isEqualTo(keys);
        assertThat(store.bytesUsed()).isLessThan(20L * 1024 * 1024);
    }

    @Test
    void equalNestedKeysUnderDifferentParentsAreDifferentRows() {
        SummaryLayout inner = layout("i", List.of(KeyType.INT64), List.of(AggregateType.SUMINT64));
        SummaryLayout outer = layout("o", List.of(KeyType.INT64), List.of(AggregateType.COUNT), inner);
        SummaryStore store = store(outer);
        for (int i = 0; i < 2_000; i++) {
            int parent = i;
            apply(store, key(outer, parent), 1, ops -> {
                for (int child = 0; child < 3; child++) {
                    KeyBuffer key = key(inner, child);
                    ops.enter(0, key, key.hash());
                    ops.addLong(0, parent * 10L + child);
                    ops.leave();
                }
                ops.addLong(0, 1);
            });
        }
        assertThat(store.rows()).isEqualTo(2_000);
        assertThat(store.nested(0).rows()).isEqualTo(6_000);
        StoreView view = store.freeze();
        RowCursor parents = view.cursor();
        RowCursor children = view.nested(0).cursor();
        while (children.next()) {
            parents.seek(children.parent());
            assertThat(children.longValue(0)).isEqualTo(parents.keyLong(0) * 10 + children.keyLong(0));
            assertThat(parents.longValue(0)).isEqualTo(1);
        }
    }

    @Test
    void beyondTheLimitNewRowsAreSkippedAndCountedAndKnownOnesGoOn() {
        SummaryLayout deepest = layout("d", List.of(KeyType.STRING), List.of(AggregateType.LASTSTRING));
        SummaryLayout inner =
                layout("i", List.of(KeyType.INT64), List.of(AggregateType.SUMINT64, AggregateType.LASTSTRING), deepest);
        SummaryLayout outer = layout("o", List.of(KeyType.INT64), List.of(AggregateType.COUNT), inner);
        RowLimit limit = RowLimit.of(outer, 3);
        SummaryStore one = new SummaryStore(outer, TableRowCode.of(outer), limit);
        SummaryStore other = new SummaryStore(outer, TableRowCode.of(outer), limit);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 4; i++) {
                int number = i;
                apply(i % 2 == 0 ? one : other, key(outer, i), 1, ops -> {
                    for (int child = 0; child < 2; child++) {
                        KeyBuffer key = key(inner, child);
                        ops.enter(0, key, key.hash());
                        ops.addLong(0, 1);
                        addText(ops, 1, "skipped or not " + number);
                        KeyBuffer below = key(deepest, "k" + child);
                        ops.enter(0, below, below.hash());
                        addText(ops, 0, "deep");
                        ops.leave();
                        ops.leave();
                    }
                    ops.addLong(0, 1);
                });
            }
        }
        assertThat(limit.rows()).isEqualTo(3);
        assertThat(one.rows() + other.rows()).isEqualTo(3);
        assertThat(one.limitRejected() + other.limitRejected()).isEqualTo(2);
        assertThat(limit.nested(0).rows()).isEqualTo(3);
        assertThat(one.nested(0).limitRejected() + other.nested(0).limitRejected())
                .isEqualTo(6);
        for (SummaryStore store : List.of(one, other)) {
            RowCursor row = store.freeze().cursor();
            while (row.next()) {
                assertThat(row.longValue(0)).isEqualTo(2);
            }
        }
    }

    @Test
    void runningOutOfRowIdsIsLikeReachingTheLimit() {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), List.of(AggregateType.COUNT));
        SummaryStore store = new SummaryStore(layout, TableRowCode.of(layout), RowLimit.of(layout, Long.MAX_VALUE), 2);
        int room = 2 * (16 * 1024 / 17);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < room + 10; i++) {
                apply(store, key(layout, i), 1, ops -> ops.addLong(0, 1));
            }
        }
        assertThat(store.rows()).isEqualTo(room);
        assertThat(store.limitRejected()).isEqualTo(20);
    }

    @Test
    void aRowWiderThanAChunkIsHeld() {
        List<AggregateType> many = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            many.add(AggregateType.LASTINT64);
        }
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), many);
        SummaryStore store = store(layout);
        for (int i = 0; i < 5; i++) {
            int number = i;
            apply(store, key(layout, i), 1, ops -> ops.addLong(1_499, number));
        }
        RowCursor row = store.freeze().cursor();
        for (int i = 0; i < 5; i++) {
            assertThat(row.next()).isTrue();
            assertThat(row.isEmpty(1_498)).isTrue();
            assertThat(row.longValue(1_499)).isEqualTo(i);
        }
    }

    @Test
    void aMultisetCountsDistinctHashes() {
        SummaryLayout layout =
                layout("s", List.of(KeyType.INT64), List.of(AggregateType.MULTISET64, AggregateType.MULTISET64));
        SummaryStore store = store(layout);
        Random random = new Random(5);
        for (int i = 0; i < 100; i++) {
            long hash = random.nextLong();
            apply(store, key(layout, i % 2), 1, ops -> {
                ops.addLong(0, hash);
                ops.addLong(0, hash);
                ops.addLong(1, 12345);
            });
        }
        RowCursor row = store.freeze().cursor();
        while (row.next()) {
            assertThat(row.longValue(0)).isEqualTo(50);
            assertThat(row.longValue(1)).isEqualTo(1);
        }
    }

    @Test
    void anotherThreadThanTheOwnerIsCaughtByAnAssertion() throws InterruptedException {
        SummaryLayout layout = layout("s", List.of(KeyType.INT64), List.of(AggregateType.COUNT));
        SummaryStore store = store(layout);
        Thread owner = new Thread(() -> {});
        store.ownedBy(owner);
        assertThatThrownBy(store::freeze).isInstanceOf(AssertionError.class).hasMessageContaining("owner");
        store.ownedBy(null);
        assertThat(store.freeze().rows()).isZero();
    }

    private static RowCursor only(SummaryStore store) {
        assertThat(store.rows()).isEqualTo(1);
        RowCursor row = store.freeze().cursor();
        assertThat(row.next()).isTrue();
        return row;
    }

    private static String text(RowCursor row, int column) {
        row.readText(column);
        return Rows.text(row);
    }

    /** Rows of any width, up to one that fills more than a chunk, also at the end of a chunk. */
    @ParameterizedTest
    @ValueSource(ints = {1, 6, 7, 8, 14, 15, 16, 100, 2046, 2100})
    void shouldTouchEveryRow(int values) {
        SummaryLayout layout =
                Rows.layout("S", List.of(KeyType.INT32), Collections.nCopies(values, AggregateType.COUNT));
        SummaryStore store = Rows.store(layout);
        KeyBuffer last = Rows.key(layout, 0L);
        for (long row = 0; row < 3000; row++) {
            last = Rows.key(layout, row);
            Rows.apply(store, last, 1, ops -> {});
            int unused = store.tables().prefetchRow(store.tables().likelyRow(RowIndex.mix(last.hash(), 0)));
        }
        assertThat(store.tables().placeOfSet(store.tables().likelyRow(RowIndex.mix(last.hash(), 0)), 0))
                .isEqualTo(MultisetArena.NO_PLACE);
    }

    /** Several sets of columns that share arenas or not, also nested, of several stores in one: each finds its own. */
    @Test
    void shouldFindTheSetsOfEachStoreAmongWhatWasFrozenTogether() {
        List<ValueColumn> sets = List.of(
                new ValueColumn("a", 1, AggregateType.MULTISET64, 11, 5),
                new ValueColumn("b", 2, AggregateType.MULTISET64, 8, 4),
                new ValueColumn("c", 3, AggregateType.MULTISET64, 11, 5));
        List<KeyColumn> keys = List.of(new KeyColumn("k", 1, KeyType.INT64));
        SummaryLayout layout =
                new SummaryLayout("S", 0, keys, sets, List.of(new SummaryLayout("n", 4, keys, sets, List.of())));
        CutMemory memory = new CutMemory(1 << 24);
        CutLease lease = memory.lease(CutLease.Kind.READ);
        List<SummaryStore> stores = List.of(Rows.store(layout), Rows.store(layout));
        FrozenTables tables = new FrozenTables(
                lease, stores.stream().mapToInt(SummaryStore::notes).sum());
        KeyBuffer key = Rows.key(layout, 7L);
        List<StoreView> views = new ArrayList<>();
        for (int store = 0; store < 2; store++) {
            int many = 10 * (store + 1);
            Rows.apply(stores.get(store), key, 1, ops -> {
                for (int set = 0; set < 3; set++) {
                    for (long value = 1; value <= many + set; value++) {
                        ops.addLong(set, value * 0x9E3779B97F4A7C15L);
                    }
                }
            });
            views.add(stores.get(store).freeze(tables));
        }
        tables.add();
        assertThat(tables.note("the next", 0)).isEqualTo(2 * stores.get(0).notes());
        for (int store = 0; store < 2; store++) {
            RowCursor row = views.get(store).cursor();
            assertThat(row.next()).isTrue();
            assertThat(List.of(row.longValue(0), row.longValue(1), row.longValue(2)))
                    .containsExactly(10L * (store + 1), 10L * (store + 1) + 1, 10L * (store + 1) + 2);
        }
        lease.release();
        for (StoreView view : views) {
            assertThatThrownBy(view::cursor).isInstanceOf(CutRevokedException.class);
        }
    }
}
