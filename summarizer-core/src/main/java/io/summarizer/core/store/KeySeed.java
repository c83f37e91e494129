package io.summarizer.core.store;

import java.security.SecureRandom;

/**
 * The choice of the seed of {@link KeyHash}. The seed is random, unless a program or a property chooses it. For tests,
 * the system property {@code summarizer.key-hash-seed}, a decimal long, sets the seed. Thread-safe.
 */
public final class KeySeed {
    private static long seed = Long.getLong("summarizer.key-hash-seed", new SecureRandom().nextLong());

    private KeySeed() {}

    /**
     * Makes {@code chosen} the seed. Processes with the same seed divide keys over partitions in the same way. Call
     * this method before the first key is hashed.
     *
     * @throws IllegalStateException when keys were hashed with another seed
     */
    public static void use(long chosen) {
        choose(chosen);
        if (KeyHash.SEED != chosen) {
            throw new IllegalStateException("keys were already hashed with another seed in this process");
        }
    }

    private static synchronized void choose(long chosen) {
        seed = chosen;
    }

    /** The seed that is in force, or that will be in force when the first key is hashed. */
    public static synchronized long chosen() {
        return seed;
    }
}
