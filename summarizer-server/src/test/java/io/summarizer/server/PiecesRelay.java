package io.summarizer.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A relay between one client and a listener that forwards bytes in small pieces, both ways, as TCP may at any time. */
public final class PiecesRelay implements AutoCloseable {
    private final ServerSocket server;
    private final InetSocketAddress to;
    private final int piece;
    private final Thread thread;

    public PiecesRelay(InetSocketAddress to, int piece) throws IOException {
        this.to = to;
        this.piece = piece;
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        thread = new Thread(this::relay, "pieces-relay");
        thread.start();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void relay() {
        try (Socket client = server.accept();
                Socket listener = new Socket(to.getAddress(), to.getPort())) {
            listener.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Thread back = new Thread(() -> copy(listener, client, piece), "pieces-relay-back");
            back.start();
            copy(client, listener, piece);
            back.join();
        } catch (IOException | InterruptedException e) {
            // One side is gone: the test checks the bytes that came through.
        }
    }

    private static void copy(Socket from, Socket to, int bytes) {
        byte[] buffer = new byte[bytes];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            int read;
            while ((read = in.read(buffer)) > 0) {
                out.write(buffer, 0, read);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // As above.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        boolean interrupted = false;
        while (thread.isAlive() && !interrupted) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                interrupted = true;
            }
        }
    }
}
