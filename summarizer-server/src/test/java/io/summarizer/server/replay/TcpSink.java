package io.summarizer.server.replay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A listener that takes one connection and keeps its bytes. */
public final class TcpSink implements AutoCloseable {
    private final ServerSocket server;
    private final CompletableFuture<byte[]> received;

    public TcpSink() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        received = CompletableFuture.supplyAsync(() -> {
            try (Socket socket = server.accept()) {
                return socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    public String uri() {
        return "tcp://127.0.0.1:" + server.getLocalPort();
    }

    /** All bytes of the connection, once it ended. */
    public byte[] received() throws Exception {
        return received.get(30, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
