package io.summarizer.bench.sketch;

import java.util.SplittableRandom;

/**
 * A Bloom filter with small counters. Each new member decrements some of the counters. So the filter forgets old
 * members, and its rate of false positives never exceeds a limit.
 *
 * @see <a href="https://doi.org/10.1145/1142473.1142477">Deng, Rafiei: Approximately Detecting Duplicates for Streaming
 *     Data using Stable Bloom Filters, 2006</a>
 */
final class StableBloomFilter implements Filter {
    private final long[] words;
    private final int cells;
    private final int cellBits;
    private final int max;
    private final int hashes;
    private final int decrements;
    private final SplittableRandom random = new SplittableRandom(1);

    /**
     * Makes an empty filter.
     *
     * @param bits approximate number of bits of all cells
     * @param cellBits bits of a cell: 1, 2, 4 or 8
     * @param falsePositives limit of the rate of false positives, after many members
     */
    StableBloomFilter(long bits, int cellBits, int hashes, double falsePositives) {
        this.cellBits = cellBits;
        this.hashes = hashes;
        words = new long[Math.toIntExact((bits + 63) / 64)];
        cells = Math.toIntExact(64L * words.length / cellBits);
        max = (1 << cellBits) - 1;
        double zero = Math.pow(1 - Math.pow(falsePositives, 1.0 / hashes), 1.0 / max);
        decrements = (int) Math.max(1, Math.round(1 / ((1 / zero - 1) * (1.0 / hashes - 1.0 / cells))));
    }

    /**
     * Decrements a row of neighbouring cells from a random cell on, at the cost of one cache miss. Then sets the
     * member's cells.
     */
    @Override
    public void add(long hash) {
        int cell = random.nextInt(cells);
        for (int i = 0; i < decrements; i++) {
            int at = cell * cellBits;
            if ((words[at >>> 6] >>> at & max) != 0) {
                words[at >>> 6] -= 1L << at;
            }
            cell = cell + 1 == cells ? 0 : cell + 1;
        }
        for (int i = 0; i < hashes; i++) {
            int at = Filter.place(hash, i, cells) * cellBits;
            words[at >>> 6] |= (long) max << at;
        }
    }

    @Override
    public boolean contains(long hash) {
        for (int i = 0; i < hashes; i++) {
            int at = Filter.place(hash, i, cells) * cellBits;
            if ((words[at >>> 6] >>> at & max) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long bits() {
        return 64L * words.length;
    }

    /** The limit that the rate approaches while members come. */
    @Override
    public double falsePositives() {
        double zero = Math.pow(1 / (1 + 1 / (decrements * (1.0 / hashes - 1.0 / cells))), max);
        return Math.pow(1 - zero, hashes);
    }
}
