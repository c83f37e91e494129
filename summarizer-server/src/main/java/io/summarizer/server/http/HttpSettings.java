package io.summarizer.server.http;

import io.summarizer.server.access.AccessControl;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.tls.ServerTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link HttpListener}.
 *
 * @param bind address of the listener; port 0 takes any free port
 * @param connections bounds on connections; beyond a bound, a new connection replaces another connection or, if it can
 *     replace none, serves only health checks
 * @param healthOnly whether the listener serves only {@code /healthz} and {@code /readyz}
 * @param tls TLS of all connections; null means plaintext
 * @param access access control that decides on requests; null when every request is allowed
 * @param names further names, patterns and addresses that requests may give in their {@code Host} header, besides
 *     {@code bind}
 */
public record HttpSettings(
        InetSocketAddress bind,
        ConnectionLimits connections,
        Limits limits,
        boolean healthOnly,
        @Nullable ServerTls tls,
        @Nullable AccessControl access,
        List<String> names) {
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final ConnectionLimits USUAL = new ConnectionLimits(256, 128, Duration.ofSeconds(10), MINUTE);
    private static final Limits USUAL_LIMITS = Limits.of(MINUTE, MINUTE, 64 << 20);
    private static final ConnectionLimits OF_HEALTH = new ConnectionLimits(64, 64, Duration.ofSeconds(5), MINUTE);

    /**
     * Bounds on downloads and cuts.
     *
     * @param exportThreads number of threads that write downloads
     * @param pullsMax largest number of downloads in progress, of which one address may have at most half. A new
     *     download beyond these bounds displaces a download that has waited long for its client; when there is none,
     *     the new download is answered with 503
     * @param queryTimeout working time of one download, without waits for its client
     * @param stallTimeout time after which a client that reads nothing of an answer is disconnected
     * @param keepCuts time for which a cut can be read again after it was last returned, named or read
     * @param cutsMax largest number of kept cuts; if more cuts are taken, each cut is kept for a shorter time
     * @param groupBytes memory for the groups of all downloads together
     */
    public record Limits(
            int exportThreads,
            int pullsMax,
            Duration queryTimeout,
            Duration stallTimeout,
            Duration keepCuts,
            int cutsMax,
            long groupBytes) {
        private static final int PULLS_MAX = 64;
        /** Default number of kept cuts. With four new cuts per second, each cut can be read again for a minute. */
        private static final int CUTS_MAX = 256;

        public Limits {
            if (exportThreads < 1 || pullsMax < 1 || cutsMax < 1) {
                throw new IllegalArgumentException("exportThreads=" + exportThreads + ", pullsMax=" + pullsMax
                        + ", cutsMax=" + cutsMax + ": each must be at least 1");
            }
        }

        /** Makes limits with these durations and this memory for groups; all other limits have their default values. */
        public static Limits of(Duration queryTimeout, Duration keepCuts, long groupBytes) {
            // Half of the processors. This is enough because pulls never block a thread, and it leaves processors for
            // messages.
            int threads = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));
            return new Limits(threads, PULLS_MAX, queryTimeout, MINUTE, keepCuts, CUTS_MAX, groupBytes);
        }
    }

    public HttpSettings {
        names = List.copyOf(names);
    }

    /** Makes the settings of a listener with the default limits, without TLS and tokens. */
    public static HttpSettings of(InetSocketAddress bind) {
        return new HttpSettings(bind, USUAL, USUAL_LIMITS, false, null, null, List.of());
    }

    /** Makes the settings of a listener that serves only {@code /healthz} and {@code /readyz}, to everybody. */
    public static HttpSettings ofHealth(InetSocketAddress bind) {
        return new HttpSettings(bind, OF_HEALTH, USUAL_LIMITS, true, null, null, List.of());
    }

    /** Returns these settings with other bounds. */
    public HttpSettings with(ConnectionLimits connections, Limits limits) {
        return new HttpSettings(bind, connections, limits, healthOnly, tls, access, names);
    }

    /** Returns these settings with TLS and access control; null means no TLS, or no access control. */
    public HttpSettings with(@Nullable ServerTls tls, @Nullable AccessControl access) {
        return new HttpSettings(bind, connections, limits, healthOnly, tls, access, names);
    }

    /** Returns these settings with further names. */
    public HttpSettings with(List<String> names) {
        return new HttpSettings(bind, connections, limits, healthOnly, tls, access, names);
    }
}
