package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.RejectReason;
import io.summarizer.server.Await;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One client misbehaves while another sends events: the good events count exactly, the bad messages are counted by
 * reason, and neither memory nor threads leak.
 */
class HostileClientsTest {
    private static final long SEED = 4242;
    private static final int GOOD_EVENTS = 20_000;
    private static final int MESSAGE_BYTES_MAX = 16 * 1024;
    private static final int CONNECTIONS = 1_000;
    /** Bound on the growth of the heap, which would be hundreds of MiB if any bound were missing. */
    private static final long HEAP_GROWTH_MAX = 64L << 20;

    private static final String GOOD = "<134>1 2026-11-20T00:00:00Z h a - ad.impression - 0,1,2,3,4,5,0.5,0.25\n";
    private static final String LISTENER = "{listener=\"syslog-tcp\"}";

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newSingleThreadExecutor();
    private RunningService service;
    private Future<?> goodClient;
    private long heapBefore;
    private long threadsBefore;

    @BeforeEach
    void startWithAGoodClient() throws Exception {
        service = RunningService.withAds(
                folder, "listen.syslog-tcp.max-message-size=" + MESSAGE_BYTES_MAX + "B", "http.cut-retention=1s");
        service.send(GOOD.getBytes(StandardCharsets.US_ASCII));
        service.awaitReceived(1);
        heapBefore = usedHeap();
        threadsBefore = serviceThreads();
        goodClient = threads.submit(() -> {
            try (TcpTarget target = TcpTarget.connect(service.syslog())) {
                AdsWorkload workload = AdsWorkload.v1(SEED);
                int chunk = 100;
                for (int i = 0; i < GOOD_EVENTS; i += chunk) {
                    ByteArrayOutputStream lines = new ByteArrayOutputStream();
                    workload.writeTo(lines, i, i + chunk);
                    target.send(ByteBuffer.wrap(lines.toByteArray()));
                }
                target.finish();
            }
            return null;
        });
    }

    @AfterEach
    void stop() {
        service.close();
        threads.shutdownNow();
    }

    @Test
    void randomBytes() throws Exception {
        throwRandomBytes(8 << 20);
    }

    @Test
    @Tag("long")
    void manyRandomBytes() throws Exception {
        throwRandomBytes(64 << 20);
    }

