package io.summarizer.server.service;

import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.net.Addresses;
import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The addresses of listeners. A start of the service first resolves all addresses and checks that they are free. Then
 * the service loads its state, which may take minutes. The first listener is bound after that.
 */
final class ListenAddresses {
    private final List<String> problems = new ArrayList<>();
    private final List<Closeable> bound = new ArrayList<>();

    private ListenAddresses() {}

    /**
     * Binds all addresses and releases them again.
     *
     * @throws IOException when some addresses cannot be bound; the message has all such addresses, with the keys to set
     */
    static void check(ServerConfig config) throws IOException {
        checkDistinct(config);
        ListenAddresses check = new ListenAddresses();
        try {
            tcpAddresses(config).forEach(check::tcp);
            check.one("listen.syslog-udp.bind", config.syslogUdp().bind(), DatagramSocket::new);
        } finally {
            for (Closeable socket : check.bound) {
                socket.close();
            }
        }
        if (!check.problems.isEmpty()) {
            throw new IOException(String.join("\n", check.problems));
        }
    }

    /**
     * Checks that no two listeners of connections have the same address.
     *
     * @throws IOException when two have; the message names their keys
     */
    static void checkDistinct(ServerConfig config) throws IOException {
        Map<InetSocketAddress, String> keys = new HashMap<>();
        for (Map.Entry<String, Optional<InetSocketAddress>> listener :
                tcpAddresses(config).entrySet()) {
            InetSocketAddress address = listener.getValue().orElse(null);
            if (address == null || address.getPort() == 0) {
                continue;
            }
            String other = keys.putIfAbsent(address, listener.getKey());
            if (other != null) {
                throw new IOException(
                        listener.getKey() + ": " + Addresses.text(address) + " is the address of " + other + ", too");
            }
        }
    }

    private static Map<String, Optional<InetSocketAddress>> tcpAddresses(ServerConfig config) {
        Map<String, Optional<InetSocketAddress>> all = new LinkedHashMap<>();
        all.put("listen.syslog-tcp.bind", config.syslogTcp().bind());
        all.put("listen.relp.bind", config.relp().bind());
        all.put("http.bind", Optional.of(config.http().bind()));
        all.put("http.health-bind", config.http().healthBind());
        return all;
    }

    @FunctionalInterface
    private interface Binding {
        Closeable bind(InetSocketAddress address) throws IOException;
    }

    private void tcp(String key, Optional<InetSocketAddress> bind) {
        one(key, bind, address -> {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true); // as for listeners, so that connections of the last process do not matter
                socket.bind(address);
                return socket;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        });
    }

    private void one(String key, Optional<InetSocketAddress> bind, Binding binding) {
        if (bind.isEmpty()) {
            return;
        }
        try {
            bound.add(binding.bind(resolved(bind.get())));
        } catch (IOException e) {
            problems.add(
                    key + ": cannot listen on " + Addresses.text(bind.get()) + ": " + e.getMessage() + advice(key));
        }
    }

    /** Starts a listener. The message of a failure names the key of the listener's address. */
    static void bind(Start listener, String key) throws IOException {
        try {
            listener.start();
        } catch (IOException e) {
            throw new IOException(e.getMessage() + advice(key), e);
        }
    }

    /** Starts a listener. */
    @FunctionalInterface
    interface Start {
        void start() throws IOException;
    }

    /** Returns advice for an address that cannot be bound, to append to the reason. */
    private static String advice(String key) {
        return "; another address: --set " + key + "=HOST:PORT";
    }

    /** Returns the address with its host resolved. */
    static InetSocketAddress resolved(InetSocketAddress bind) throws IOException {
        InetSocketAddress resolved = new InetSocketAddress(bind.getHostString(), bind.getPort());
        if (resolved.isUnresolved()) {
            throw new IOException("the host " + bind.getHostString() + " is not known");
        }
        return resolved;
    }
}
