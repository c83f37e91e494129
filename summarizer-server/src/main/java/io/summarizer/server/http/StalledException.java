package io.summarizer.server.http;

import java.io.IOException;
import java.time.Duration;

/** Thrown to end an answer whose client reads nothing or reads too slowly. */
final class StalledException extends IOException {
    private static final long serialVersionUID = 1;

    /** Makes the exception for a client that read nothing for {@code timeout}. */
    StalledException(Duration timeout) {
        super("the client took nothing for " + timeout.toMillis() + " ms");
    }

    /**
     * Makes the exception for a client that read nothing for {@code timeout}; {@code circumstance} completes the
     * message.
     */
    StalledException(Duration timeout, String circumstance) {
        super("the client took nothing for " + timeout.toMillis() + " ms " + circumstance);
    }

    /**
     * Makes the exception for a client that read less than this number of bytes per second while the writer waited for
     * it.
     */
    StalledException(long leastBytesPerSecond) {
        super("the client took less than " + leastBytesPerSecond + " bytes a second");
    }
}
