package io.summarizer.server.replay;

import java.io.IOException;

/** Says of one message why it cannot be sent; those behind it can. */
final class UnusableMessageException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableMessageException(String message) {
        super(message);
    }
}
