package io.summarizer.bench.chaos;

/** Thrown when an event was lost, counted twice or unaccounted for, or when the service does not do its work. */
public final class ChaosException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ChaosException(String message) {
        super(message);
    }

    /** Throws such an exception unless a condition holds. */
    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new ChaosException(otherwise);
        }
    }
}
