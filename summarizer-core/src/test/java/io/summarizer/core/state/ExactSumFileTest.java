package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums of any size in files: exact through merges and changed definitions, the same bytes in any order. */
class ExactSumFileTest {
    private static final int ROWS = 40;
    private static final SummaryLayout LAYOUT = Rows.layout(
            "s",
            List.of(KeyType.INT64),
            List.of(AggregateType.SUMINT32, AggregateType.SUMINT64, AggregateType.SUMCURRENCY));
    /** The first two sums, each of the other's type. */
    private static final SummaryLayout SWAPPED = Rows.layout(
            "s",
            List.of(KeyType.INT64),
            List.of(AggregateType.SUMINT64, AggregateType.SUMINT32, AggregateType.SUMCURRENCY));

    @TempDir
    private Path folder;

    private static long operand(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> Long.MIN_VALUE + random.nextInt(3);
            case 1 -> Long.MAX_VALUE - random.nextInt(3);
            case 2 -> Long.MIN_VALUE + (random.nextLong() >>> 32);
            default -> random.nextLong() >> random.nextInt(64);
        };
    }

    @Test
    void shouldBeExactThroughFilesMergesAndOtherTypesInWhateverOrder() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        BigInteger[] expected = new BigInteger[ROWS];
        Arrays.fill(expected, BigInteger.ZERO);
        List<Path> files = new ArrayList<>();
        for (int file = 0; file < 4; file++) {
            List<long[]> updates = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int row = random.nextInt(ROWS);
                long operand = operand(random);
                updates.add(new long[] {row, operand});
                expected[row] = expected[row].add(BigInteger.valueOf(operand));
            }
            byte[] bytes = null;
            for (int order = 0; order < 3; order++) {
                Path path = folder.resolve(file + ".state");
                StateWriter.write(filled(updates).freeze(1, 2), path, 1);
                byte[] written = Files.readAllBytes(path);
                assertThat(written).as("seed %d", seed).isEqualTo(bytes == null ? written : bytes);
                bytes = written;
                Collections.shuffle(updates, random);
            }
            files.add(folder.resolve(file + ".state"));
        }
        for (SummaryLayout layout : List.of(LAYOUT, SWAPPED)) {
            Collections.shuffle(files, random);
            Summaries merged = States.empty(List.of(layout));
            for (Path file : files) {
                States.load(file, merged);
            }
            Summaries again = States.empty(List.of(LAYOUT));
            States.load(States.save(merged, folder.resolve("merged.state")), again);
            for (Summaries each : List.of(merged, again)) {
                int rows = 0;
                for (StoreView partition : each.freeze(1, 2).summaries().get(0).partitions()) {
                    for (RowCursor row = partition.cursor(); row.next(); rows++) {
                        for (int column = 0; column < 3; column++) {
                            assertThat(Rows.sum(row, column))
                                    .as("seed %d, row %d, column %d", seed, row.keyLong(0), column)
                                    .isEqualTo(expected[(int) row.keyLong(0)]);
                        }
                    }
                }
                assertThat(rows).isEqualTo(ROWS);
            }
        }
    }

    /** Makes rows in the same order, for any order of updates. */
    private static Summaries filled(List<long[]> updates) {
        Summaries state = States.empty(List.of(LAYOUT));
        for (long row = 0; row < ROWS; row++) {
            Rows.apply(state.store(0, 0), Rows.key(LAYOUT, row), 1, ops -> {});
        }
        for (long[] update : updates) {
            Rows.apply(state.store(0, 0), Rows.key(LAYOUT, update[0]), 1, ops -> {
                for (int column = 0; column < 3; column++) {
                    ops.addLong(column, update[1]);
                }
            });
        }
        return state;
    }
}
