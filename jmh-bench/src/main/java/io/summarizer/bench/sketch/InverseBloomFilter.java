package io.summarizer.bench.sketch;

/**
 * The opposite of a Bloom filter: a table in which each new member may replace an earlier one. The filter never reports
 * a hash that was not added, but it forgets a member when another member takes the same place.
 *
 * @see <a href="https://www.somethingsimilar.com/2012/05/21/the-opposite-of-a-bloom-filter/">Hodges: The Opposite of a
 *     Bloom Filter, 2012</a>
 */
final class InverseBloomFilter implements Filter {
    private final long[] hashes;

    /** Makes an empty filter of about {@code bits} bits, 64 for each place. */
    InverseBloomFilter(long bits) {
        hashes = new long[Math.toIntExact((bits + 63) / 64)];
    }

    @Override
    public void add(long hash) {
        hashes[Filter.place(hash, 0, hashes.length)] = hash;
    }

    @Override
    public boolean contains(long hash) {
        return hashes[Filter.place(hash, 0, hashes.length)] == hash;
    }

    @Override
    public long bits() {
        return 64L * hashes.length;
    }

    @Override
    public double falsePositives() {
        return 0;
    }

    /** The theoretical probability that a member is forgotten after {@code members} other members were added. */
    double forgotten(double members) {
        return 1 - Math.pow(1 - 1.0 / hashes.length, members);
    }
}
