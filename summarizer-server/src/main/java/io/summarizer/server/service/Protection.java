package io.summarizer.server.service;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.kafka.KafkaClients;
import io.summarizer.server.tls.ServerTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The certificates and tokens of all listeners, read from their files. A part is null when the configuration does not
 * have it.
 *
 * @param access access control for requests over HTTP
 * @param kafka makes clients with the secrets of the properties file
 */
record Protection(
        @Nullable ServerTls syslog,
        @Nullable ServerTls relp,
        @Nullable ServerTls http,
        @Nullable AccessControl access,
        @Nullable KafkaClients kafka) {
    /**
     * Reads the files.
     *
     * @throws RefusedConfigException when other hosts could reach an unprotected listener
     * @throws IOException when a file cannot be used
     */
    static Protection of(ServerConfig config) throws IOException {
        Exposure.check(config);
        return new Protection(
                config.syslogTcp().bind().isEmpty()
                        ? null
                        : tls(Listeners.SYSLOG_NAME, config.syslogTcp().transport()),
                config.relp().bind().isEmpty()
                        ? null
                        : tls(Listeners.RELP_NAME, config.relp().transport()),
                tls("http", config.http().transport()),
                config.http().tokens().isEmpty()
                        ? null
                        : tokens(config.http().tokens().get()),
                config.kafka().isOn() ? KafkaClients.of(config.kafka()) : null);
    }

    private static @Nullable ServerTls tls(String listener, ServerConfig.Transport transport) throws IOException {
        try {
            return transport.tls().isEmpty()
                    ? null
                    : new ServerTls(listener, transport.tls().get());
        } catch (IOException e) {
            String key = (listener.equals("http") ? "" : "listen.") + listener + ".tls";
            throw new IOException(key + ": " + DiskErrors.describe(e), e);
        }
    }

    private static AccessControl tokens(Path file) throws IOException {
        try {
            return new AccessControl(file);
        } catch (IOException e) {
            throw new IOException("http.tokens: " + DiskErrors.describe(e), e);
        }
    }

    /** Tasks to run at intervals. Each task reads its files again if the files have changed. */
    List<Runnable> refreshes() {
        List<Runnable> refreshes = new ArrayList<>();
        Stream.of(syslog, relp, http).flatMap(Stream::ofNullable).forEach(tls -> refreshes.add(tls::refresh));
        if (access != null) {
            refreshes.add(access::refresh);
        }
        return refreshes;
    }
}
