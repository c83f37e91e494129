package io.summarizer.core.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.summarizer.core.bytes.ByteBudget;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound on bytes of all state: keys, texts, sets; and the refusal of oversized keys and texts. */
class StateBudgetTest {
    private static final long BUDGET = 4 << 20;
    /**
     * Most bytes that a single update may take beyond the bound: chunks of rows, texts and sets, and a segment of the
     * index.
     */
    private static final long SLACK = 256 << 10;

    private final SummaryLayout layout = Rows.layout(
            "s",
            List.of(KeyType.STRING),
            List.of(AggregateType.COUNT, AggregateType.LASTSTRING, AggregateType.MULTISET64));
    private final ByteBudget budget = ByteBudget.ofState(BUDGET);
    private final Summaries summaries = new Summaries(
            Partitions.ALL,
            List.of(layout),
            List.of(TableRowCode.of(layout)),
            1_000_000,
            OpenWindows.DEFAULT_MAX,
            budget);
    private final SummaryStore store = summaries.store(0, 0);
    private final UpdateBatch batch = new UpdateBatch(64 * 1024);
    private long stamp;

    private static KeyBuffer key(KeyBuffer key, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        key.reset();
        key.setString(0, bytes, 0, bytes.length);
        return key;
    }

    private boolean apply(String name, String last, long... ids) {
        return apply(key(new KeyBuffer(new KeyLayout(layout.keys())), name), last, ids);
    }

    private boolean apply(KeyBuffer key, String last, long... ids) {
        batch.clear();
        batch.beginRow(0, key, key.hash(), ++stamp);
        batch.addLong(0, 0);
        if (!last.isEmpty()) {
            Rows.addText(batch, 1, last);
        }
        for (long id : ids) {
            batch.addLong(2, id);
        }
        batch.endRow();
        return store.apply(batch.bytes(), 0);
    }

    private void fillWithRows() {
        int rows = 0;
        while (apply("a key of some length, number " + rows, "")) {
            rows++;
        }
        assertThat(rows).isGreaterThan(10_000);
    }

    private RowCursor row(String name) {
        RowCursor cursor = store.freeze().cursor();
        while (cursor.next()) {
            cursor.readKeyText(0);
            if (Rows.text(cursor).equals(name)) {
                return cursor;
            }
        }
        throw new AssertionError("no row " + name);
    }

    private String last(String name) {
        RowCursor row = row(name);
        row.readText(1);
        return Rows.text(row);
    }

