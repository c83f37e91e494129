package io.summarizer.core.archive;

import java.io.IOException;

/**
 * Thrown when a file was not taken as a closed window, or when windows were not closed. Nothing was changed. The
 * message tells users the reason.
 */
public final class WindowRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    /** An exception with this text. */
    public WindowRefusedException(String message) {
        super(message);
    }
}
