package io.summarizer.core.sketch;

/**
 * Estimates the number of distinct hashes by HyperLogLog, with 256 registers of one byte each. The standard error is
 * 6.5 %. Used for gauges; {@link MultisetArena} is for results. Written by one thread. Other threads may read the
 * counter at any time, but may miss the latest additions.
 */
public final class DistinctCounter {
    private static final int LOG2M = 8;
    private static final int RANK_MAX = Long.SIZE - LOG2M + 1;

    private final byte[] registers = new byte[1 << LOG2M];

    /** Adds a 64-bit hash. All of its bits have to be well mixed. */
    public void add(long hash) {
        int register = (int) (hash >>> (Long.SIZE - LOG2M));
        int rank = Math.min(RANK_MAX, Long.numberOfLeadingZeros(hash << LOG2M) + 1);
        if (rank > registers[register]) {
            registers[register] = (byte) rank;
        }
    }

    /** Adds all hashes of another counter. */
    public void add(DistinctCounter other) {
        for (int i = 0; i < registers.length; i++) {
            registers[i] = (byte) Math.max(registers[i], other.registers[i]);
        }
    }

    /** The estimate. */
    public long estimate() {
        int[] histogram = new int[RANK_MAX + 1];
        for (byte rank : registers) {
            histogram[rank]++;
        }
        return Estimator.estimate(histogram);
    }
}
