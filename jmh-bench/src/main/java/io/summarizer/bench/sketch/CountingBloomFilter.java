package io.summarizer.bench.sketch;

/**
 * A Bloom filter with counters of four bits instead of bits, so that members can be removed. A counter that has reached
 * 15 stays at 15, because decrementing it might remove other members.
 *
 * @see <a href="https://doi.org/10.1109/90.851975">Fan, Cao, Almeida, Broder: Summary Cache, 2000</a>
 */
final class CountingBloomFilter implements Filter {
    private static final int MAX = 15;

    private final byte[] pairs;
    private final int size;
    private final int hashes;
    private long members;

    /**
     * Makes a filter with the smallest number of counters for its rate of false positives.
     *
     * @param capacity number of members at which the rate is reached
     */
    CountingBloomFilter(long capacity, double falsePositives) {
        size = BloomFilter.size(capacity, falsePositives);
        hashes = BloomFilter.hashes(size, capacity);
        pairs = new byte[(size + 1) / 2];
    }

    @Override
    public void add(long hash) {
        change(hash, 1);
        members++;
    }

    /** Removes a member. Call it only for a hash that was added, because any other call may remove other members. */
    void remove(long hash) {
        change(hash, -1);
        members--;
    }

    private void change(long hash, int by) {
        for (int i = 0; i < hashes; i++) {
            int place = Filter.place(hash, i, size);
            int counter = counter(place);
            if (counter < MAX) {
                pairs[place >>> 1] += (byte) (by << (4 * (place & 1)));
            }
        }
    }

    private int counter(int place) {
        return pairs[place >>> 1] >>> (4 * (place & 1)) & MAX;
    }

    @Override
    public boolean contains(long hash) {
        for (int i = 0; i < hashes; i++) {
            if (counter(Filter.place(hash, i, size)) == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long bits() {
        return 8L * pairs.length;
    }

    @Override
    public double falsePositives() {
        return BloomFilter.falsePositives(size, hashes, members);
    }
}
