package io.summarizer.bench.sketch;

/** A set of 64-bit hashes that is sometimes wrong about its members. Not thread-safe. */
interface Filter {
    /** Adds a member. */
    void add(long hash);

    /** Whether this is a member, as far as the filter knows. */
    boolean contains(long hash);

    /** Size of the filter's state. */
    long bits();

    /** The rate of false positives in theory, after the members that were added. */
    double falsePositives();

    /** Place {@code i} of a hash among {@code places}; the places of one hash are those of double hashing. */
    static int place(long hash, int i, int places) {
        long mixed = (hash + i * ((hash >>> 32) | 1)) & 0xffff_ffffL;
        return (int) ((mixed * places) >>> 32);
    }
}
