package io.summarizer.server.net;

import java.time.Duration;

/**
 * Bounds on the connections of a listener.
 *
 * @param max of them
 * @param maxOfAddress of those of one address
 * @param messageTimeout how long a message, over HTTP a request, may take; zero: as long as it likes
 * @param idleTimeout how long a connection may bring nothing, over HTTP between an answer and the next request; zero: for ever
 */
public record ConnectionLimits(int max, int maxOfAddress, Duration messageTimeout, Duration idleTimeout) {
    /** Connections a listener for messages takes unless told otherwise. */
    private static final int DEFAULT_MAX = 4096;

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

    /** So many, of any address and without timeouts. */
    public static ConnectionLimits of(int max) {
        return new ConnectionLimits(max, max, Duration.ZERO, Duration.ZERO);
    }

    /** The usual number, of any address and without timeouts. */
    public static ConnectionLimits usual() {
        return of(DEFAULT_MAX);
    }
}
