package io.summarizer.server.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * A connection that never blocks. The caller selects on the connection's channel, then reads or writes. Used by
 * one thread.
 */
sealed interface Wire permits Wire.Plain, TlsWire {
    /** Reads bytes that have come. Returns their number: 0 when no bytes have come, -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Takes bytes that can be sent now. Returns their number. */
    int write(ByteBuffer from) throws IOException;

    /** Whether the connection still holds bytes that it took. */
    boolean isHolding();

    /**
     * Operations for which the caller selects.
     *
     * @param more whether there are bytes left to write
     */
    int interest(boolean more);

    /** Announces the end if this is possible without waiting, then closes. */
    void close() throws IOException;

    /** A connection without TLS. */
    record Plain(SocketChannel channel) implements Wire {
        @Override
        public int read(ByteBuffer into) throws IOException {
            return channel.read(into);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            return channel.write(from);
        }

        @Override
        public boolean isHolding() {
            return false;
        }

        @Override
        public int interest(boolean more) {
            return more ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
