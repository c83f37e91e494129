package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.replay.TcpTarget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orderly restarts while rsyslogd forwards with the shipped configuration: its queue bridges the gaps. */
class RestartTest {
    private static final int EVENTS_A_RUN = 5_000;
    private static final int CHUNK_EVENTS = 200;
    private static final int RESTARTS = 3;
    private static final String EVENT = "<134>1 2026-11-20T00:00:00Z h a - ad.impression - 0,1,2,3,4,5,0.5,0.25\n";

    @TempDir
    Path folder;

    /**
     * Messages are numbered and of an unknown topic, so that all of them are kept unchanged, over all restarts. Some
     * come twice: rsyslog sends the whole batch again during which it noticed that the service stopped.
     */
    @Test
    void nothingIsLostWhenTheServiceRestarts() throws Exception {
        int port = FreePort.next();
        String forwarding = Rsyslog.shippedWithoutMarks("omfwd").replace("port=\"5514\"", "port=\"" + port + "\"");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        AtomicBoolean enough = new AtomicBoolean();
        try (Rsyslog rsyslog = Rsyslog.start(folder.resolve("rsyslog"), forwarding)) {
            Future<Integer> sender = threads.submit(() -> send(rsyslog, enough));
            long received = 0;
            for (int i = 0; i < RESTARTS; i++) {
                try (RunningService service = started(port)) {
                    service.awaitReceived(EVENTS_A_RUN);
                    service.stop();
                    received += service.received();
                }
            }
            try (RunningService service = started(port)) {
                service.awaitReceived(EVENTS_A_RUN);
                enough.set(true);
                int sent = sender.get();
                service.awaitReceived(sent - received);
                // Some of these may be second copies, and messages from rsyslog's disk come last.
                Await.until(() -> "different messages=" + kept() + " of " + sent, () -> kept() == sent);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Number of distinct messages in the files of unmatched messages. */
    private int kept() {
        try {
            BitSet numbers = new BitSet();
            for (String frame : RejectFiles.frames(folder.resolve("data/rejects"), "unmatched")) {
                numbers.set(Integer.parseInt(
                        frame.substring(frame.lastIndexOf(' ') + 1).strip()));
            }
            return numbers.cardinality();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * The stop closes its half of the connection first; a sender that sees it stops sending, and all its bytes are
     * read.
     */
    @Test
    void aSenderThatLooksBeforeItSendsLosesNothing() throws Exception {
        byte[] lines = EVENT.repeat(500).getBytes(StandardCharsets.US_ASCII);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (RunningService service = started(FreePort.next());
                SocketChannel channel = SocketChannel.open(service.syslog())) {
            Future<Long> sender = threads.submit(() -> {
                long sent = 0;
                while (!hasEnded(channel)) {
                    ByteBuffer bytes = ByteBuffer.wrap(lines);
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                    sent += 500;
                }
                channel.shutdownOutput();
                return sent;
            });
            service.awaitReceived(100_000);
            service.stop();
            assertThat(service.received()).isEqualTo(sender.get());
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean hasEnded(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        boolean ended = channel.read(ByteBuffer.allocate(1)) < 0;
        channel.configureBlocking(true);
        return ended;
    }

    private RunningService started(int port) throws Exception {
        return RunningService.withAds(
                folder.resolve("data"), "unmatched=keep", "listen.syslog-tcp.bind=127.0.0.1:" + port);
    }

    /** Sends numbers from 0 until there are enough; returns their count. */
    private static int send(Rsyslog rsyslog, AtomicBoolean enough) throws Exception {
        int sent = 0;
        try (TcpTarget target = TcpTarget.connect(rsyslog.address())) {
            while (!enough.get()) {
                StringBuilder lines = new StringBuilder();
                for (int i = 0; i < CHUNK_EVENTS; i++) {
                    lines.append("<134>1 2026-11-20T00:00:00Z h a - number - ")
                            .append(sent++)
                            .append('\n');
                }
                target.send(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.US_ASCII)));
                TimeUnit.MILLISECONDS.sleep(10); // always some bytes in flight, never many
            }
            target.finish();
        }
        return sent;
    }
}
