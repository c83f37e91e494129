package io.summarizer.bench.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Connections that all send to one port, stay for a while, and then close. The assault runs on one thread and ends by
 * itself. It blocks only while it connects. Connections that the service closes are not opened again.
 *
 * @param port port on the loopback
 * @param connections number of connections
 * @param bytes function from the number of a connection to the bytes that the connection sends; connections may share
 *     an array
 * @param reads whether the connections read the answers of the service
 * @param holdMillis time from the first connect to the close of all connections
 */
record Assault(int port, int connections, IntFunction<byte[]> bytes, boolean reads, long holdMillis) {
    private static final int SELECT_MS = 20;
    private static final int TRASH_BYTES = 64 * 1024;
    /**
     * Number of loopback addresses that the connections come from. The good sender uses one of these addresses, too.
     */
    private static final int ADDRESSES = 3;

    /** The outcome of one attack. */
    record Outcome(int connected, long sentBytes, long answeredBytes) {}

    /** Runs the attack to its end. */
    Outcome run() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(holdMillis);
        List<SocketChannel> open = new ArrayList<>();
        long sent = 0;
        long answered = 0;
        ByteBuffer trash = ByteBuffer.allocateDirect(TRASH_BYTES);
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < connections && System.nanoTime() < deadline; i++) {
                SocketChannel channel = SocketChannel.open();
                try {
                    channel.bind(new InetSocketAddress(
                            InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (1 + i % ADDRESSES)}), 0));
                    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    channel.configureBlocking(false);
                    int interest = SelectionKey.OP_WRITE | (reads ? SelectionKey.OP_READ : 0);
                    channel.register(selector, interest, ByteBuffer.wrap(bytes.apply(i)));
                    open.add(channel);
                } catch (IOException e) {
                    channel.close(); // refused, or there are too many
                }
            }
            while (System.nanoTime() < deadline && !selector.keys().isEmpty()) {
                selector.select(SELECT_MS);
                for (SelectionKey key : selector.selectedKeys()) {
                    SocketChannel channel = (SocketChannel) key.channel();
                    try {
                        if (key.isWritable()) {
                            ByteBuffer rest = (ByteBuffer) key.attachment();
                            sent += channel.write(rest);
                            if (!rest.hasRemaining()) {
                                key.interestOps(key.interestOps() & ~SelectionKey.OP_WRITE);
                            }
                        }
                        if (key.isReadable()) {
                            int n = channel.read(trash.clear());
                            answered += Math.max(0, n);
                            if (n < 0) {
                                channel.close();
                            }
                        }
                    } catch (IOException e) {
                        channel.close(); // the service closed it
                    }
                }
                selector.selectedKeys().clear();
            }
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
        return new Outcome(open.size(), sent, answered);
    }
}
