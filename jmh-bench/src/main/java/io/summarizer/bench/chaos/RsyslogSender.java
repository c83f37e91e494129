package io.summarizer.bench.chaos;

import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.replay.TcpTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A real rsyslogd with a configuration that the project ships. The rsyslogd receives events over TCP and forwards them
 * over RELP to the service, or to Kafka. The rsyslogd does not report which messages were acknowledged. One thread
 * sends events to the rsyslogd.
 */
final class RsyslogSender extends Sender {
    /** Number of messages above which the shipped queue goes to disk. */
    static final int SHIPPED_MEMORY = 80_000;

    private static final int CHUNK_EVENTS = 200;
    private static final int IDLE_MS = 5;

    private final Rsyslogd rsyslogd;
    private final TcpTarget input;
    private volatile @Nullable IOException failure;

    private RsyslogSender(Rsyslogd rsyslogd, TcpTarget input, long ratePerSecond, LongFunction<byte[]> messages) {
        super(ratePerSecond, messages);
        this.rsyslogd = rsyslogd;
        this.input = input;
        var unused = start("chaos-feeder");
    }

    /**
     * Starts an rsyslogd that forwards over RELP.
     *
     * @param home the project's root
     * @param folder the rsyslogd's own folder
     * @param port the service's port, on the loopback
     * @param memory number of messages above which the queue goes to disk
     * @param messages function from the number of an event to the event's message; the message has no id
     */
    static RsyslogSender relp(
            Path home, Path folder, int port, long ratePerSecond, int memory, LongFunction<byte[]> messages)
            throws IOException, InterruptedException {
        return start(
                folder,
                shipped(home, "omrelp")
                        .replace("port=\"2514\"", "port=\"" + port + "\"")
                        .replace("queue.highWatermark=\"80000\"", "queue.highWatermark=\"" + memory + "\"")
                        .replace("queue.lowWatermark=\"20000\"", "queue.lowWatermark=\"" + memory / 4 + "\"")
                        .replace("interval=\"1\"", "interval=\"86400\""), // no messages other than the events
                ratePerSecond,
                messages);
    }

    /**
     * Starts an rsyslogd that forwards to the topic {@code events} of Kafka.
     *
     * @param home the project's root
     * @param folder the rsyslogd's own folder
     */
    static RsyslogSender kafka(
            Path home, Path folder, String brokers, long ratePerSecond, LongFunction<byte[]> messages)
            throws IOException, InterruptedException {
        if (!Rsyslogd.hasModule("omkafka")) {
            throw new IOException("rsyslogd has no module omkafka; the package rsyslog-kafka has it");
        }
        return start(
                folder,
                shipped(home, "omkafka")
                        .replace("127.0.0.1:9092", brokers)
                        .replace("/var/spool/rsyslog", folder.toString()),
                ratePerSecond,
                messages);
    }

    private static String shipped(Path home, String module) throws IOException {
        return Files.readString(home.resolve("config/rsyslog/summarizer-" + module + ".conf"));
    }

    private static RsyslogSender start(
            Path folder, String forwarding, long ratePerSecond, LongFunction<byte[]> messages)
            throws IOException, InterruptedException {
        Path program = Rsyslogd.find().orElseThrow(() -> new IOException("rsyslogd is not installed"));
        Rsyslogd rsyslogd = Rsyslogd.start(program, folder, forwarding);
        return new RsyslogSender(rsyslogd, TcpTarget.connect(rsyslogd.address()), ratePerSecond, messages);
    }

    @Override
    void run() {
        try {
            while (!closed) {
                long from = sent;
                long to = Math.min(from + CHUNK_EVENTS, Math.min(limit, due()));
                if (to <= from) {
                    TimeUnit.MILLISECONDS.sleep(IDLE_MS);
                    continue;
                }
                ByteArrayOutputStream chunk = new ByteArrayOutputStream();
                for (long n = from; n < to; n++) {
                    chunk.writeBytes(messages.apply(n));
                    chunk.write('\n');
                }
                sent = to;
                input.send(ByteBuffer.wrap(chunk.toByteArray()));
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    long sent() {
        IOException failure = this.failure;
        if (failure != null && !closed) {
            throw new ChaosException("rsyslogd does not take what it is given: " + failure + "; " + rsyslogd.said());
        }
        return sent;
    }

    @Override
    long acknowledged() {
        return 0;
    }

    @Override
    int transmissions(long number) {
        return Integer.MAX_VALUE;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        input.close();
        rsyslogd.close();
    }
}
