package io.summarizer.core.state;

import java.io.IOException;

/**
 * Thrown when a state file cannot be read, or does not fit the summaries that it is loaded into. The message has the
 * error, its place, and a remedy.
 */
public sealed class StateException extends IOException permits DamagedStateException {
    private static final long serialVersionUID = 1;

    StateException(String message) {
        super(message);
    }

    StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
