package io.summarizer.core.result;

import java.io.IOException;

/**
 * Thrown when a result cannot be read, or would be written in a form that cannot be read. The manifest or one of the
 * files of the result is malformed, missing, too large, or needs a newer program. The message is for users.
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
