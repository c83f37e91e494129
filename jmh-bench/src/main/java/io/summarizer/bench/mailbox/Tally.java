package io.summarizer.bench.mailbox;

import java.util.Arrays;

/** The state to update: for each key a count and a sum. Not thread-safe. */
final class Tally {
    /** Number of keys; a power of two. */
    static final int KEYS = 1 << 12;

    private final long[] counts = new long[KEYS];
    private final long[] sums = new long[KEYS];

    /** Adds {@code count} events of one key with {@code sum} in total. */
    void add(int key, long count, long sum) {
        counts[key] += count;
        sums[key] += sum;
    }

    /** Number of events. */
    long events() {
        return Arrays.stream(counts).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tally tally && Arrays.equals(counts, tally.counts) && Arrays.equals(sums, tally.sums);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts) * 31 + Arrays.hashCode(sums);
    }
}
