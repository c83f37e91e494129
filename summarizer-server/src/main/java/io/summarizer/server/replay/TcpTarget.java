package io.summarizer.server.replay;

import io.summarizer.core.bytes.BlockOutputStream;
import io.summarizer.server.tls.ClientTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.WritableByteChannel;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection to a syslog listener, plain or over TLS. Used by one thread. */
public final class TcpTarget implements AutoCloseable {
    private static final int FAREWELL_MS = 10_000;

    private static final int TRANSFER_BYTES = 64 * 1024;

    private final InetSocketAddress address;
    private final @Nullable ClientTls tls;
    private final Socket socket;
    private final WritableByteChannel channel;
    private long sentBytes;

    private TcpTarget(InetSocketAddress address, @Nullable ClientTls tls, Socket socket, WritableByteChannel channel) {
        this.address = address;
        this.tls = tls;
        this.socket = socket;
        this.channel = channel;
    }

    /** Thrown when no connection could be made; the message says what to do. */
    public static final class UnreachableException extends IOException {
        private static final long serialVersionUID = 1;

        UnreachableException(String message, Exception cause) {
            super(message, cause);
        }
    }

    /**
     * Connects.
     *
     * @throws UnreachableException when no service listens
     */
    public static TcpTarget connect(InetSocketAddress address) throws IOException {
        return connect(address, null);
    }

    /**
     * Connects over TLS.
     *
     * @param tls TLS of the sender; null means plaintext
     * @throws UnreachableException also when the service does not speak TLS, or its certificate is not trusted
     */
    public static TcpTarget connect(InetSocketAddress address, @Nullable ClientTls tls) throws IOException {
        try {
            if (tls != null) {
                SSLSocket socket = tls.connect(address);
                return new TcpTarget(address, tls, socket, Channels.newChannel(socket.getOutputStream()));
            }
            SocketChannel channel = SocketChannel.open(address);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new TcpTarget(address, null, channel.socket(), channel);
        } catch (UnresolvedAddressException | UnknownHostException e) {
            throw new UnreachableException("the host " + address.getHostString() + " is not known", e);
        } catch (SSLException e) {
            throw new UnreachableException(
                    "no TLS with " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UnreachableException(
                    "cannot connect to " + address.getHostString() + ":" + address.getPort() + " (" + e.getMessage()
                            + "); is the service running?",
                    e);
        }
    }

    /** Opens another connection to the same listener. */
    public TcpTarget another() throws IOException {
        return connect(address, tls);
    }

    /**
     * Sends all of {@code bytes}. Waits for a slow receiver.
     *
     * @throws IOException when the connection broke; the message has the receiver and the number of sent bytes
     */
    public void send(ByteBuffer bytes) throws IOException {
        try {
            while (bytes.hasRemaining()) {
                sentBytes += channel.write(bytes);
            }
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private IOException broken(IOException cause) {
        return new IOException(
                "sending to " + address.getHostString() + ":" + address.getPort() + " broke off after " + sentBytes
                        + " bytes ("
                        + (cause.getMessage() == null ? cause : cause.getMessage())
                        + "); TCP does not tell how many of them the receiver read",
                cause);
    }

    /** A stream that sends the bytes written to it. */
    public OutputStream stream() {
        return new BlockOutputStream() {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                send(ByteBuffer.wrap(bytes, offset, length));
            }
        };
    }

    /**
     * Sends part of a file; without TLS, directly from the page cache. Returns the number of bytes sent, 0 at the
     * file's end.
     *
     * @throws IOException also when the file cannot be read
     */
    public long transfer(FileChannel file, long position, long bytes) throws IOException {
        try {
            long sent = file.transferTo(position, tls == null ? bytes : Math.min(bytes, TRANSFER_BYTES), channel);
            sentBytes += sent;
            return sent;
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /**
     * Ends the output and waits up to 10 s for the receiver to read everything.
     *
     * @throws IOException also when the receiver answers, because a receiver of plain syslog sends nothing
     */
    public void finish() throws IOException {
        int answer;
        try {
            socket.shutdownOutput();
            socket.setSoTimeout(FAREWELL_MS);
            answer = socket.getInputStream().read();
        } catch (SocketTimeoutException e) {
            return; // the receiver is slow, but TCP will deliver what it accepted
        } catch (IOException e) {
            throw broken(e);
        }
        if (answer >= 0) {
            throw new IOException(address.getHostString() + ":" + address.getPort() + " answers as no listener for"
                    + " syslog over TCP does; is it one with TLS (tls://) or for RELP (relp://)?");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
