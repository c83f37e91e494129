package io.summarizer.bench.sketch;

/**
 * Estimates of how often each element occurs in a stream; no estimate is too small. In theory, at most one of
 * e<sup>depth</sup> estimates exceeds the true number by more than e / width times the number of all elements. Not
 * thread-safe.
 *
 * @see <a href="https://doi.org/10.1016/j.jalgor.2003.12.001">Cormode, Muthukrishnan: An Improved Data Stream Summary:
 *     the Count-Min Sketch and its Applications, 2005</a>
 */
final class CountMinSketch {
    private final int[] counters;
    private final int width;
    private final int depth;

    CountMinSketch(int width, int depth) {
        this.width = width;
        this.depth = depth;
        counters = new int[Math.multiplyExact(width, depth)];
    }

    /** Counts one occurrence. */
    void add(long hash) {
        for (int row = 0; row < depth; row++) {
            counters[row * width + Filter.place(hash, row, width)]++;
        }
    }

    /** Returns the smallest of the element's counters. */
    int estimate(long hash) {
        int least = Integer.MAX_VALUE;
        for (int row = 0; row < depth; row++) {
            least = Math.min(least, counters[row * width + Filter.place(hash, row, width)]);
        }
        return least;
    }

    long bits() {
        return 32L * counters.length;
    }
}
