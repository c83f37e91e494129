package io.summarizer.bench.chaos;

import io.summarizer.core.queue.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A relay between sender and service. The relay stays at one port while services come and go at other ports. On
 * command, the relay resets a connection once a given number of bytes has passed, or holds bytes back. One thread
 * accepts connections, and each connection has two further threads. Any thread may control the relay.
 */
final class Relay implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int STALL_POLL_MS = 5;
    private static final long NEVER = Long.MAX_VALUE;

    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile @Nullable InetSocketAddress target;
    private volatile long stalledUntilNanos = System.nanoTime();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong answerBytes = new AtomicLong();

    /**
     * Number of bytes that may still pass to the service before a reset. {@code backLeft} is the number for the other
     * direction, to the sender.
     */
    private final AtomicLong forthLeft = new AtomicLong(NEVER);

    private final AtomicLong backLeft = new AtomicLong(NEVER);

    Relay() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("chaos-relay", this::accept);
    }

    /** The port on the loopback that senders connect to. */
    int port() {
        return server.getLocalPort();
    }

    /**
     * Sets the service to which connections lead. With null, the relay resets all connections, and also each new
     * connection until a service is set.
     */
    void target(@Nullable InetSocketAddress target) {
        this.target = target;
        if (target == null) {
            sockets.forEach(Relay::reset);
        }
    }

    /**
     * Resets a connection at both ends once {@code bytes} more bytes have passed in one direction. At most one reset is
     * pending in each direction.
     */
    void cut(boolean answers, long bytes) {
        (answers ? backLeft : forthLeft).set(bytes);
    }

    /** Lets no byte pass for a while. */
    void stall(long millis) {
        stalledUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Number of bytes of answers that have passed so far. */
    long answerBytes() {
        return answerBytes.get();
    }

    /** Number of connections that were reset on command. */
    long cuts() {
        return cuts.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket sender = server.accept();
                InetSocketAddress to = target;
                if (to == null) {
                    reset(sender);
                    continue;
                }
                connect(sender, to);
            } catch (IOException e) {
                // closed
            }
        }
    }

    private void connect(Socket sender, InetSocketAddress to) {
        Socket receiver;
        try {
            receiver = new Socket(to.getAddress(), to.getPort());
        } catch (IOException e) {
            reset(sender); // no service listens; the sender tries again
            return;
        }
        sockets.add(sender);
        sockets.add(receiver);
        start("chaos-relay-forth", () -> pass(sender, receiver, forthLeft));
        start("chaos-relay-back", () -> pass(receiver, sender, backLeft));
        if (target == null) {
            reset(sender);
            reset(receiver);
        }
    }

    private static void start(String name, Runnable work) {
        var unused = Threads.start(name, work);
    }

    private void pass(Socket from, Socket to, AtomicLong left) {
        byte[] buffer = new byte[BUFFER_BYTES];
        boolean cut = false;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int n;
            while (!cut && (n = in.read(buffer)) >= 0) {
                while (stalledUntilNanos - System.nanoTime() > 0) {
                    TimeUnit.MILLISECONDS.sleep(STALL_POLL_MS);
                }
                int read = n;
                long before = left.getAndUpdate(bytes -> bytes == NEVER || bytes <= read ? NEVER : bytes - read);
                cut = before <= read;
                int passed = (int) Math.min(read, before);
                out.write(buffer, 0, passed);
                if (left == backLeft) {
                    answerBytes.addAndGet(passed);
                }
            }
        } catch (IOException e) {
            // The other direction has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (cut) {
            cuts.incrementAndGet();
        }
        end(from, cut);
        end(to, cut);
    }

    private void end(Socket socket, boolean cut) {
        sockets.remove(socket);
        if (cut) {
            reset(socket);
        } else {
            close(socket);
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0); // close sends RST
        } catch (IOException e) {
            // It is closed.
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        target(null);
    }
}
