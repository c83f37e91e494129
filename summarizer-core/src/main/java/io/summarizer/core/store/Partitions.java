package io.summarizer.core.store;

/**
 * Which slice of a summary a key belongs to, and who owns it. Every summary has {@value #COUNT} partitions, taken from the
 * high bits of the key's hash whatever the number of owners, and neighbouring partitions belong to different owners, so
 * that a hot summary is shared by all of them.
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

    /** Owner of a partition; summaries start at different owners, so that small ones do not all crowd the first. */
    public static int owner(int summary, int partition, int owners) {
        return (summary + partition) % owners;
    }
}
