package io.summarizer.core.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SortedRowsTest {
    private static final long ENOUGH = 1L << 30;

    private record Row(
            @Nullable Long number,
            @Nullable Double real,
            @Nullable String text,
            long place) {}

    @Test
    void theFirstRowsByAnyColumnsComeInOrderWithNullsLast() throws CsvQueryException {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            boolean[] descending = {random.nextBoolean(), random.nextBoolean(), random.nextBoolean()};
            int limit = random.nextInt(4) == 0 ? 1_000 : random.nextInt(60);
            List<Row> rows = new ArrayList<>();
            SortedRows sorted = new SortedRows(limit, new ExportMemory(ExportMemory.Work.SORT, ENOUGH, ENOUGH));
            SortKey key = new SortKey();
            int columns = 1 + random.nextInt(3);
            for (int i = 0; i < 400; i++) {
                Row row = new Row(
                        random.nextInt(5) == 0 ? null : random.nextLong() >> random.nextInt(64),
                        random.nextInt(5) == 0 ? null : random.nextGaussian(),
                        random.nextInt(5) == 0 ? null : "a\0b\u00e9z".substring(0, random.nextInt(5)),
                        i);
                rows.add(row);
                key.clear();
                put(key, row, columns, descending);
                sorted.offer(key, i);
            }
            while (!sorted.sort(7)) {
                // goes on where it paused
            }
            rows.sort(order(columns, descending));
            List<Long> expected = rows.stream().limit(limit).map(Row::place).toList();
            List<Long> actual = new ArrayList<>();
            for (int i = 0; i < sorted.size(); i++) {
                actual.add(sorted.place(i));
            }
            assertThat(actual).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static void put(SortKey key, Row row, int columns, boolean[] descending) {
        if (row.number == null) {
            key.putNull();
        } else {
            key.putLong(row.number % 4, descending[0]);
        }
        if (columns > 1) {
            if (row.text == null) {
                key.putNull();
            } else {
                byte[] utf8 = row.text.getBytes(StandardCharsets.UTF_8);
                key.putText(utf8, 0, utf8.length, descending[1]);
            }
        }
        if (columns > 2) {
            if (row.real == null) {
                key.putNull();
            } else {
                key.putDouble(row.real, descending[2]);
            }
        }
    }

    private static Comparator<Row> order(int columns, boolean[] descending) {
        Comparator<Row> order =
                Comparator.comparing(row -> row.number == null ? null : row.number % 4, nullsLast(descending[0]));
        if (columns > 1) {
            order = order.thenComparing(Row::text, nullsLast(descending[1]));
        }
        if (columns > 2) {
            order = order.thenComparing(Row::real, nullsLast(descending[2]));
        }
        return order.thenComparing(Row::place);
    }

    private static <T extends Comparable<T>> Comparator<@Nullable T> nullsLast(boolean descending) {
        Comparator<T> natural = Comparator.naturalOrder();
        return Comparator.nullsLast(descending ? natural.reversed() : natural);
    }

    @Test
    void zerosOfDoublesAreEqualAndUnsignedIntegersUnsigned() throws CsvQueryException {
        SortedRows sorted = new SortedRows(10, new ExportMemory(ExportMemory.Work.SORT, ENOUGH, ENOUGH));
        SortKey key = new SortKey();
        double[] reals = {0.0, -0.0, -1, 1};
        for (int i = 0; i < 4; i++) {
            key.clear();
            key.putDouble(reals[i], false);
            key.putUnsignedLong(-i, true);
            sorted.offer(key, i);
        }
        while (!sorted.sort(7)) {
            // goes on where it paused
        }
        assertThat(new long[] {sorted.place(0), sorted.place(1), sorted.place(2), sorted.place(3)})
                .containsExactly(2, 1, 0, 3);
    }

    @Test
    void moreRowsThanMemoryAreRefusedAndAHugeLimitCostsNothing() throws CsvQueryException {
        SortedRows sorted = new SortedRows(Long.MAX_VALUE, new ExportMemory(ExportMemory.Work.SORT, 1 << 20, 1 << 30));
        SortKey key = new SortKey();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1 << 20; i++) {
                        key.clear();
                        key.putLong(i, true);
                        sorted.offer(key, i);
                    }
                })
                .isInstanceOfSatisfying(
                        CsvQueryException.class,
                        e -> assertThat(e.reason()).isEqualTo(CsvQueryException.Reason.TOO_LARGE))
                .hasMessageContaining("1 MiB")
                .hasMessageContaining("limit=");
        assertThat(sorted.size()).isBetween(40_000, 1 << 16);
        SortedRows few = new SortedRows(1_000, new ExportMemory(ExportMemory.Work.SORT, 1 << 20, 1 << 30));
        for (int i = 0; i < 1 << 20; i++) {
            key.clear();
            key.putLong(i, true);
            key.putText(new byte[40], 0, 40, false);
            few.offer(key, i);
        }
        while (!few.sort(7)) {
            // goes on where it paused
        }
        assertThat(few.place(0)).isEqualTo((1 << 20) - 1);
    }

    @Test
    void whatSeveralTakeTogetherIsBoundedAndGivenBack() throws CsvQueryException {
        ExportMemory memory = new ExportMemory(ExportMemory.Work.SORT, 1 << 20, 3 << 19); // one and a half for all
        SortedRows one = new SortedRows(Long.MAX_VALUE, memory);
        SortedRows other = new SortedRows(Long.MAX_VALUE, memory);
        offer(one, 30_000);
        assertThatThrownBy(() -> offer(other, 40_000))
                .isInstanceOfSatisfying(
                        CsvQueryException.class, e -> assertThat(e.reason()).isEqualTo(CsvQueryException.Reason.BUSY));
        assertThat(memory.taken()).isBetween(30_000L * 24, 3L << 19);
        one.close();
        offer(other, 10_000);
        other.close();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void passesGiveAllRowsInOrder() throws CsvQueryException {
        long first = Seeds.first();
        for (long seed = first; seed < first + Seeds.count(40); seed++) {
            Random random = new Random(seed);
            int bytesMax = 2_000 + random.nextInt(40_000);
            int longest = List.of(0, 10, 200).get(random.nextInt(3));
            int values = 1 + random.nextInt(5_000);
            List<byte[]> texts = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                // Long keys may come late, when short ones have filled the memory.
                texts.add(("t" + "x".repeat(random.nextInt(i < 1_000 ? 3 : longest + 1)) + random.nextInt(values))
                        .getBytes(StandardCharsets.UTF_8));
            }
            ExportMemory memory = ExportMemory.forPasses(bytesMax);
            SortedRows sorted = new SortedRows(Long.MAX_VALUE, memory);
            List<Integer> actual = new ArrayList<>();
            int passes = 0;
            do {
                SortKey key = new SortKey();
                for (int i = 0; i < texts.size(); i++) {
                    key.clear();
                    key.putText(texts.get(i), 0, texts.get(i).length, false);
                    sorted.offer(key, i);
                    assertThat(memory.taken()).isLessThanOrEqualTo(bytesMax);
                }
                while (!sorted.sort(100)) {
                    // goes on where it paused
                }
                for (int i = 0; i < sorted.size(); i++) {
                    actual.add((int) sorted.place(i));
                }
                passes++;
            } while (sorted.nextPass());
            sorted.close();
            List<Integer> expected = new ArrayList<>();
            for (int i = 0; i < texts.size(); i++) {
                expected.add(i);
            }
            expected.sort(Comparator.<Integer, byte[]>comparing(texts::get, Arrays::compareUnsigned)
                    .thenComparing(Comparator.naturalOrder()));
            assertThat(actual).as(Seeds.replay(seed)).isEqualTo(expected);
            assertThat(passes).as(Seeds.replay(seed)).isGreaterThan(1);
            assertThat(memory.taken()).isZero();
        }
    }

    private static void offer(SortedRows rows, int count) throws CsvQueryException {
        SortKey key = new SortKey();
        for (int i = 0; i < count; i++) {
            key.clear();
            key.putLong(i, true);
            rows.offer(key, i);
        }
    }
}
