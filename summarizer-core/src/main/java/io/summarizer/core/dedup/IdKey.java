package io.summarizer.core.dedup;

import java.security.SecureRandom;

/**
 * The secret key of the hash of ids. Because no sender knows the key, no sender can make two ids with the same hash, or
 * many ids that crowd one place of an index. A state has one random key. The key is saved with the state, because
 * hashes of another key cannot be compared with the hashes in the state. Immutable.
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
