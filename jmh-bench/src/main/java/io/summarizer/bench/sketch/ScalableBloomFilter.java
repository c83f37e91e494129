package io.summarizer.bench.sketch;

import java.util.ArrayList;
import java.util.List;

/**
 * A sequence of Bloom filters. Each filter is twice as large as the one before, and has a smaller rate of false
 * positives. The rates decrease so that their sum stays below a bound, whatever the number of members. A member is
 * always found.
 *
 * @see <a href="https://doi.org/10.1016/j.ipl.2006.10.007">Almeida, Baquero, Preguiça, Hutchison: Scalable Bloom
 *     Filters, 2007</a>
 */
final class ScalableBloomFilter implements Filter {
    private static final double TIGHTENING = 0.8;

    private final List<BloomFilter> filters = new ArrayList<>();
    private long capacity;
    private double rate;
    private long room;

    /**
     * Makes a filter for any number of members.
     *
     * @param capacity capacity of the first filter
     * @param falsePositives bound on the rate of all filters together
     */
    ScalableBloomFilter(long capacity, double falsePositives) {
        this.capacity = capacity;
        rate = falsePositives * (1 - TIGHTENING);
        grow();
    }

    private void grow() {
        filters.add(new BloomFilter(capacity, rate));
        room = capacity;
        capacity *= 2;
        rate *= TIGHTENING;
    }

    /** Adds the hash if it is not a member already, so that repeated members take no memory. */
    @Override
    public void add(long hash) {
        if (contains(hash)) {
            return;
        }
        if (room == 0) {
            grow();
        }
        filters.get(filters.size() - 1).add(hash);
        room--;
    }

    /** Looks first into the newest filter, which has the most members. */
    @Override
    public boolean contains(long hash) {
        for (int i = filters.size() - 1; i >= 0; i--) {
            if (filters.get(i).contains(hash)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long bits() {
        return filters.stream().mapToLong(Filter::bits).sum();
    }

    @Override
    public double falsePositives() {
        double none = 1;
        for (BloomFilter filter : filters) {
            none *= 1 - filter.falsePositives();
        }
        return 1 - none;
    }
}
