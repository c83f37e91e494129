package io.summarizer.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.RelpFramer;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.Await;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TestPki;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connections that are closed, and the memory held, when connections or memory run out. */
class ReceiveBuffersTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int MESSAGE_BYTES_MAX = 256 * 1024;
    private static final String HEADER = "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.click - ";
    private static final Duration SPARE = Duration.ofSeconds(10);

    private final AtomicBoolean room = new AtomicBoolean(true);
    private final FakeSink sink = new FakeSink(room::get);
    private final AtomicLong nanos = new AtomicLong(1);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void closeAll() throws Exception {
        room.set(true);
        sink.resume();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private ReceiveBudget budget(long max) {
        return new ReceiveBudget(max, nanos::get);
    }

    private static StreamListener.Settings settings(
            int max, int maxOfAddress, ReceiveBudget budget, @Nullable ServerTls tls) {
        ConnectionLimits limits = new ConnectionLimits(max, maxOfAddress, Duration.ZERO, Duration.ZERO);
        return new StreamListener.Settings("test", 0, ANY, limits, Batching.BY_READ, tls, budget);
    }

    private NettyWorkers workers(int threads) {
        NettyWorkers workers = new NettyWorkers("test-netty", threads);
        opened.add(workers);
        return workers;
    }

    private SyslogTcpListener syslog(StreamListener.Settings settings, int threads) throws IOException {
        SyslogTcpListener listener = new SyslogTcpListener(
                settings,
                workers(threads),
                sink,
                () -> new SyslogFramer(Framing.AUTO, MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID)));
        listener.start();
        opened.add(() -> listener.close(Duration.ofSeconds(5)));
        return listener;
    }

    private RelpListener relp(ReceiveBudget budget) throws IOException {
        RelpListener listener = new RelpListener(
                settings(1000, 1000, budget, null),
                workers(1),
                sink,
                () -> new RelpFramer(MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID)),
                Ack.DURABLE);
        listener.start();
        opened.add(() -> listener.close(Duration.ofSeconds(5)));
        return listener;
    }

    private Socket connect(StreamListener listener) throws IOException {
        return connectFrom(listener, "127.0.0.1");
    }

    /** Connects from another address of this host. */
    private Socket connectFrom(StreamListener listener, String address) throws IOException {
        Socket socket = new Socket(
                listener.address().getAddress(), listener.address().getPort(), InetAddress.getByName(address), 0);
        socket.setSoTimeout(30_000);
        opened.add(socket);
        return socket;
    }

    private Socket connectAndAwait(StreamListener listener) throws IOException {
        long before = listener.counters().accepted.sum();
        Socket socket = connect(listener);
        Await.until(
                () -> "accepted " + listener.counters().accepted.sum(),
                () -> listener.counters().accepted.sum() > before);
        nanos.incrementAndGet();
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private void sendAndAwaitRead(StreamListener listener, Socket socket, String text) throws IOException {
        long before = listener.counters().bytesRead.sum();
        send(socket, text);
        Await.until(
                () -> "read " + listener.counters().bytesRead.sum(),
                () -> listener.counters().bytesRead.sum() >= before + text.length());
        awaitReport(listener);
        nanos.incrementAndGet();
    }

    private void completeOne(StreamListener listener, Socket socket, String payload) throws IOException {
        send(socket, HEADER + payload + "\n");
        Await.until(() -> payload, () -> sink.taken().contains(payload));
        awaitReport(listener);
        nanos.incrementAndGet();
    }

    /** The event loop reports to the budget at the end of a read, and answers here only after that. */
    private static void awaitReport(StreamListener listener) {
        assertThat(listener.heldBytes()).isNotNegative();
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** The header and the beginning of a frame that never ends. */
    private static String unfinished(int bytes) {
        return MESSAGE_BYTES_MAX + " " + HEADER + "x".repeat(bytes);
    }

    private static byte[] compressed(String message) throws IOException {
        ByteArrayOutputStream zlib = new ByteArrayOutputStream();
        zlib.write('z');
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(zlib)) {
            deflater.write(message.getBytes(US_ASCII));
        }
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes((zlib.size() + " ").getBytes(US_ASCII));
        frame.writeBytes(zlib.toByteArray());
        return frame.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldKeepWithinItsBudgetUnderUnfinishedMessagesAndServeWhoFinishes(int threads) throws Exception {
        ReceiveBudget budget = budget(4 << 20);
        SyslogTcpListener listener = syslog(settings(1000, 1000, budget, null), threads);
        Socket good = connect(listener);
        completeOne(listener, good, "first");
        String large = "y".repeat(100_000);
        sendAndAwaitRead(listener, good, HEADER + large);
        int attackers = 100;
        for (int i = 0; i < attackers; i++) {
            try {
                send(connect(listener), unfinished(255_000));
            } catch (IOException e) {
                // The connection was closed in the middle.
            }
            nanos.incrementAndGet();
            // Another event loop closes its connections a moment later.
            assertThat(budget.heldBytes()).isLessThanOrEqualTo(threads * budget.maxBytes() + 2L * MESSAGE_BYTES_MAX);
        }
        // Each holds slightly more than 256 KiB, so that fewer than sixteen fit beside the good one.
        Await.until(
                () -> "displaced " + listener.counters().displacedMemory.sum(),
                () -> listener.counters().displacedMemory.sum() >= attackers - 16);
        send(good, "\n");
        Await.until(() -> sink.takenCount() + " taken", () -> sink.taken().contains(large));
        completeOne(listener, good, "last");
        assertThat(listener.heldBytes()).isLessThanOrEqualTo(budget.maxBytes());
        assertThat(budget.heldBytes()).isEqualTo(listener.heldBytes());
        assertThat(listener.counters().messagesLost.sum()).isZero();
    }

    @Test
    void shouldCloseFirstWhoNeverCompletedAMessageThenTheOldestUnfinishedOne() throws Exception {
        ReceiveBudget budget = budget(540_000);
        SyslogTcpListener listener = syslog(settings(100, 100, budget, null), 1);
        RelpListener relp = relp(budget);
        Socket proven = connect(listener);
        completeOne(listener, proven, "proven");
        sendAndAwaitRead(listener, proven, unfinished(150_000)); // a batch of 256 KiB
        Socket young = connect(listener);
        sendAndAwaitRead(listener, young, unfinished(10_000)); // parked
        Socket other = connect(relp);
        sendAndAwaitRead(relp, other, "1 open 4000 " + "x".repeat(3000));
        Socket provenLater = connect(listener);
        completeOne(listener, provenLater, "proven later");
        assertThat(listener.counters().displacedMemory.sum()).isZero();

        sendAndAwaitRead(listener, provenLater, unfinished(250_000));
        assertThat(isClosed(young)).isTrue();
        Await.until(
                () -> sink.rejected().toString(),
                () -> sink.rejected().stream().anyMatch(text -> text.startsWith("FRAME " + MESSAGE_BYTES_MAX)));
        assertThat(listener.counters().displacedMemory.sum()).isOne();
        assertThat(relp.counters().displacedMemory.sum()).isZero();

        // Now a connection of another listener uses the budget, too: it is the next that never completed a message.
        Socket third = connect(listener);
        completeOne(listener, third, "third");
        send(third, unfinished(250_000));
        assertThat(isClosed(other)).isTrue();
        assertThat(isClosed(proven)).isTrue();
        Await.until(
                () -> "displaced " + listener.counters().displacedMemory.sum(),
                () -> listener.counters().displacedMemory.sum() == 2);
        assertThat(relp.counters().displacedMemory.sum()).isOne();
        send(provenLater, "x".repeat(MESSAGE_BYTES_MAX - 250_000 - HEADER.length()));
        Await.until(() -> sink.takenCount() + " taken", () -> sink.takenCount() == 4);
    }

    @Test
    void shouldCountRecordsOfTlsThatAreNotWhole() throws Exception {
        TestPki.Pair pair = new TestPki("test").server().write(folder, "server");
        ReceiveBudget budget = budget(10_000);
        SyslogTcpListener listener = syslog(settings(100, 100, budget, new ServerTls("test", pair.files())), 1);
        byte[] part = new byte[4000];
        part[0] = 22; // a handshake of 16,000 bytes
        part[1] = 3;
        part[2] = 1;
        part[3] = 16_000 >> 8;
        part[4] = (byte) 16_000;
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sockets.add(connectAndAwait(listener));
            long before = listener.counters().displacedMemory.sum() + budget.heldBytes();
            sockets.get(i).getOutputStream().write(part);
            Await.until(
                    () -> "held " + budget.heldBytes(),
                    () -> listener.counters().displacedMemory.sum() + budget.heldBytes() != before);
        }
        assertThat(isClosed(sockets.get(0))).isTrue();
        assertThat(listener.counters().displacedMemory.sum()).isOne();
        Await.until(() -> "held " + budget.heldBytes(), () -> budget.heldBytes() == 8000);
    }

    @Test
    void shouldFrameNoMoreOfAReadThanThereIsRoomFor() throws Exception {
        SyslogTcpListener listener = syslog(settings(100, 100, budget(64 << 20), null), 1);
        room.set(false);
        Socket socket = connect(listener);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        int count = 100;
        for (int i = 0; i < count; i++) {
            frames.writeBytes(compressed(HEADER + String.format("%04d", i) + "x".repeat(200_000)));
        }
        assertThat(frames.size()).isLessThan(64 * 1024);
        socket.getOutputStream().write(frames.toByteArray());
        Await.until(
                () -> "read " + listener.counters().bytesRead.sum(),
                () -> listener.counters().bytesRead.sum() == frames.size());
        assertThat(listener.heldBytes()).isLessThan(2 << 20); // of 20 MB
        socket.close();
        assertThat(listener.heldBytes()).isLessThan(2 << 20);

        room.set(true);
        while (sink.takenCount() < count) {
            sink.resume();
            Thread.onSpinWait();
        }
        assertThat(sink.taken())
                .extracting(payload -> payload.substring(0, 4))
                .isSorted()
                .hasSize(count);
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 0);
        assertThat(sink.heldBatches()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReadLittleWhileBatchesWaitAndLoseNothing(int threads) throws Exception {
        ReceiveBudget budget = budget(2 << 20);
        SyslogTcpListener listener = syslog(settings(1000, 1000, budget, null), threads);
        room.set(false);
        int connections = 100;
        String lines = (HEADER + "z".repeat(900) + "\n").repeat(60);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            long before = listener.counters().bytesRead.sum();
            Socket socket = connect(listener);
            sockets.add(socket);
            send(socket, lines);
            Await.until(
                    () -> "read " + listener.counters().bytesRead.sum(),
                    () -> listener.counters().bytesRead.sum() >= before + ReceiveBudget.TIGHT_READ_BYTES);
            assertThat(listener.heldBytes())
                    .isLessThanOrEqualTo(budget.maxBytes() / 2 + threads * (4L << 16) + connections * 2048L);
        }
        assertThat(budget.isStalled()).isTrue();
        for (int i = 0; i < connections; i += 2) {
            sockets.get(i).close(); // the frames that they sent count nevertheless
        }
        room.set(true);
        while (sink.takenCount() < connections * 60) {
            sink.resume();
            Thread.onSpinWait();
        }
        assertThat(sink.rejected()).isEmpty();
        assertThat(listener.counters().displacedMemory.sum()).isZero();
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == connections / 2);
        Await.until(() -> "held " + budget.heldBytes(), () -> budget.heldBytes() == 0); // soon after the last frame
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void shouldCloseWhoIsLongestWithoutAMessageForANewConnection() throws Exception {
        SyslogTcpListener listener = syslog(settings(3, 3, budget(1 << 20), null), 2);
        Socket early = connectAndAwait(listener);
        completeOne(listener, early, "early");
        Socket silent = connectAndAwait(listener);
        send(silent, "half a li");
        Socket late = connectAndAwait(listener);
        completeOne(listener, late, "late");
        nanos.addAndGet(SPARE.toNanos() + 1_000);

        Socket fourth = connectAndAwait(listener);
        assertThat(isClosed(silent)).isTrue();
        completeOne(listener, fourth, "fourth");
        Socket fifth = connectAndAwait(listener);
        assertThat(isClosed(early)).isTrue();
        completeOne(listener, fifth, "fifth");
        completeOne(listener, late, "late again");
        assertThat(isClosed(connect(listener))).as("all others do well").isTrue();
        for (Socket open : List.of(late, fourth, fifth)) {
            completeOne(listener, open, "still here " + open.getLocalPort());
        }
        // From one address, so that the bound per address is met.
        assertThat(listener.counters().displacedAddress.sum()).isEqualTo(2);
        assertThat(listener.counters().refused.sum()).isOne();
        Await.until(() -> sink.rejected().toString(), () -> !sink.rejected().isEmpty());
        assertThat(sink.rejected()).containsExactly("FRAME half a li");
    }

    @Test
    void shouldCloseAConnectionOfTheAddressThatHasTooMany() throws Exception {
        SyslogTcpListener listener = syslog(settings(4, 2, budget(1 << 20), null), 1);
        Socket other = connectFrom(listener, "127.0.0.2");
        Await.until(() -> "none", () -> listener.counters().accepted.sum() == 1);
        Socket first = connectAndAwait(listener);
        Socket second = connectAndAwait(listener);
        Socket third = connectAndAwait(listener);
        assertThat(isClosed(first)).isTrue();
        assertThat(listener.counters().displacedAddress.sum()).isOne();
        for (Socket open : List.of(other, second, third)) {
            completeOne(listener, open, "open " + open.getLocalPort());
        }
        connectFrom(listener, "127.0.0.3");
        Await.until(() -> "none", () -> listener.counters().accepted.sum() == 5);
        connectFrom(listener, "127.0.0.4");
        Await.until(() -> "none", () -> listener.counters().displacedTotal.sum() == 1);
    }

    @Test
    void shouldServeWhoSendsUnderAFloodOfConnections() throws Exception {
        SyslogTcpListener listener = syslog(settings(8, 8, budget(1 << 20), null), 2);
        List<Socket> good = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            good.add(connectAndAwait(listener));
            completeOne(listener, good.get(i), "hello " + i);
        }
        for (int i = 0; i < 300; i++) {
            send(connectAndAwait(listener), "x");
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            completeOne(listener, good.get(i % 6), "message " + i);
        }
        assertThat(listener.counters().displacedAddress.sum()).isEqualTo(298);
        assertThat(listener.counters().refused.sum()).isZero();
    }
}
