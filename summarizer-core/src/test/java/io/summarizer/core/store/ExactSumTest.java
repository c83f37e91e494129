package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sums of integers and amounts at and beyond every width that a cell has, against {@link BigInteger}. */
class ExactSumTest {
    private static final List<AggregateType> TYPES =
            List.of(AggregateType.SUMINT32, AggregateType.SUMINT64, AggregateType.SUMCURRENCY);
    private static final SummaryLayout LAYOUT = Rows.layout("s", List.of(KeyType.INT64), TYPES);
    private static final BigInteger GREATEST = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
    private static final BigInteger LEAST = BigInteger.ONE.shiftLeft(127).negate();

    /** Values at which a cell changes its form, and both neighbours. */
    private static final long[] EDGES = {
        0,
        1 << 30,
        -(1 << 30),
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        Long.MIN_VALUE + (1L << 32),
        Long.MIN_VALUE + (1L << 31),
        Long.MIN_VALUE,
        Long.MAX_VALUE
    };

    private static long operand(Random random) {
        long edge = EDGES[random.nextInt(EDGES.length)] + random.nextInt(3) - 1;
        return random.nextBoolean() ? edge : random.nextLong() >> random.nextInt(64);
    }

    @Test
    void shouldBeExactInWhateverOrderOneByOneAndInRuns() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            List<Long> operands = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                operands.add(operand(random));
            }
            BigInteger expected = operands.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
            for (int order = 0; order < 3; order++) {
                Collections.shuffle(operands, random);
                SummaryStore store = Rows.store(LAYOUT);
                List<StoreView> cuts = new ArrayList<>();
                for (int from = 0; from < operands.size(); ) {
                    int to = Math.min(operands.size(), from + 1 + random.nextInt(4));
                    add(store, operands.subList(from, to), random.nextBoolean());
                    cuts.add(store.freeze());
                    from = to;
                }
                assertThat(sums(cuts.get(cuts.size() - 1)))
                        .as("seed %d, round %d, %s", seed, round, operands)
                        .containsOnly(expected);
                assertThat(store.saturations()).isZero();
            }
        }
    }

    @Test
    void shouldShowInACutWhatWasThereThenHoweverWideTheCellBecomesAfterwards() {
        SummaryStore store = Rows.store(LAYOUT);
        BigInteger sum = BigInteger.ZERO;
        List<StoreView> cuts = new ArrayList<>();
        List<BigInteger> expected = new ArrayList<>();
        for (long step : List.of(5L, 1L << 31, Long.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE, -9L)) {
            add(store, List.of(step), false);
            sum = sum.add(BigInteger.valueOf(step));
            cuts.add(store.freeze());
            expected.add(sum);
        }
        for (int i = 0; i < cuts.size(); i++) {
            assertThat(sums(cuts.get(i))).as("cut %d", i).containsOnly(expected.get(i));
        }
    }

    /** Beyond 128 bits a sum stays at the bound in any order; only sums that are loaded can reach it. */
    @Test
    void shouldStayAtTheBoundOf128BitsInWhateverOrderAndCountWhatIsLost() {
        for (int[] order : new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
            BigInteger big = GREATEST.subtract(BigInteger.valueOf(3));
            assertThat(loaded(order, GREATEST, BigInteger.valueOf(-5), BigInteger.TEN))
                    .containsOnly(GREATEST);
            assertThat(loaded(order, LEAST, BigInteger.valueOf(5), BigInteger.ONE.shiftLeft(100)))
                    .containsOnly(LEAST);
            assertThat(loaded(order, LEAST, GREATEST, BigInteger.valueOf(7))).containsOnly(GREATEST);
            assertThat(loaded(order, big, BigInteger.ONE, BigInteger.ONE))
                    .containsOnly(GREATEST.subtract(BigInteger.ONE));
            assertThat(loaded(order, big, big.negate(), BigInteger.ONE.negate()))
                    .containsOnly(BigInteger.ONE.negate());
        }
        SummaryStore store = Rows.store(LAYOUT);
        load(store, GREATEST);
        load(store, BigInteger.ZERO);
        assertThat(store.saturations()).isZero();
        load(store, BigInteger.ONE);
        load(store, BigInteger.valueOf(-4));
        assertThat(store.saturations()).isEqualTo(2L * TYPES.size());
    }

    private static List<BigInteger> loaded(int[] order, BigInteger... parts) {
        SummaryStore store = Rows.store(LAYOUT);
        for (int part : order) {
            load(store, parts[part]);
        }
        return sums(store.freeze());
    }

    private static void load(SummaryStore store, BigInteger sum) {
        StoreLoader loader = new StoreLoader(store);
        KeyBuffer key = Rows.key(LAYOUT, 1L);
        loader.enter(key, key.hash(), 0);
        for (int column = 0; column < TYPES.size(); column++) {
            loader.addSum(column, sum.longValue(), sum.shiftRight(64).longValue());
        }
    }

    /** Adds operands as single records, or as one run. */
    private static void add(SummaryStore store, List<Long> operands, boolean asRun) {
        UpdateBatch batch = new UpdateBatch(64);
        KeyBuffer key = Rows.key(LAYOUT, 1L);
        int[] starts = new int[operands.size()];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = batch.limit();
            batch.beginRow(0, key, key.hash(), i);
            for (int column = 0; column < TYPES.size(); column++) {
                batch.addLong(column, operands.get(i));
            }
            batch.endRow();
        }
        int single = asRun && store.rows() == 0 ? 1 : asRun ? 0 : starts.length;
        for (int i = 0; i < single; i++) {
            store.apply(batch.bytes(), starts[i]);
        }
        if (single == starts.length) {
            return;
        }
        UpdateRun run = new UpdateRun();
        run.set(batch.bytes(), starts, single, starts.length);
        RowFormat format = store.tables().format;
        int ops = UpdateBatch.KEY_OFFSET + format.key.fixedBytes();
        byte[] chunk = store.tables().chunkOf(0);
        for (int column = 0; column < TYPES.size(); column++) {
            int cell = store.tables().baseOf(0) + format.cell(column);
            if (format.kind(column) == CellKind.SUM_INT32) {
                store.tables().cells().addInt32(chunk, cell, run, ops + column * UpdateRun.OP_BYTES);
            } else {
                store.tables().cells().addInt64(chunk, cell, run, ops + column * UpdateRun.OP_BYTES);
            }
        }
    }

    private static List<BigInteger> sums(StoreView view) {
        RowCursor row = view.cursor();
        List<BigInteger> sums = new ArrayList<>();
        while (row.next()) {
            for (int column = 0; column < TYPES.size(); column++) {
                sums.add(Rows.sum(row, column));
            }
        }
        return sums;
    }
}
