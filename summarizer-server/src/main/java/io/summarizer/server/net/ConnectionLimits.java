package io.summarizer.server.net;

import java.time.Duration;

/**
 * Bounds on the connections of a listener.
 *
 * @param max largest number of connections
 * @param maxOfAddress largest number of connections from one address
 * @param messageTimeout longest time from the start to the end of a message (over HTTP, of a request); zero means no
 *     bound
 * @param idleTimeout longest time without a byte; with HTTP, longest time between an answer and the next request; zero
 *     means no bound
 */
public record ConnectionLimits(int max, int maxOfAddress, Duration messageTimeout, Duration idleTimeout) {
    public ConnectionLimits {
        if (max < 1 || maxOfAddress < 1) {
            throw new IllegalArgumentException(
                    "max=" + max + ", maxOfAddress=" + maxOfAddress + ": each must be at least 1");
        }
        if (messageTimeout.isNegative() || idleTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "messageTimeout=" + messageTimeout + ", idleTimeout=" + idleTimeout + ": one is negative");
        }
    }
}
