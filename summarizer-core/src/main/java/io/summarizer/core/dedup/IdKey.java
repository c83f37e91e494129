package io.summarizer.core.dedup;

import java.security.SecureRandom;

/**
 * The secret that ids are hashed with, so that nobody outside can make two ids that are taken for the same one, or many that
 * crowd one place of an index. Drawn once for a state, and saved with it: the hashes it has seen are worth nothing without.
 * Immutable.
 */
public record IdKey(long first, long second) {
    /** A new one. */
    public static IdKey draw() {
        SecureRandom random = new SecureRandom();
        return new IdKey(random.nextLong(), random.nextLong());
    }

    /** Says nothing of the secret. */
    @Override
    public String toString() {
        return "IdKey";
    }
}
