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
 * @param bind port 0 takes any free one
 * @param connections bounds on them; a connection beyond one takes the place of another, or is asked for health only
 * @param healthOnly whether it answers to {@code /healthz} and {@code /readyz} alone
 * @param tls what all connections have to speak; null: none does
 * @param access decides who may ask for what; null: anybody may ask for anything
 * @param names hosts that requests may be for, besides {@code bind}: names, patterns and addresses
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
    private static final ConnectionLimits OF_HEALTH = new ConnectionLimits(64, 64, Duration.ofSeconds(5), MINUTE);

    /**
     * Bounds on downloads and cuts.
     *
     * @param exportThreads downloads worked on at a time
     * @param pullsMax downloads under way, at most half of them of one address; beyond that, one that waits long for its client gives
     *     way, or the answer is 503
     * @param queryTimeout work that one download may take; waiting for its client does not count
     * @param stallTimeout a client that takes nothing of an answer for so long is cut off
     * @param keepCuts how long a cut can be read again, from when it was last handed out, named or read
     * @param cutsMax cuts kept at most; only more than so many shorten that time
     */
    public record Limits(
            int exportThreads,
            int pullsMax,
            Duration queryTimeout,
            Duration stallTimeout,
            Duration keepCuts,
            int cutsMax) {
        private static final int PULLS_MAX = 64;
        /** Four cuts a second can be read again for a minute. */
        private static final int CUTS_MAX = 256;

        public Limits {
            if (exportThreads < 1 || pullsMax < 1 || cutsMax < 1) {
                throw new IllegalArgumentException("exportThreads=" + exportThreads + ", pullsMax=" + pullsMax
                        + ", cutsMax=" + cutsMax + ": each must be at least 1");
            }
        }

        /** The usual ones but for these. */
        public static Limits of(Duration queryTimeout, Duration keepCuts) {
            // Half of the processors: pulls never wait on a thread, and leave time for what arrives.
            int threads = Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors() / 2));
            return new Limits(threads, PULLS_MAX, queryTimeout, MINUTE, keepCuts, CUTS_MAX);
        }
    }

    public HttpSettings {
        names = List.copyOf(names);
    }

    /** Those of a listener with the usual limits, in the clear and for everybody. */
    public static HttpSettings of(InetSocketAddress bind) {
        return new HttpSettings(bind, USUAL, Limits.of(MINUTE, MINUTE), false, null, null, List.of());
    }

    /** Those of a listener that answers to {@code /healthz} and {@code /readyz} alone, to anybody. */
    public static HttpSettings ofHealth(InetSocketAddress bind) {
        return new HttpSettings(bind, OF_HEALTH, Limits.of(MINUTE, MINUTE), true, null, null, List.of());
    }

    /** The same with other bounds. */
    public HttpSettings with(ConnectionLimits connections, Limits limits) {
        return new HttpSettings(bind, connections, limits, healthOnly, tls, access, names);
    }

    /** The same for those whom {@code tls} and {@code access} let in; null: everybody. */
    public HttpSettings with(@Nullable ServerTls tls, @Nullable AccessControl access) {
        return new HttpSettings(bind, connections, limits, healthOnly, tls, access, names);
    }

    /** The same, known by further names. */
    public HttpSettings with(List<String> names) {
        return new HttpSettings(bind, connections, limits, healthOnly, tls, access, names);
    }
}
