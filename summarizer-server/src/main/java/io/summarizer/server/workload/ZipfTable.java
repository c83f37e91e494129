package io.summarizer.server.workload;

/**
 * A source of random ranks from 0. The probability falls with a power of the rank: p(r) ~ 1 / (r + 1)^exponent. Each
 * draw takes one table lookup (the alias method: Walker 1977; Vose 1991, "A linear algorithm for generating random
 * numbers with a given distribution"). Immutable.
 */
final class ZipfTable {
    private static final long ONE = 1L << 32;

    private final int ranks;
    /**
     * Thresholds of the columns, as fractions of 2^32. In column i, a random fraction below the threshold gives rank i;
     * any other fraction gives rank {@code other[i]}.
     */
    private final long[] threshold;

    private final int[] other;

    ZipfTable(int ranks, double exponent) {
        this.ranks = ranks;
        threshold = new long[ranks];
        other = new int[ranks];
        double[] height = new double[ranks];
        double sum = 0;
        for (int i = 0; i < ranks; i++) {
            // StrictMath, because the last bit of Math.pow depends on the platform.
            height[i] = 1 / StrictMath.pow(i + 1, exponent);
            sum += height[i];
        }
        int[] small = new int[ranks];
        int[] large = new int[ranks];
        int smallCount = 0;
        int largeCount = 0;
        for (int i = 0; i < ranks; i++) {
            height[i] *= ranks / sum;
            if (height[i] < 1) {
                small[smallCount++] = i;
            } else {
                large[largeCount++] = i;
            }
        }
        while (smallCount > 0 && largeCount > 0) {
            int low = small[--smallCount];
            int high = large[largeCount - 1];
            threshold[low] = (long) (height[low] * ONE);
            other[low] = high;
            height[high] -= 1 - height[low];
            if (height[high] < 1) {
                largeCount--;
                small[smallCount++] = high;
            }
        }
        // Because of rounding, some columns may be left here. These columns have only their own rank.
        while (largeCount > 0) {
            threshold[large[--largeCount]] = ONE;
        }
        while (smallCount > 0) {
            threshold[small[--smallCount]] = ONE;
        }
    }

    /** Maps 64 random bits to a rank. */
    int rank(long bits) {
        int column = EventRandom.scale(bits, ranks);
        return (bits & (ONE - 1)) < threshold[column] ? column : other[column];
    }
}
