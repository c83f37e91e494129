package io.summarizer.core;

import io.summarizer.core.store.KeyHash;

/**
 * The seeds of random tests. A failure names its seed: {@code -Dsummarizer.seed=N} runs it alone,
 * {@code -Dsummarizer.seeds=N} that many from it on, or from a random one.
 */
public final class Seeds {
    private static final String SEED = "summarizer.seed";
    private static final String SEEDS = "summarizer.seeds";

    private Seeds() {}

    /** The first seed to run with. */
    public static long first() {
        return Long.getLong(SEED, System.nanoTime());
    }

    /** The number of seeds to run with: the given number, one for a given seed, else {@code usual}. */
    public static int count(int usual) {
        return Integer.getInteger(SEEDS, System.getProperty(SEED) == null ? usual : 1);
    }

    /**
     * The options of Java that run a seed again; the seed of keys' hashes, which determines partitions, belongs to it.
     */
    public static String replay(long seed) {
        return "-D" + SEED + "=" + seed + " -Dsummarizer.key-hash-seed=" + KeyHash.SEED;
    }
}
