package io.summarizer.core.state;

import java.io.IOException;

/** Says why a state file cannot be read, or cannot be loaded into these summaries: what, where, and what to do. */
public sealed class StateException extends IOException permits DamagedStateException {
    private static final long serialVersionUID = 1;

    StateException(String message) {
        super(message);
    }

    StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
