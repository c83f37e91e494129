package io.summarizer.core.store;

/**
 * The assignment of keys to partitions, and of partitions to owners. Every summary has {@value #COUNT} partitions,
 * whatever the number of owners. The high bits of a key's hash choose the partition. Neighbouring partitions belong to
 * different owners, so that all owners share a hot summary.
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

    /**
     * Owner of a partition. Summaries start at different owners, so that small summaries do not all share the first
     * owner.
     */
    public static int owner(int summary, int partition, int owners) {
        return (summary + partition) % owners;
    }
}
