package io.summarizer.server.service;

import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.HttpListener;
import io.summarizer.server.http.HttpSettings;
import io.summarizer.server.net.NettyWorkers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server and, where health checks have a port of their own, that one: started, and telling how far the start is.
 * Immutable.
 *
 * @param isEncrypted whether the HTTP server speaks TLS
 */
record HttpServers(HttpListener http, @Nullable HttpListener health, boolean isEncrypted) {
    private static final int WORKERS = 1;

    /**
     * Starts them.
     *
     * @throws IOException when an address cannot be bound; what was started before is in {@code opened}
     */
    static HttpServers open(ServerConfig config, Protection protection, Readiness readiness, Teardown opened)
            throws IOException {
        ServerConfig.Http settings = config.http();
        NettyWorkers workers = new NettyWorkers("http", WORKERS);
        opened.add("the HTTP workers", workers::close);
        HttpListener http = new HttpListener(
                HttpSettings.of(ListenAddresses.resolved(settings.bind()))
                        .with(
                                settings.connections(),
                                HttpSettings.Limits.of(settings.queryTimeout(), settings.cutRetention()))
                        .with(protection.http(), protection.access())
                        .with(settings.names()),
                workers,
                readiness::notReady);
        HttpListener health = health(settings, readiness, opened);
        ListenAddresses.bind(http::start, "http.bind");
        opened.add("the HTTP server", http::close); // of a start that fails: a stop closes it before what it shows
        return new HttpServers(http, health, protection.http() != null);
    }

    /** The listener for health checks, started, with a thread of its own; null when there is to be none. */
    private static @Nullable HttpListener health(ServerConfig.Http settings, Readiness readiness, Teardown opened)
            throws IOException {
        if (settings.healthBind().isEmpty()) {
            return null;
        }
        NettyWorkers workers = new NettyWorkers("health", WORKERS);
        opened.add("the health workers", workers::close);
        HttpListener health = new HttpListener(
                HttpSettings.ofHealth(
                        ListenAddresses.resolved(settings.healthBind().get())),
                workers,
                readiness::notReady);
        ListenAddresses.bind(health::start, "http.health-bind");
        opened.add("the health listener", health::close);
        return health;
    }

    /** Address of health checks alone, with the port in use; empty when they have no port of their own. */
    Optional<InetSocketAddress> healthAddress() {
        return Optional.ofNullable(health).map(HttpListener::address);
    }

    /** Address of HTTP, as addresses are written. */
    String url() {
        InetSocketAddress address = http.address();
        String host = address.getAddress().getHostAddress();
        return (isEncrypted ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + address.getPort();
    }
}
