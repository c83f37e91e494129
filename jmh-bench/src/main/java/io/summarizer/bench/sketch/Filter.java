package io.summarizer.bench.sketch;

/** A set of 64-bit hashes that is sometimes wrong about its members. Not thread-safe. */
interface Filter {
    /** Adds a member. */
    void add(long hash);

    /** Whether the filter takes the hash for a member. */
    boolean contains(long hash);

    /** Size of the filter's state. */
    long bits();

    /** The theoretical rate of false positives for the members that were added so far. */
    double falsePositives();

    /** Place {@code i} of a hash among {@code places}, computed by double hashing. */
    static int place(long hash, int i, int places) {
        long mixed = (hash + i * ((hash >>> 32) | 1)) & 0xffff_ffffL;
        return (int) ((mixed * places) >>> 32);
    }
}
