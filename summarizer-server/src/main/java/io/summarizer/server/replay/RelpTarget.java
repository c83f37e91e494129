package io.summarizer.server.replay;

import io.summarizer.server.replay.TcpTarget.UnreachableException;
import io.summarizer.server.tls.ClientTls;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A sender of RELP. It keeps each message until the message is acknowledged. After a broken session it repeats all
 * messages that are not acknowledged. So each message arrives at least once. Used by one thread.
 *
 * <p>Each session numbers its messages from 1 on, so a new session sends the same messages with other numbers.
 * Acknowledgements are expected in the order of the messages, as librelp's server and the Summarizer send them.
 *
 * <p>Memory: at most {@value #WINDOW_MESSAGES} messages of {@value #WINDOW_BYTES} bytes together wait for
 * acknowledgements, or fewer messages if the caller asks for fewer. Beyond that, {@link #send} waits. A message is
 * copied twice, without making an object for it.
 */
public final class RelpTarget implements LineSender.Target, AutoCloseable {
    private static final int WINDOW_MESSAGES = 64 * 1024;
    private static final int WINDOW_BYTES = 16 << 20;
    private static final int OUT_BYTES = 256 * 1024;
    private static final int IN_BYTES = 64 * 1024;
    private static final int HEADER_BYTES_MAX = 9 + 8 + 9 + 1;

    /** Largest number of a frame in a session. Numbers have at most nine digits. */
    private static final int TXNR_LAST = 990_000_000;

    /**
     * Time without any answer after which the sender gives up. The time is long, because the receiver may be
     * restarting.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Timeout of the opening and the closing of a session. */
    private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_MILLIS = 200;

    private static final byte[] OPEN = frame(1, "open", "relp_version=0\nrelp_software=summarizer\ncommands=syslog");
    private static final byte[] SYSLOG = " syslog ".getBytes(StandardCharsets.US_ASCII);

    private final InetSocketAddress address;
    private final @Nullable ClientTls tls;
    private final long patienceNanos;
    private final int txnrLast;
    private final Unanswered unanswered;
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_BYTES);
    private final byte[] inBytes = new byte[IN_BYTES];
    private final ByteBuffer in = ByteBuffer.wrap(inBytes);
    private final RelpAnswer answer = new RelpAnswer();
    private final Selector selector;

    // State of the present session.
    private Wire wire;
    private SelectionKey key;
    /** Number of the last frame that was written, at least in part. */
    private int txnr;
    /** Number of the last frame that was acknowledged. */
    private int answered;
    /** Number of written messages that are not acknowledged. */
    private int written;
    /** Number of bytes of the next message that are already written; -1 when the frame's header is not yet written. */
    private int position = -1;

    private boolean closing;

    /**
     * The time for which the sender has waited for the receiver since the last progress. Progress is an
     * acknowledgement, or a message that is sent when all earlier messages are acknowledged. Time in which the caller
     * had no message does not count.
     */
    private long silentNanos;

    private long resent;
    /** Number of messages that the caller has sent. */
    private long sent;

    /** Thrown when receiver and sender cannot agree, and another attempt would not help. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    @SuppressWarnings("NullAway.Init") // begin() sets the state of a session
    private RelpTarget(InetSocketAddress address, @Nullable ClientTls tls, Duration patience, int txnrLast, int window)
            throws IOException {
        this.address = address;
        this.tls = tls;
        this.patienceNanos = patience.toNanos();
        this.txnrLast = txnrLast;
        unanswered = new Unanswered(window, WINDOW_BYTES);
        selector = Selector.open();
        try {
            begin();
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }

    /**
     * Connects and opens a session.
     *
     * @throws UnreachableException when no service listens
     * @throws RefusedException when the service does not take syslog over RELP
     */
    public static RelpTarget connect(InetSocketAddress address) throws IOException {
        return connect(address, null);
    }

    /**
     * Connects over TLS and opens a session.
     *
     * @param tls TLS of the sender; null means plaintext
     */
    public static RelpTarget connect(InetSocketAddress address, @Nullable ClientTls tls) throws IOException {
        return new RelpTarget(address, tls, PATIENCE, TXNR_LAST, WINDOW_MESSAGES);
    }

    /**
     * Connects and opens a session with a window of its own.
     *
     * @param window largest number of messages that wait for acknowledgements; with 1, the sender waits after each
     *     message
     */
    public static RelpTarget connect(InetSocketAddress address, int window) throws IOException {
        return new RelpTarget(address, null, PATIENCE, TXNR_LAST, window);
    }

    static RelpTarget connect(InetSocketAddress address, Duration patience, int txnrLast) throws IOException {
        return new RelpTarget(address, null, patience, txnrLast, WINDOW_MESSAGES);
    }

    /**
     * Sends a message. The caller may change the bytes afterwards. Waits while too many messages are unacknowledged.
     *
     * @throws IOException when the receiver was absent or silent for a minute
     * @throws RefusedException when the receiver answered that it refuses a message
     */
    @Override
    public void send(byte[] bytes, int offset, int length) throws IOException {
        if (unanswered.count() == 0) {
            silentNanos = 0;
        }
        while (!unanswered.add(bytes, offset, length)) {
            turn(true);
        }
        sent++;
        fill();
        if (written < unanswered.count()) {
            turn(false);
        }
    }

    /** Sends gathered messages, as far as possible without waiting. */
    public void flush() throws IOException {
        turn(false);
    }

    /** Waits until all messages are acknowledged, then ends the session. */
    @Override
    public void finish() throws IOException {
        while (unanswered.count() > 0) {
            turn(true);
        }
        farewell();
    }

    /** Number of repeated sends of messages. */
    public long resent() {
        return resent;
    }

    /** Moves bytes in both directions. With {@code wait}, waits until some bytes have moved. */
    private void turn(boolean wait) throws IOException {
        try {
            fill();
            boolean moved = move();
            if (txnr >= txnrLast && written == 0 && position < 0) {
                farewell();
                begin();
            } else if (wait && !moved) {
                long from = System.nanoTime();
                await(from + patienceNanos - silentNanos);
                silentNanos += System.nanoTime() - from;
            }
        } catch (RefusedException e) {
            throw e;
        } catch (IOException e) {
            beginAgain(e);
        }
    }

    /** Writes frames as far as there is room. */
    private void fill() {
        while (written < unanswered.count()) {
            int length = unanswered.length(written);
            if (position < 0) {
                if (txnr >= txnrLast || out.remaining() < HEADER_BYTES_MAX) {
                    return;
                }
                number(++txnr);
                out.put(SYSLOG);
                number(length);
                if (length > 0) {
                    out.put((byte) ' ');
                }
                position = 0;
            }
            int n = Math.min(out.remaining(), length - position);
            out.put(unanswered.bytes(), unanswered.offset(written) + position, n);
            position += n;
            if (!out.hasRemaining()) {
                return;
            }
            out.put((byte) '\n');
            position = -1;
            written++;
        }
    }

    private void number(int value) {
        int divisor = 1;
        while (value / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            out.put((byte) ('0' + value / divisor % 10));
        }
    }

    /** Writes and reads without waiting; returns whether any bytes moved. */
    private boolean move() throws IOException {
        boolean wrote = write();
        return read() || wrote;
    }

    private boolean write() throws IOException {
        if (out.position() == 0 && !wire.isHolding()) {
            return false;
        }
        out.flip();
        try {
            return wire.write(out) > 0;
        } catch (IOException e) {
            readRest();
            throw e;
        } finally {
            out.compact();
        }
    }

    /**
     * Reads the bytes that the receiver sent before it closed the session. These bytes may acknowledge messages, which
     * then need not be sent again.
     */
    private void readRest() throws RefusedException {
        try {
            boolean more = true;
            while (more) {
                more = read();
            }
        } catch (RefusedException e) {
            throw e;
        } catch (IOException e) {
            // The connection ended here.
        }
    }

    /** Reads bytes that have come; returns whether there were any. */
    private boolean read() throws IOException {
        int n = wire.read(in);
        if (n < 0) {
            throw new EOFException("the receiver ended the connection");
        }
        if (n == 0) {
            return false;
        }
        in.flip();
        int next;
        while ((next = answer.parse(inBytes, in.position(), in.limit())) != RelpAnswer.NOT_WHOLE) {
            in.position(next);
            take();
        }
        if (in.position() == 0 && in.limit() == in.capacity()) {
            throw new RefusedException("the receiver sends what is no RELP");
        }
        in.compact();
        return true;
    }

    private void take() throws IOException {
        if (answer.isServerClose()) {
            throw new EOFException("the receiver closed the session");
        }
        if (closing && answer.txnr() == txnr + 1) {
            return; // the answer to close does not matter
        }
        boolean asked = answered == 0 || written > 0;
        if (!asked || !answer.isResponse() || answer.txnr() != answered + 1) {
            throw new RefusedException("the receiver answers out of turn: " + answer);
        }
        if (!answer.isTaken()) {
            throw new RefusedException("the receiver refuses: " + answer.text());
        }
        if (answered > 0) {
            unanswered.removeFirst();
            written--;
            silentNanos = 0;
        }
        answered++;
    }

    /** Waits until bytes can move. */
    private void await(long deadline) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new EOFException(address.getHostString() + ":" + address.getPort()
                    + " says nothing; is it a listener for RELP, or one with TLS (relps://)?");
        }
        key.interestOps(wire.interest(out.position() > 0));
        selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        selector.selectedKeys().clear();
    }

    /** Connects and opens a session. Discards the state of the session before. */
    private void begin() throws IOException {
        connectChannel();
        txnr = 1;
        answered = 0;
        written = 0;
        position = -1;
        closing = false;
        in.clear();
        out.clear();
        out.put(OPEN);
        long deadline = System.nanoTime() + FAREWELL_NANOS;
        try {
            while (answered == 0) {
                boolean moved = move();
                if (!moved) {
                    await(deadline);
                }
            }
        } catch (SSLException e) {
            closeChannel();
            throw new RefusedException(
                    "no TLS with " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage());
        } catch (IOException e) {
            closeChannel();
            throw e;
        }
    }

    private void connectChannel() throws IOException {
        SocketChannel channel;
        try {
            channel = SocketChannel.open(address);
        } catch (UnresolvedAddressException e) {
            throw new UnreachableException("the host " + address.getHostString() + " is not known", e);
        } catch (IOException e) {
            throw new UnreachableException(
                    "cannot connect to " + address.getHostString() + ":" + address.getPort() + " (" + e.getMessage()
                            + "); is the service running?",
                    e);
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ);
        wire = tls == null ? new Wire.Plain(channel) : new TlsWire(channel, tls.engine(address));
    }

    /**
     * Opens another session instead of the broken session, as soon as the receiver is there. All unacknowledged
     * messages have to be sent again.
     */
    private void beginAgain(IOException cause) throws IOException {
        resent += written + (position < 0 ? 0 : 1);
        closeChannel();
        long from = System.nanoTime();
        long deadline = from + patienceNanos - silentNanos;
        IOException last = cause;
        // A receiver that acknowledged a message in the last session is likely to go on at once.
        boolean patient = answered <= 1;
        while (System.nanoTime() - deadline < 0) {
            if (patient) {
                pause();
            }
            patient = true;
            try {
                begin();
                silentNanos += System.nanoTime() - from;
                return;
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                last = e;
            }
        }
        throw new IOException(
                "gave up: " + last.getMessage() + "; messages acknowledged until then: " + (sent - unanswered.count()),
                last);
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the receiver", e);
        }
    }

    /** Closes a session without unacknowledged messages; ignores failures. */
    private void farewell() {
        closing = true;
        try {
            out.put(frame(txnr + 1, "close", ""));
            long deadline = System.nanoTime() + FAREWELL_NANOS;
            while (true) {
                boolean moved = move();
                if (!moved) {
                    await(deadline);
                }
            }
        } catch (IOException e) {
            // The expected end: the receiver closes.
        }
        closeChannel();
    }

    private void closeChannel() {
        try {
            wire.close();
            selector.selectNow(); // the selector keeps the channel open until this call
        } catch (IOException e) {
            // All messages were acknowledged.
        }
    }

    private static byte[] frame(int txnr, String command, String data) {
        return (txnr + " " + command + " " + data.length() + (data.isEmpty() ? "" : " " + data) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        wire.close();
        selector.close();
    }
}
