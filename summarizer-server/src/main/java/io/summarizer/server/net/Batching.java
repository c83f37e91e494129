package io.summarizer.server.net;

import java.time.Duration;

/**
 * Batching of received messages.
 *
 * @param messages largest number of messages in a batch; 0: only its bytes are bounded
 * @param linger time that a batch with room waits for its connection's next read; zero: none
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
