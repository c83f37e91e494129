package io.summarizer.core.result;

import java.io.IOException;

/**
 * A result cannot be read, or not be written so that it can be read: a manifest or a file of it is malformed, missing,
 * too large, or needs a newer program. For users.
 */
public final class ResultException extends IOException {
    private static final long serialVersionUID = 1;

    /** An exception with this text. */
    public ResultException(String message) {
        super(message);
    }

    /** An exception with this text and its cause. */
    public ResultException(String message, Exception cause) {
        super(message, cause);
    }
}