    @Test
    void countsWhatIsOnTheHeapExactly() {
        Random random = new Random(1); // any seed
        for (int i = 0; i < 3_000; i++) {
            boolean unused = apply(
                    "key" + random.nextInt(500), "t".repeat(random.nextInt(300)), random.nextLong(), random.nextLong());
        }
        long sum = 0;
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            sum += summaries.store(0, partition).bytesUsed();
        }
        assertThat(budget.used()).isCloseTo(sum, within(64 * 1024L));
        assertThat(budget.used()).isGreaterThan(200_000);
    }

    @Test
    void refusesNewRowsWhileWhatIsThereGrowsOn() {
        assertThat(apply("first", "")).isTrue();
        fillWithRows();
        assertThat(budget.used()).isBetween(BUDGET / 10 * 9, BUDGET / 10 * 9 + SLACK);
        assertThat(store.limitRejected()).isEqualTo(1);
        assertThat(apply("another", "")).isFalse();
        assertThat(apply("first", "a text", 1, 2, 3, 4, 5)).isTrue();
    }

    @Test
    void refusesSetsThatHaveToGrowBeyondTheBudget() {
        fillWithRows();
        int rows = (int) store.rows();
        Random random = new Random(2); // any seed
        long refused = 0;
        for (int i = 0; i < 400_000; i++) {
            refused += apply("a key of some length, number " + random.nextInt(rows), "", random.nextLong()) ? 0 : 1;
        }
        assertThat(refused).isGreaterThan(100_000);
        assertThat(budget.used()).isBetween(BUDGET, BUDGET + SLACK);
    }

    @Test
    void refusesSumsThatOutgrowTheirCellsBeyondTheBudget() {
        SummaryLayout sums =
                Rows.layout("sums", List.of(KeyType.INT64), Collections.nCopies(8, AggregateType.SUMINT32));
        ByteBudget ofSums = ByteBudget.ofState(BUDGET);
        SummaryStore rows = new Summaries(
                        Partitions.ALL,
                        List.of(sums),
                        List.of(TableRowCode.of(sums)),
                        1_000_000,
                        OpenWindows.DEFAULT_MAX,
                        ofSums)
                .store(0, 0);
        long keys = 0;
        while (add(rows, sums, keys, 1)) {
            keys++;
        }
        long refused = 0;
        for (long key = 0; key < keys; key++) {
            refused += add(rows, sums, key, 1L << 40) ? 0 : 1;
        }
        assertThat(refused).isGreaterThan(keys / 2);
        assertThat(ofSums.used()).isBetween(BUDGET - SLACK, BUDGET + SLACK);
        RowCursor cursor = rows.freeze().cursor();
        while (cursor.next()) {
            for (int column = 0; column < 8; column++) {
                assertThat(Rows.sum(cursor, column)).isIn(BigInteger.ONE, BigInteger.valueOf((1L << 40) + 1));
            }
        }
    }

    private boolean add(SummaryStore rows, SummaryLayout sums, long number, long operand) {
        KeyBuffer key = Rows.key(sums, number);
        batch.clear();
        batch.beginRow(0, key, key.hash(), ++stamp);
        for (int column = 0; column < 8; column++) {
            batch.addLong(column, operand);
        }
        batch.endRow();
        return rows.apply(batch.bytes(), 0);
    }

    @Test
    void takesTheOverflowWhenThereIsNoRoomForAnyOtherRow() {
        SummaryLayout limited = new SummaryLayout(
                "t", 0, layout.keys(), layout.values(), List.of(), new SummaryLimit(0, 0, SummaryLimit.Overflow.OTHER));
        Summaries both = new Summaries(
                Partitions.ALL,
                List.of(layout, limited, limited.overflow()),
                List.of(TableRowCode.of(layout), TableRowCode.of(limited), TableRowCode.of(limited.overflow())),
                1_000_000,
                OpenWindows.DEFAULT_MAX,
                budget);
        SummaryStore other = both.store(2, 0);
        both.store(1, 0).overflowInto(limited, other);
        fillWithRows();
        KeyBuffer key = key(new KeyBuffer(new KeyLayout(limited.keys())), "without room");
        batch.clear();
        batch.beginRow(0, key, key.hash(), ++stamp);
        batch.addLong(0, 0);
        batch.endRow();
        assertThat(both.store(1, 0).apply(batch.bytes(), 0)).isTrue();
        assertThat(other.rows()).isEqualTo(1);
        RowCursor row = other.freeze().cursor();
        assertThat(row.next()).isTrue();
        assertThat(row.longValue(0)).isEqualTo(1);

        batch.clear();
        batch.beginRow(0, key, key.hash(), ++stamp);
        batch.addTooLong(1);
        batch.endRow();
        assertThat(both.store(1, 0).apply(batch.bytes(), 0))
                .describedAs("the overflow refuses the text")
                .isFalse();
    }

    @Test
    void refusesLongerTextsBeyondTheBudgetAndReplacesOthers() {
        apply("first", "short");
        fillWithRows();
        int rows = (int) store.rows() - 1;
        for (int i = 0; budget.used() < BUDGET; i++) {
            boolean unused = apply("a key of some length, number " + i % rows, "x".repeat(100 + 100 * (i / rows)));
        }
        assertThat(apply("first", "y".repeat(4000))).isFalse();
        assertThat(last("first")).isEqualTo("short");
        assertThat(apply("first", "other")).isTrue();
        assertThat(last("first")).isEqualTo("other");
        assertThat(budget.used()).isLessThan(BUDGET + SLACK);
    }

    @Test
    void givesBackWhatAResetEmpties() {
        fillWithRows();
        SummaryPartition partition = summaries.partition(0, 0);
        partition.takeOpen(1).forEach(partition::retire);
        assertThat(budget.used()).isLessThan(64 * 1024);
        assertThat(partition.rows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 1024})
    void keysLongerThanTheirBoundHaveNoRow(int bound) {
        List<String> refused = new ArrayList<>();
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.bound(bound, () -> refused.add("refused"));
        int longest = bound - key.layout().fixedBytes() - 4;
        assertThat(apply(key(key, "k".repeat(longest)), "fits", 1)).isTrue();
        assertThat(refused).isEmpty();
        assertThat(apply(key(key, "k".repeat(longest + 1)), "too long", 2)).isFalse();
        assertThat(key.length()).isLessThan(bound);
        assertThat(apply(key(key, "k".repeat(100_000)), "far too long", 2)).isFalse();
        assertThat(refused).hasSize(2);
        assertThat(apply(key(key, "k"), "")).isTrue();
        assertThat(store.rows()).isEqualTo(2);
        assertThat(store.limitRejected()).isEqualTo(2);
    }

    @Test
    void aTextThatIsTooLongLeavesItsCellAndTheRestIsAdded() {
        KeyBuffer key = key(new KeyBuffer(new KeyLayout(layout.keys())), "k");
        assertThat(apply(key, "before", 1)).isTrue();
        batch.clear();
        batch.beginRow(0, key, key.hash(), ++stamp);
        batch.addLong(0, 0);
        batch.addTooLong(1);
        batch.addLong(2, 7);
        batch.endRow();
        assertThat(store.apply(batch.bytes(), 0)).isFalse();
        RowCursor row = row("k");
        assertThat(row.longValue(0)).isEqualTo(2);
        assertThat(last("k")).isEqualTo("before");
        assertThat(row.sets(2).cardinality(row.setHandle(2))).isEqualTo(2);
    }
}
