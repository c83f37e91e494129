package io.summarizer.server.http;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Control of the definitions of a running service. No method blocks; futures complete on a thread of the
 * implementation.
 */
public interface DefinitionsControl {
    /** Outcome of a request. */
    enum Outcome {
        /** The definitions in the folder are now in force. For a plan: they can be put in force. */
        DONE,
        /** The definitions have errors. */
        INVALID,
        /** The definitions do not fit the present rows. */
        REFUSED,
        /** The service is still recovering. A later request may succeed. */
        RECOVERING,
        /** An internal fault. */
        FAILED
    }

    /** An outcome, and its details as text. Nothing has changed if the outcome is not DONE. */
    record Answer(Outcome outcome, String text) {}

    /** Switches to the present definitions of the folder. */
    CompletableFuture<Answer> reload();

    /** The definitions in force; empty during recovery. */
    default Optional<DefinitionsInForce> inForce() {
        return Optional.empty();
    }

    /** Reports the effect that {@link #reload} would have now. */
    CompletableFuture<Answer> plan();
}
