package io.summarizer.server.replay;

import java.io.IOException;

/** Thrown when a message cannot be sent, with the reason. Later messages can still be sent. */
final class UnusableMessageException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableMessageException(String message) {
        super(message);
    }
}
