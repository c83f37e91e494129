package io.summarizer.core.state;

import java.io.IOException;

/** Says why a state file cannot be read, or cannot be loaded into these summaries: what, where, and what to do. */
public final class StateException extends IOException {
    StateException(String message) {
        super(message);
    }

    StateException(String message, Throwable cause) {
        super(message, cause);
    }
}
