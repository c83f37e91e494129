package io.summarizer.bench.e2e;

import io.summarizer.server.replay.TcpTarget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends on a fixed schedule, even if the receiver does not keep up. Message i of a connection is due at {@code start +
 * i / rate}. Probes have a schedule of the same kind with a rate of their own. A connection that was delayed sends all
 * messages that became due meanwhile, as soon as it can. So a latency measured from the due time includes the delay.
 */
record Pace(MessageFile file, InetSocketAddress target) {
    private static final int BUFFER_BYTES = 64 * 1024;
    /** Time between two looks at the clock. Without such pauses, the thread would take a processor from the server. */
    private static final long TICK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final byte[] PROBE = "<134>1 - - sweep - sweep.probe - ".getBytes(StandardCharsets.US_ASCII);

    /**
     * Due times of messages and probes.
     *
     * @param rate messages per second over all connections
     * @param probeRate probes per second, on the first connection
     * @param startNanos time at which the first message is due, by {@link System#nanoTime}
     * @param seconds time in which messages become due
     * @param limitSeconds time after which no more messages are sent
     */
    record Schedule(double rate, double probeRate, long startNanos, double seconds, double limitSeconds) {}

    /** Sends messages and probes. Returns when the receiver has read all of them, or when the time limit is reached. */
    SenderProcess.Sent run(Schedule schedule, int connections) throws IOException, InterruptedException {
        long[] probes = new long[1];
        long messages = Connections.run(connections, index -> {
            try (TcpTarget sink = TcpTarget.connect(target)) {
                Connection connection = new Connection(
                        sink, schedule, schedule.rate / connections, index == 0 ? schedule.probeRate : 0);
                connection.position = (int) ((long) file.count() * index / connections);
                connection.send();
                sink.finish();
                if (index == 0) {
                    probes[0] = connection.probes; // visible to the thread that joins this thread
                }
                return connection.messages;
            }
        });
        return new SenderProcess.Sent(messages, probes[0]);
    }

    /** One connection's part. */
    private final class Connection {
        private final TcpTarget sink;
        private final Schedule schedule;
        private final double perNano;
        private final double probesPerNano;
        private final long total;
        private final long probesTotal;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private long messages;
        private long probes;
        private int position;
        private boolean over; // the time, as of the last flush

        Connection(TcpTarget sink, Schedule schedule, double rate, double probeRate) {
            this.sink = sink;
            this.schedule = schedule;
            perNano = rate / 1e9;
            probesPerNano = probeRate / 1e9;
            total = (long) (schedule.seconds * rate);
            probesTotal = (long) (schedule.seconds * probeRate);
        }

        void send() throws IOException {
            while (!over && (messages < total || probes < probesTotal)) {
                sendDue(System.nanoTime() - schedule.startNanos);
                flush();
                LockSupport.parkNanos(this, TICK_NANOS);
            }
        }

        private void sendDue(long now) throws IOException {
            while (!over && probes < probesTotal) {
                long probeDue = (long) Math.ceil(probes / probesPerNano);
                if (probeDue > now) {
                    break;
                }
                sendMessages(probeDue);
                if (!over) {
                    probe();
                }
            }
            sendMessages(now);
        }

        /** Sends the messages that are due at {@code nanos} and not yet sent. */
        private void sendMessages(long nanos) throws IOException {
            long due = nanos < 0 ? 0 : Math.min(total, (long) (nanos * perNano) + 1);
            for (; messages < due; messages++) {
                int length = file.length(position);
                if (length > buffer.remaining()) {
                    flush();
                    if (over) {
                        return; // the receiver may take far less than is due
                    }
                }
                if (length > buffer.remaining()) {
                    sink.send(file.bytes().slice(file.start(position), length));
                } else {
                    buffer.put(buffer.position(), file.bytes(), file.start(position), length);
                    buffer.position(buffer.position() + length);
                }
                position = position + 1 == file.count() ? 0 : position + 1;
            }
        }

        private void probe() throws IOException {
            byte[] number = (probes + "\n").getBytes(StandardCharsets.US_ASCII);
            if (PROBE.length + number.length > buffer.remaining()) {
                flush();
            }
            buffer.put(PROBE).put(number);
            probes++;
        }

        private void flush() throws IOException {
            buffer.flip();
            sink.send(buffer);
            buffer.clear();
            over = System.nanoTime() - schedule.startNanos > schedule.limitSeconds * 1e9;
        }
    }
}
