package io.summarizer.server.replay;

import java.io.IOException;

/** A message cannot be sent, for the given reason; later ones can. */
final class UnusableMessageException extends IOException {
    private static final long serialVersionUID = 1;

    UnusableMessageException(String message) {
        super(message);
    }
}
