package io.summarizer.core.store;

/**
 * The assignment of keys to partitions, and of partitions to owners. Every summary has {@value #COUNT} partitions,
 * chosen by the high bits of the key's hash for any number of owners, and neighbouring partitions belong to different
 * owners, so that all owners share a hot summary.
 */
public final class Partitions {
    /** Partitions of a summary; a power of two. */
    public static final int COUNT = 16;

    private static final int SHIFT = Long.SIZE - 4;

    private Partitions() {}

    /** Partition of a key with this hash. */
    public static int of(long hash) {
        return (int) (hash >>> SHIFT);
    }

    /** Owner of a partition; summaries start at different owners, so that small ones do not all share the first. */
    public static int owner(int summary, int partition, int owners) {
        return (summary + partition) % owners;
    }
}
