package io.summarizer.server.service;

import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.HttpListener;
import io.summarizer.server.http.HttpSettings;
import io.summarizer.server.net.NettyWorkers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server and, if health checks have a port of their own, the server for health checks. Both servers are
 * started and report the progress of the service's start. Immutable.
 *
 * @param isEncrypted whether the HTTP server speaks TLS
 */
record HttpServers(HttpListener http, @Nullable HttpListener health, boolean isEncrypted) {
    private static final int WORKERS = 1;

    /**
     * Starts the servers.
     *
     * @param notReady supplies the reason why {@code /readyz} answers no; called on event loops
     * @throws IOException when an address cannot be bound; {@code opened} then has the servers that were already
     *     started
     */
    static HttpServers open(
            ServerConfig config, Protection protection, Supplier<Optional<String>> notReady, Teardown opened)
            throws IOException {
        ServerConfig.Http settings = config.http();
        NettyWorkers workers = new NettyWorkers("http", WORKERS);
        opened.add("the HTTP workers", workers::close);
        HttpListener http = new HttpListener(
                HttpSettings.of(ListenAddresses.resolved(settings.bind()))
                        .with(
                                settings.connections(),
                                HttpSettings.Limits.of(
                                        settings.queryTimeout(), settings.cutRetention(), settings.rollupMemory()))
                        .with(protection.http(), protection.access())
                        .with(settings.names()),
                workers,
                notReady);
        HttpListener health = health(settings, notReady, opened);
        ListenAddresses.bind(http::start, "http.bind");
        opened.add("the HTTP server", http::close); // for a start that fails; a stop closes HTTP earlier
        return new HttpServers(http, health, protection.http() != null);
    }

    /**
     * Starts the listener for health checks, with a thread of its own; returns null when no such listener is
     * configured.
     */
    private static @Nullable HttpListener health(
            ServerConfig.Http settings, Supplier<Optional<String>> notReady, Teardown opened) throws IOException {
        if (settings.healthBind().isEmpty()) {
            return null;
        }
        NettyWorkers workers = new NettyWorkers("health", WORKERS);
        opened.add("the health workers", workers::close);
        HttpListener health = new HttpListener(
                HttpSettings.ofHealth(
                        ListenAddresses.resolved(settings.healthBind().get())),
                workers,
                notReady);
        ListenAddresses.bind(health::start, "http.health-bind");
        opened.add("the health listener", health::close);
        return health;
    }

    /**
     * Address of the port for health checks only, with its actual number; empty when health checks have no port of
     * their own.
     */
    Optional<InetSocketAddress> healthAddress() {
        return Optional.ofNullable(health).map(HttpListener::address);
    }

    /** URL of HTTP. */
    String url() {
        InetSocketAddress address = http.address();
        String host = address.getAddress().getHostAddress();
        return (isEncrypted ? "https://" : "http://") + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + address.getPort();
    }
}
