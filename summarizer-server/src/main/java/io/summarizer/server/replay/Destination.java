package io.summarizer.server.replay;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * The address and protocol of a listener.
 *
 * @param encrypted whether the connection is over TLS
 */
public record Destination(Protocol protocol, boolean encrypted, InetSocketAddress address) {
    /** Protocols of listeners. */
    public enum Protocol {
        /** Plain syslog over TCP, without acknowledgements. */
        TCP("tcp", "tls"),
        /** RELP: every message is acknowledged. */
        RELP("relp", "relps");

        private final String scheme;
        private final String encryptedScheme;

        Protocol(String scheme, String encryptedScheme) {
            this.scheme = scheme;
            this.encryptedScheme = encryptedScheme;
        }
    }

    /**
     * Parses {@code tcp://HOST:PORT}, {@code relp://HOST:PORT} or, with TLS, {@code tls://HOST:PORT} or {@code
     * relps://HOST:PORT}. Also parses {@code HOST:PORT}, which the service prints.
     *
     * @throws IllegalArgumentException when the text has none of these forms
     */
    public static Destination of(String uri) {
        try {
            URI parsed = new URI(uri.contains("://") ? uri : Protocol.TCP.scheme + "://" + uri);
            String host = parsed.getHost();
            if (host != null && parsed.getPort() > 0) {
                String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
                for (Protocol protocol : Protocol.values()) {
                    boolean encrypted = protocol.encryptedScheme.equals(parsed.getScheme());
                    if (encrypted || protocol.scheme.equals(parsed.getScheme())) {
                        return new Destination(protocol, encrypted, new InetSocketAddress(name, parsed.getPort()));
                    }
                }
            }
        } catch (URISyntaxException e) {
            // Reported below, in other words.
        }
        throw new IllegalArgumentException(
                "\"" + uri + "\" is not HOST:PORT, or that behind tcp://, relp://, tls:// or relps://");
    }
}
