package io.summarizer.bench.chaos;

/** Something that must never happen did: lost, counted twice, unaccounted for, or a service that does not do its work. */
public final class ChaosException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ChaosException(String message) {
        super(message);
    }
}
