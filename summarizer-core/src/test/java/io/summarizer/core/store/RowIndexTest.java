package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.ByteAccount;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowIndexTest {
    @Test
    void everyRowIsFoundUnderItsHashWhileTheIndexGrows() {
        long seed = 9;
        Random random = new Random(seed);
        RowIndex index = new RowIndex(ByteAccount.unbounded());
        int rows = 200_000;
        int[] hashes = new int[rows];
        for (int row = 0; row < rows; row++) {
            // Every tenth hash repeats an earlier one.
            hashes[row] = row % 10 == 9 ? hashes[random.nextInt(row)] : random.nextInt();
            index.insert(hashes[row], row);
            if (Integer.bitCount(row) == 1 || row == rows - 1) {
                for (int known = 0; known <= row; known++) {
                    assertThat(occurrences(index, hashes[known], known)).isEqualTo(1);
                }
            }
        }
        assertThat(occurrences(index, hashes[0] ^ 1, 0)).isZero();
        assertThat(index.allocatedBytes() / rows).as("bytes a row").isLessThan(22);
    }

    /** From the first slots to segments of full size: the place to prefetch is the start of the probe. */
    @Test
    void shouldTouchWhereAProbeBegins() {
        Random random = new Random(4);
        RowIndex index = new RowIndex(ByteAccount.unbounded());
        for (int row = 0; row < 100_000; row++) {
            int hash = random.nextInt();
            index.insert(hash, row);
            if (Integer.bitCount(row) == 1 || row % 1000 == 0) {
                long[] segment = index.segment(hash);
                assertThat(index.prefetch(hash)).isEqualTo((int) segment[hash & RowIndex.mask(segment)]);
            }
        }
    }

    @Test
    void hashesThatDifferInTheirHighestBitsOnlyAreHeldApart() {
        RowIndex index = new RowIndex(ByteAccount.unbounded());
        int rows = 5_000;
        for (int row = 0; row < rows; row++) {
            index.insert(row << 19, row);
        }
        for (int row = 0; row < rows; row++) {
            assertThat(occurrences(index, row << 19, row)).isEqualTo(1);
        }
    }

    @Test
    void rowsUnderOneHashSpreadOverParents() {
        BitSet seen = new BitSet();
        int parents = 50_000;
        for (int parent = 0; parent < parents; parent++) {
            seen.set(RowIndex.mix(0x1234_5678_9abc_def0L, parent) >>> 12);
        }
        // 50,000 balls in a million bins hit about 48,800 different ones.
        assertThat(seen.cardinality()).isGreaterThan(48_000);
    }

    @Test
    void aPartitionsKeysUseAllOfTheHashThatIsLeft() {
        BitSet seen = new BitSet();
        Random random = new Random(3);
        for (int i = 0; i < 50_000; i++) {
            seen.set(RowIndex.mix(0x7000_0000_0000_0000L | (random.nextLong() >>> 4), 0) >>> 12);
        }
        assertThat(seen.cardinality()).isGreaterThan(48_000);
    }

    /** New rows are inserted between the steps of a sweep. They split segments that the sweep has visited or not. */
    @Test
    void aSweepRemovesTheRowsOfChunksThatAreGone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        ByteAccount account = ByteAccount.unbounded();
        RowIndex index = new RowIndex(account);
        int slotBits = 4;
        Map<Integer, Integer> hashes = new HashMap<>();
        BitSet gone = new BitSet();
        for (int round = 0; round < 6; round++) {
            for (int i = 0; i < 40_000; i++) {
                insert(index, hashes, random.nextInt());
            }
            // In the end, nearly all rows are gone.
            for (int chunk = 0; chunk < hashes.size() >>> slotBits; chunk++) {
                gone.set(chunk, gone.get(chunk) || random.nextInt(100) < (round == 5 ? 99 : 30));
            }
            do {
                insert(index, hashes, random.nextInt());
            } while (!index.sweep(gone, slotBits));
            hashes.forEach((row, hash) -> assertThat(occurrences(index, hash, row))
                    .as("seed %d, row %d", seed, row)
                    .isEqualTo(gone.get(row >>> slotBits) ? 0 : 1));
            assertThat(index.accountedBytes()).as("seed %d", seed).isEqualTo(account.taken());
        }
        long left = hashes.keySet().stream()
                .filter(row -> !gone.get(row >>> slotBits))
                .count();
        assertThat(index.allocatedBytes()).as("seed %d, %d rows", seed, left).isLessThan(64 * 8 * left);
    }

    private static void insert(RowIndex index, Map<Integer, Integer> hashes, int hash) {
        int row = hashes.size();
        index.insert(hash, row);
        hashes.put(row, hash);
    }

    private static int occurrences(RowIndex index, int hash, int row) {
        long[] segment = index.segment(hash);
        int mask = RowIndex.mask(segment);
        int found = 0;
        for (int i = hash & mask; segment[i] != 0; i = (i + 1) & mask) {
            if (RowIndex.isOf(segment[i], hash) && RowIndex.row(segment[i]) == row) {
                found++;
            }
        }
        return found;
    }
}
