package io.summarizer.server.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports for programs that cannot choose a port themselves. Stateless. */
public final class FreePort {
    private static final int FIRST = 10_000;
    /** Linux gives this port and higher ones to connections and to listeners without a port (ip_local_port_range). */
    private static final int END = 32_768;

    private static final int ATTEMPTS = 100;

    private FreePort() {}

    /**
     * A random port of the loopback that nobody listens on. Another program may take it before the caller does, but no
     * connection takes it.
     *
     * @throws IOException when no such port was found
     */
    public static int next() throws IOException {
        IOException failure = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (IOException e) {
                failure = e;
            }
        }
        throw new IOException("no free port was found", failure);
    }
}
