package io.summarizer.bench.sketch;

/**
 * A Bloom filter: each member sets some bits. It finds every member.
 *
 * @see <a href="https://doi.org/10.1145/362686.362692">Bloom: Space/Time Trade-offs in Hash Coding with Allowable
 *     Errors, 1970</a>
 */
final class BloomFilter implements Filter {
    private final long[] words;
    private final int size;
    private final int hashes;
    private long members;

    /**
     * Makes a filter with the smallest number of bits for its rate of false positives.
     *
     * @param capacity number of members at which the rate is reached
     */
    BloomFilter(long capacity, double falsePositives) {
        size = size(capacity, falsePositives);
        hashes = hashes(size, capacity);
        words = new long[(size + 63) / 64];
    }

    /** The smallest number of bits with which a rate of false positives can be reached. */
    static int size(long capacity, double falsePositives) {
        double places = capacity * -Math.log(falsePositives) / (Math.log(2) * Math.log(2));
        return Math.toIntExact((long) Math.ceil(places));
    }

    /** The number of bits to set for each member so that the rate of false positives is smallest. */
    static int hashes(int size, long capacity) {
        return Math.max(1, (int) Math.round(Math.log(2) * size / capacity));
    }

    /** The rate of false positives in theory. */
    static double falsePositives(int size, int hashes, long members) {
        return Math.pow(1 - Math.exp(-(double) hashes * members / size), hashes);
    }

    @Override
    public void add(long hash) {
        for (int i = 0; i < hashes; i++) {
            int place = Filter.place(hash, i, size);
            words[place >>> 6] |= 1L << place;
        }
        members++;
    }

    @Override
    public boolean contains(long hash) {
        for (int i = 0; i < hashes; i++) {
            int place = Filter.place(hash, i, size);
            if ((words[place >>> 6] & 1L << place) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long bits() {
        return 64L * words.length;
    }

    @Override
    public double falsePositives() {
        return falsePositives(size, hashes, members);
    }
}
