package io.summarizer.bench.e2e;

import io.summarizer.server.replay.TcpTarget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends a file as fast as the receiver reads, over several connections at once, for some time. All connections take
 * slices from one sequence: a connection that has sent its slice takes the next slice of the sequence.
 */
final class Flood {
    private static final int SLICE_MESSAGES = 512;

    private final MessageFile file;
    private final InetSocketAddress target;
    private final AtomicLong cursor = new AtomicLong();

    Flood(MessageFile file, InetSocketAddress target) {
        this.file = file;
        this.target = target;
    }

    /** Sends, and waits until the receiver has read everything; returns the number of messages. */
    long run(double seconds, int connections) throws IOException, InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        return Connections.run(connections, index -> connection(end));
    }

    private long connection(long end) throws IOException {
        int slices = (file.count() + SLICE_MESSAGES - 1) / SLICE_MESSAGES;
        long messages = 0;
        try (TcpTarget sink = TcpTarget.connect(target)) {
            while (System.nanoTime() < end) {
                int from = (int) (cursor.getAndIncrement() % slices) * SLICE_MESSAGES;
                int to = Math.min(from + SLICE_MESSAGES, file.count());
                for (long at = file.start(from), left = file.start(to) - at; left > 0; ) {
                    long sent = sink.transfer(file.channel(), at, left);
                    at += sent;
                    left -= sent;
                }
                messages += to - from;
            }
            sink.finish();
        }
        return messages;
    }
}
