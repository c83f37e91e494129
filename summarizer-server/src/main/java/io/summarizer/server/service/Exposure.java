package io.summarizer.server.service;

import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.config.ServerConfig.Transport;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses a configuration that lets other hosts read traffic or send requests, unless the configuration allows this
 * explicitly.
 */
final class Exposure {
    private final List<String> problems = new ArrayList<>();

    private Exposure() {}

    /**
     * Checks the addresses of all listeners.
     *
     * @throws RefusedConfigException when some addresses are unsafe; the message has all unsafe addresses, with the
     *     keys to set
     */
    static void check(ServerConfig config) throws RefusedConfigException {
        Exposure exposure = new Exposure();
        config.syslogTcp()
                .bind()
                .ifPresent(bind -> exposure.stream(
                        "listen.syslog-tcp", bind, config.syslogTcp().transport()));
        config.relp()
                .bind()
                .ifPresent(bind ->
                        exposure.stream("listen.relp", bind, config.relp().transport()));
        ServerConfig.SyslogUdp udp = config.syslogUdp();
        if (udp.bind().isPresent() && isOpen(udp.bind().get()) && !udp.allowPlaintext()) {
            exposure.problems.add(text("listen.syslog-udp.bind", udp.bind().get())
                    + ", and UDP is in the clear: anybody there could read and send messages. Have a rsyslog take them, and"
                    + " forward them by RELP with TLS; or allow it with listen.syslog-udp.allow-plaintext: true");
        }
        ServerConfig.Http http = config.http();
        exposure.stream("http", http.bind(), http.transport());
        if (isOpen(http.bind()) && http.tokens().isEmpty() && !http.allowAnonymous()) {
            exposure.problems.add(text("http.bind", http.bind())
                    + ", and anybody there could pull, empty and reload. Set http.tokens to a file of tokens"
                    + " (bin/summarizer token makes them), or allow it with http.allow-anonymous: true");
        }
        if (!exposure.problems.isEmpty()) {
            throw new RefusedConfigException(String.join("\n", exposure.problems));
        }
    }

    private void stream(String prefix, InetSocketAddress bind, Transport transport) {
        if (isOpen(bind) && transport.tls().isEmpty() && !transport.allowPlaintext()) {
            problems.add(text(prefix + ".bind", bind) + ", and nothing is encrypted. Set " + prefix
                    + ".tls.certificate and " + prefix + ".tls.key, or allow it with " + prefix
                    + ".allow-plaintext: true");
        }
    }

    private static String text(String key, InetSocketAddress bind) {
        return key + ": other hosts can reach " + bind.getHostString() + ":" + bind.getPort();
    }

    /**
     * Whether other hosts can reach the address. An address whose name cannot be resolved counts as unreachable; the
     * bind of the listener fails later, and reports the name.
     */
    private static boolean isOpen(InetSocketAddress bind) {
        InetSocketAddress resolved = new InetSocketAddress(bind.getHostString(), bind.getPort());
        return !resolved.isUnresolved() && !resolved.getAddress().isLoopbackAddress();
    }
}
