package io.summarizer.core.state;

/** Thrown when a state file is truncated or was changed. Another copy of the file may be intact. */
public final class DamagedStateException extends StateException {
    private static final long serialVersionUID = 1;

    DamagedStateException(String message) {
        super(message);
    }

    DamagedStateException(String message, Throwable cause) {
        super(message, cause);
    }
}
