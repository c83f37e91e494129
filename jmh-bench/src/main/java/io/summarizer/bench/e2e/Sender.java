package io.summarizer.bench.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Sends a file over a TCP connection of its own, as fast as it is taken, each time a line comes in on standard input; prints
 * the number of bytes sent. A process apart, so that its start-up is not measured and its work is not the server's.
 */
public final class Sender {
    private Sender() {}

    /** Arguments: file, port on loopback. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        InetSocketAddress target =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (orders.readLine() != null) {
            try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ);
                    SocketChannel sink = SocketChannel.open(target)) {
                long size = source.size();
                for (long sent = 0; sent < size; ) {
                    sent += source.transferTo(sent, size - sent, sink);
                }
                System.out.println(size);
            }
        }
    }
}
