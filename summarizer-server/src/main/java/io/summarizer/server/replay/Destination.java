package io.summarizer.server.replay;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** A listener's address and what it speaks. */
public record Destination(Protocol protocol, InetSocketAddress address) {
    /** What listeners speak. */
    public enum Protocol {
        /** Plain syslog over TCP: nothing comes back. */
        TCP,
        /** RELP: every message is answered. */
        RELP;

        /** As it is written before {@code ://}. */
        String scheme() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads {@code HOST:PORT}, as the service prints it, {@code tcp://HOST:PORT} or {@code relp://HOST:PORT}.
     *
     * @throws IllegalArgumentException when it is none of these
     */
    public static Destination of(String uri) {
        try {
            URI parsed = new URI(uri.contains("://") ? uri : Protocol.TCP.scheme() + "://" + uri);
            String host = parsed.getHost();
            if (host != null && parsed.getPort() > 0) {
                String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
                for (Protocol protocol : Protocol.values()) {
                    if (protocol.scheme().equals(parsed.getScheme())) {
                        return new Destination(protocol, new InetSocketAddress(name, parsed.getPort()));
                    }
                }
            }
        } catch (URISyntaxException e) {
            // told below, in words of ours
        }
        throw new IllegalArgumentException("\"" + uri + "\" is not HOST:PORT, tcp://HOST:PORT or relp://HOST:PORT");
    }
}
