package io.summarizer.server.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * TLS over a channel that does not block. Reads and writes first advance the handshake, and transfer bytes only after
 * the handshake is complete. Used by one thread.
 */
final class TlsWire implements Wire {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Largest number of records that one system call may move. */
    private static final int RECORDS = 8;

    private final SocketChannel channel;
    private final SSLEngine engine;

    /**
     * Encrypted bytes that were read. Like {@link #netOut}, this buffer is always ready for more bytes to be put in.
     */
    private final ByteBuffer netIn;

    private final ByteBuffer netOut;

    /**
     * Decrypted bytes of a TLS record for which the reader has had no room yet. This buffer is always ready to be read.
     */
    private final ByteBuffer plain;

    private boolean ended; // the channel has reached its end

    /** Wraps a connection on which nothing was sent. */
    TlsWire(SocketChannel channel, SSLEngine engine) throws SSLException {
        this.channel = channel;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        netIn = ByteBuffer.allocateDirect(RECORDS * packet);
        netOut = ByteBuffer.allocateDirect(RECORDS * packet);
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        plain.limit(0);
        engine.beginHandshake();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.position();
        wrap(from);
        return from.position() - before;
    }

    /**
     * Encrypts the given bytes as records and sends the records, until no bytes are left or the channel takes no more.
     */
    private void wrap(ByteBuffer from) throws IOException {
        while (true) {
            flush();
            HandshakeStatus before = engine.getHandshakeStatus();
            if (before == HandshakeStatus.NEED_UNWRAP || before == HandshakeStatus.NEED_UNWRAP_AGAIN) {
                return;
            }
            if (before == HandshakeStatus.NEED_TASK) {
                runTasks();
                continue;
            }
            if (before != HandshakeStatus.NEED_WRAP && !from.hasRemaining()) {
                return;
            }
            SSLEngineResult result = engine.wrap(from, netOut);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                if (flush() == 0) {
                    return;
                }
            } else if (result.getStatus() == Status.CLOSED) {
                flush();
                return;
            }
        }
    }

    private int flush() throws IOException {
        if (netOut.position() == 0) {
            return 0;
        }
        netOut.flip();
        try {
            return channel.write(netOut);
        } finally {
            netOut.compact();
        }
    }

    private void runTasks() {
        Runnable task;
        while ((task = engine.getDelegatedTask()) != null) {
            task.run();
        }
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.position();
        take(into);
        boolean open = true;
        while (open && !plain.hasRemaining() && into.hasRemaining()) {
            int read = ended ? -1 : channel.read(netIn);
            ended |= read < 0;
            int held = netIn.position();
            open = unwrap(into);
            if (read <= 0 && netIn.position() == held) {
                break;
            }
        }
        int count = into.position() - before;
        return count > 0 || (open && !ended) ? count : -1;
    }

    /** Decrypts complete records. Returns false when the peer has sent its last record. */
    private boolean unwrap(ByteBuffer into) throws IOException {
        netIn.flip();
        try {
            while (!plain.hasRemaining()) {
                HandshakeStatus handshake = engine.getHandshakeStatus();
                if (handshake == HandshakeStatus.NEED_TASK) {
                    runTasks();
                    continue;
                }
                if (handshake == HandshakeStatus.NEED_WRAP) {
                    wrap(NOTHING);
                    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                        return true; // there is no room for the record yet
                    }
                    continue;
                }
                plain.clear();
                Status status;
                try {
                    status = engine.unwrap(netIn, plain).getStatus();
                } finally {
                    plain.flip();
                }
                take(into);
                if (status == Status.BUFFER_UNDERFLOW) {
                    return true;
                }
                if (status == Status.CLOSED) {
                    return false;
                }
            }
            return true;
        } finally {
            netIn.compact();
        }
    }

    private void take(ByteBuffer into) {
        int count = Math.min(plain.remaining(), into.remaining());
        into.put(into.position(), plain, plain.position(), count);
        into.position(into.position() + count);
        plain.position(plain.position() + count);
    }

    @Override
    public boolean isHolding() {
        return netOut.position() > 0;
    }

    @Override
    public int interest(boolean more) {
        HandshakeStatus status = engine.getHandshakeStatus();
        boolean peersTurn = status == HandshakeStatus.NEED_UNWRAP || status == HandshakeStatus.NEED_UNWRAP_AGAIN;
        return isHolding() || (more && !peersTurn)
                ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                : SelectionKey.OP_READ;
    }

    @Override
    public void close() throws IOException {
        try {
            engine.closeOutbound();
            wrap(NOTHING);
        } catch (IOException e) {
            // The peer closed first.
        } finally {
            channel.close();
        }
    }
}