    private void throwRandomBytes(int bytes) throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] part = new byte[1 << 20];
        try (TcpTarget target = TcpTarget.connect(service.syslog())) {
            for (int sent = 0; sent < bytes; sent += part.length) {
                random.nextBytes(part);
                target.send(ByteBuffer.wrap(part));
            }
            target.finish();
        }
        awaitRead(bytes);
        assertGoodEventsCounted();
        // An LF is one byte in 256, so there are at least this many messages; each is counted by reason.
        Await.until(() -> "of the noise " + noise(), () -> {
            Noise found = noise();
            return found.messages() > bytes / 512
                    && found.messages() == found.refused()
                    && count("summarizer_queue_batches{pipeline=\"default\",queue=\"parse\"}") == 0;
        });
        assertUnharmed();
    }

    private record Noise(long messages, long refused) {}

    private Noise noise() {
        String metrics = metrics();
        long refused = RunningService.metricIn(metrics, "summarizer_unmatched_total");
        for (RejectReason reason : RejectReason.values()) {
            if (reason != RejectReason.NONE) {
                refused += RunningService.metricIn(
                        metrics, "summarizer_rejected_total{reason=\"" + reason.label() + "\"}");
            }
        }
        return new Noise(RunningService.metricIn(metrics, "summarizer_received_total") - GOOD_EVENTS - 1, refused);
    }

    /** Nine digits are a count; ten are none (RFC 6587 has no bound, this service has), so that is an endless line. */
    @Test
    void countsOfTwoGigabytes() throws Exception {
        hostile("999999999 <134>1 - - - - - - ".getBytes(StandardCharsets.US_ASCII));
        Await.until(() -> "no close", () -> framingLost() == 1);
        byte[] endless = new byte[4 * MESSAGE_BYTES_MAX];
        Arrays.fill(endless, (byte) 'x');
        System.arraycopy("2147483648 <134>1 ".getBytes(StandardCharsets.US_ASCII), 0, endless, 0, 18);
        hostile(endless);
        assertGoodEventsCounted();
        service.awaitReceived(1 + GOOD_EVENTS + 2);
        assertThat(service.rejected()).isEqualTo(Map.of(RejectReason.OVERSIZE, 2L));
        assertThat(framingLost()).isEqualTo(1);
        assertUnharmed();
    }

    @Test
    void aLineThatNeverEnds() throws Exception {
        byte[] part = new byte[1 << 20];
        Arrays.fill(part, (byte) 'x');
        int parts = 32;
        try (TcpTarget target = TcpTarget.connect(service.syslog())) {
            for (int i = 0; i < parts; i++) {
                target.send(ByteBuffer.wrap(part));
            }
            awaitRead((long) parts * part.length);
            assertThat(usedHeap() - heapBefore).as("heap growth in mid-line").isLessThan(HEAP_GROWTH_MAX);
            // Its own neighbours are unharmed, too.
            target.send(ByteBuffer.wrap(("\n" + GOOD).getBytes(StandardCharsets.US_ASCII)));
            target.finish();
        }
        assertGoodEventsCounted(2);
        assertThat(service.rejected()).isEqualTo(Map.of(RejectReason.OVERSIZE, 1L));
        assertUnharmed();
    }

    @Test
    void oneByteASecond() throws Exception {
        byte[] slow = GOOD.getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = connect()) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < 3; i++) {
                socket.getOutputStream().write(slow[i]);
                TimeUnit.SECONDS.sleep(1);
            }
            assertGoodEventsCounted();
            socket.getOutputStream().write(slow, 3, slow.length - 3);
            assertGoodEventsCounted(2);
        }
        assertThat(service.rejected()).isEmpty();
        assertUnharmed();
    }

    @Test
    void aThousandConnectionsAtOnceWithPartialLines() throws Exception {
        byte[] line = GOOD.getBytes(StandardCharsets.US_ASCII);
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = connect();
                sockets.add(socket);
                socket.getOutputStream().write(line, 0, 1 + i % (line.length - 1));
            }
            Await.until(
                    () -> "open=" + count("summarizer_connections_open" + LISTENER),
                    () -> count("summarizer_connections_open" + LISTENER) >= CONNECTIONS);
            assertGoodEventsCounted();
            assertThat(usedHeap() - heapBefore)
                    .as("heap growth with all connections open")
                    .isLessThan(HEAP_GROWTH_MAX);
            for (int i = 0; i < CONNECTIONS; i++) {
                int sent = 1 + i % (line.length - 1);
                sockets.get(i).getOutputStream().write(line, sent, line.length - sent);
            }
            assertGoodEventsCounted(1 + CONNECTIONS);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        assertThat(service.rejected()).isEmpty();
        assertUnharmed();
    }

    @Test
    void connectionsResetInTheMiddleOfAFrame() throws Exception {
        int resets = 50;
        for (int i = 0; i < resets; i++) {
            long readBefore = count("summarizer_listener_read_bytes_total" + LISTENER);
            try (Socket socket = connect()) {
                String part = i % 2 == 0 ? "200 " + GOOD : GOOD.substring(0, 30);
                socket.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
                Await.until(
                        () -> "bytes not read",
                        () -> count("summarizer_listener_read_bytes_total" + LISTENER) >= readBefore + part.length());
                socket.setSoLinger(true, 0); // closes by a reset
            }
        }
        assertGoodEventsCounted();
        service.awaitReceived(1 + GOOD_EVENTS + resets);
        assertThat(service.rejected()).isEqualTo(Map.of(RejectReason.FRAME, (long) resets));
        assertThat(count("summarizer_connections_broken_total" + LISTENER)).isEqualTo(resets);
        assertUnharmed();
    }

    @Test
    void aCompressedFrameThatExplodes() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bomb)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 12; i++) {
                out.write(zeros); // a thousandth of it remains
            }
        }
        int bombs = 200;
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < bombs; i++) {
            frames.write(((bomb.size() + 1) + " z").getBytes(StandardCharsets.US_ASCII));
            bomb.writeTo(frames);
        }
        frames.write(GOOD.getBytes(StandardCharsets.US_ASCII));
        assertThat(bomb.size()).isLessThan(MESSAGE_BYTES_MAX);
        hostile(frames.toByteArray());
        assertGoodEventsCounted(2);
        assertThat(service.rejected()).isEqualTo(Map.of(RejectReason.OVERSIZE, (long) bombs));
        assertUnharmed();
    }

    private Socket connect() throws IOException {
        return new Socket(service.syslog().getAddress(), service.syslog().getPort());
    }

    /** Sends bytes; the service may close the connection before it took all of them. */
    private void hostile(byte[] bytes) throws IOException {
        try (Socket socket = connect();
                OutputStream out = socket.getOutputStream()) {
            try {
                out.write(bytes);
                socket.shutdownOutput();
                socket.getInputStream().read();
            } catch (IOException e) {
                // The service closed the connection, as it may.
            }
        }
    }

    private void awaitRead(long bytes) {
        Await.until(
                () -> "read=" + count("summarizer_listener_read_bytes_total" + LISTENER),
                () -> count("summarizer_listener_read_bytes_total" + LISTENER) >= bytes);
    }

    private void assertGoodEventsCounted() throws Exception {
        assertGoodEventsCounted(1);
    }

    /** Waits for the good client and for {@code others} good events besides; there must not be more, either. */
    private void assertGoodEventsCounted(int others) throws Exception {
        goodClient.get();
        long expected = (long) GOOD_EVENTS + others;
        service.awaitReceived(expected);
        Await.until(() -> "updates=" + updates() + " of " + expected, () -> updates() >= expected);
        assertThat(updates()).isEqualTo(expected);
    }

    private long updates() {
        try {
            return service.updates("CampaignDetails", null);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private long framingLost() {
        return count("summarizer_connections_framing_lost_total" + LISTENER);
    }

    private long count(String series) {
        return RunningService.metricIn(metrics(), series);
    }

    private String metrics() {
        try {
            return service.get("/metrics").body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void assertUnharmed() throws Exception {
        assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(service.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(count("summarizer_failures_total")).isZero();
        assertThat(count("summarizer_connections_failed_total" + LISTENER)).isZero();
        assertThat(count("summarizer_rejects_lost_total")).isZero();
        Await.until(
                () -> "open=" + count("summarizer_connections_open" + LISTENER),
                () -> count("summarizer_connections_open" + LISTENER) == 0);
        assertThat(usedHeap() - heapBefore).as("heap growth afterwards").isLessThan(HEAP_GROWTH_MAX);
        assertThat(serviceThreads()).as("threads of the service").isGreaterThanOrEqualTo(threadsBefore);
        // The service still works.
        long before = updates();
        service.send(GOOD.getBytes(StandardCharsets.US_ASCII));
        Await.until(() -> "updates=" + updates(), () -> updates() == before + 1);
    }

    /** Counts threads that read, parse and own; those of the test and of the HTTP client come and go. */
    private static long serviceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("netty") || name.startsWith("parse") || name.startsWith("owner"))
                .count();
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
