package io.summarizer.server.replay;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A connection that never waits, to be driven by whoever selects on its channel. Used by one thread. */
sealed interface Wire permits Wire.Plain, TlsWire {
    /** What to select on. */
    SocketChannel channel();

    /** Reads what has come: bytes, 0 for none, -1 for the end. */
    int read(ByteBuffer into) throws IOException;

    /** Takes what can be sent now; how much that was. */
    int write(ByteBuffer from) throws IOException;

    /** Whether it still has bytes that it took. */
    boolean isHolding();

    /**
     * What to select for.
     *
     * @param more whether there is something left to write
     */
    int interest(boolean more);

    /** Says that nothing more comes, as far as that goes without waiting, and closes. */
    void close() throws IOException;

    /** Bytes as they are. */
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
