package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.summarizer.server.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;

/** Forwards one connection to a server, and stops at a given place of the client's bytes until it is closed. */
final class StallingRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 4 * 1024;

    /** The place of a stop. */
    interface Place {
        /** Whether to stop before a piece. */
        boolean isReached(long bytesBefore, String piece);
    }

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final Place place;
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    StallingRelay(InetSocketAddress target, Place place) throws IOException {
        this.target = target;
        this.place = place;
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        thread = new Thread(this::relay, "stalling-relay");
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    /** Waits until the client has sent the bytes up to the place, and the server was sent those before. */
    void awaitStall() {
        Await.until(() -> "not stalled", () -> stalled.getCount() == 0);
    }

    private void relay() {
        try (Socket client = server.accept();
                Socket receiver = new Socket(target.getAddress(), target.getPort())) {
            Thread back = new Thread(() -> copy(receiver, client, (bytes, piece) -> false), "stalling-relay-back");
            back.start();
            copy(client, receiver, place);
            if (stalled.getCount() == 0) {
                ended.await();
            }
        } catch (IOException | InterruptedException e) {
            // One side is gone.
        }
    }

    private void copy(Socket from, Socket to, Place place) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            long bytes = 0;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (place.isReached(bytes, new String(buffer, 0, read, ISO_8859_1))) {
                    stalled.countDown();
                    return;
                }
                out.write(buffer, 0, read);
                bytes += read;
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // As above.
        }
    }

    /** Ends both connections. */
    void end() {
        ended.countDown();
    }

    @Override
    public void close() throws IOException {
        end();
        server.close();
        Await.until(() -> thread + " runs", () -> !thread.isAlive());
    }
}
