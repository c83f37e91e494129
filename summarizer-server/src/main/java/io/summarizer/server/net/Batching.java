package io.summarizer.server.net;

import java.time.Duration;

/**
 * Batching of received messages.
 *
 * @param messages largest number of messages in a batch; 0 when only the bytes of a batch are bounded
 * @param linger time for which a connection pauses after a small read, so that more messages arrive meanwhile; zero
 *     means no pause
 */
public record Batching(int messages, Duration linger) {
    /** Each read is handed over at once, as one batch. */
    public static final Batching BY_READ = new Batching(0, Duration.ZERO);

    public Batching {
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger=" + linger + " is negative");
        }
    }
}
