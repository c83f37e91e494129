package io.summarizer.core.dedup;

import java.security.SecureRandom;

/**
 * The secret key of the hash of ids, so that nobody outside can make two ids with one hash, or many that crowd one
 * place of an index. Drawn once for a state, and saved with it, because its hashes are useless without it. Immutable.
 */
public record IdKey(long first, long second) {
    /** A new random key. */
    public static IdKey draw() {
        SecureRandom random = new SecureRandom();
        return new IdKey(random.nextLong(), random.nextLong());
    }

    /** A text without the secret. */
    @Override
    public String toString() {
        return "IdKey";
    }
}
