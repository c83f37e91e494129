package io.summarizer.server.net;

import java.time.Duration;

/**
 * The size of what a listener hands over at a time.
 *
 * @param messages of a batch at most; 0: its bytes alone bound it
 * @param linger how long a batch that is not full waits for its connection's next read; zero: not at all
 */
public record Batching(int messages, Duration linger) {
    /** What a read brought, whole and at once. */
    public static final Batching BY_READ = new Batching(0, Duration.ZERO);

    public Batching {
        if (linger.isNegative()) {
            throw new IllegalArgumentException("linger=" + linger + " is negative");
        }
    }
}
