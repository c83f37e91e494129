package io.summarizer.bench.sketch;

import java.util.Arrays;

/**
 * The k smallest hashes of a set: a uniform sample, which estimates the number of distinct elements and the similarity
 * of two sets. Not thread-safe.
 *
 * @see <a href="https://doi.org/10.1145/1281100.1281133">Cohen, Kaplan: Summarizing Data using Bottom-k Sketches,
 *     2007</a>
 */
final class BottomK {
    /** Sorted as unsigned numbers. */
    private final long[] least;

    private int size;

    BottomK(int k) {
        least = new long[k];
    }

    /** Adds an element, uniformly distributed over all numbers. */
    void add(long hash) {
        // Sorted with the sign flipped, as the JDK compares them.
        long flipped = hash ^ Long.MIN_VALUE;
        if (size == least.length && flipped >= least[size - 1]) {
            return;
        }
        int at = Arrays.binarySearch(least, 0, size, flipped);
        if (at >= 0) {
            return;
        }
        int place = -at - 1;
        size = Math.min(size + 1, least.length);
        System.arraycopy(least, place, least, place + 1, size - 1 - place);
        least[place] = flipped;
    }

    /** The number of distinct elements; exact when it is less than k. */
    double distinct() {
        return size < least.length ? size : (size - 1) / share(least[size - 1]);
    }

    private static double share(long flipped) {
        return ((flipped ^ Long.MIN_VALUE) >>> 11) * 0x1p-53;
    }

    /**
     * The Jaccard similarity of two sets, estimated as the share of the union's k smallest hashes that are in both
     * sets.
     */
    double similarity(BottomK other) {
        int mine = 0;
        int theirs = 0;
        int common = 0;
        int seen = 0;
        for (; seen < least.length && (mine < size || theirs < other.size); seen++) {
            int order = mine == size ? 1 : theirs == other.size ? -1 : Long.compare(least[mine], other.least[theirs]);
            mine += order <= 0 ? 1 : 0;
            theirs += order >= 0 ? 1 : 0;
            common += order == 0 ? 1 : 0;
        }
        return (double) common / seen;
    }

    long bits() {
        return 64L * least.length;
    }
}
