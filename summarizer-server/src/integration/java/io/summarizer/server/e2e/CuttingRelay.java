package io.summarizer.server.e2e;

import io.summarizer.server.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Forwards connections to a listener and resets some of them, at both ends, after a random number of bytes. */
final class CuttingRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final ServerSocket server;
    private final Random random;
    private final int bytesMax;
    private final AtomicInteger cutsLeft;
    private final ConcurrentHashMap.KeySetView<Socket, Boolean> sockets = ConcurrentHashMap.newKeySet();
    private final Thread acceptor;
    private final InetSocketAddress target;

    /**
     * Starts a relay.
     *
     * @param cuts number of connections that are cut before all others are left alone
     * @param bytesMax most bytes of the sender before a cut
     */
    CuttingRelay(InetSocketAddress target, int cuts, int bytesMax, long seed) throws IOException {
        this.target = target;
        this.bytesMax = bytesMax;
        cutsLeft = new AtomicInteger(cuts);
        random = new Random(seed);
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        acceptor = new Thread(this::accept, "relay");
        acceptor.start();
    }

    int port() {
        return server.getLocalPort();
    }

    /** Connections still to be cut. */
    int cutsLeft() {
        return Math.max(0, cutsLeft.get());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket sender = server.accept();
                Socket receiver = new Socket(target.getAddress(), target.getPort());
                sockets.add(sender);
                sockets.add(receiver);
                long bytes = cutsLeft.getAndDecrement() > 0 ? 1 + random.nextInt(bytesMax) : Long.MAX_VALUE;
                new Thread(() -> pass(sender, receiver, bytes), "relay-out").start();
                new Thread(() -> pass(receiver, sender, Long.MAX_VALUE), "relay-back").start();
            } catch (IOException e) {
                // Closed, or nobody listens: the sender tries again.
            }
        }
    }

    private void pass(Socket from, Socket to, long bytesMax) {
        byte[] buffer = new byte[BUFFER_BYTES];
        long left = bytesMax;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            while (left > 0) {
                int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (n < 0) {
                    break;
                }
                out.write(buffer, 0, n);
                left -= n;
            }
            if (left == 0) {
                from.setSoLinger(true, 0); // close sends RST
                to.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            // The other direction has ended.
        }
        end(from);
        end(to);
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(this::end);
        Await.until(() -> acceptor + " runs", () -> !acceptor.isAlive());
    }
}
