package io.summarizer.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SyslogTcpListenerTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int MESSAGE_BYTES_MAX = 256 * 1024;
    private static final String HEADER = "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.click - ";

    private final AtomicBoolean room = new AtomicBoolean(true);
    private final FakeSink sink = new FakeSink(room::get);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        room.set(true);
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    static Stream<Boolean> transports() {
        return Epoll.isAvailable() ? Stream.of(false, true) : Stream.of(false);
    }

    private SyslogTcpListener start(FakeSink sink, boolean epoll, int maxConnections, Duration idle)
            throws IOException {
        return start(settings(new ConnectionLimits(maxConnections, maxConnections, Duration.ZERO, idle)), sink, epoll);
    }

    private static StreamListener.Settings settings(ConnectionLimits connections) {
        return new StreamListener.Settings(
                "syslog-tcp", 3, ANY, connections, Batching.BY_READ, null, TestSettings.unbounded());
    }

    private static StreamListener.Settings lingering() {
        ConnectionLimits connections = new ConnectionLimits(100, 100, Duration.ZERO, Duration.ZERO);
        Batching batching = new Batching(0, Duration.ofSeconds(1));
        return new StreamListener.Settings("syslog-tcp", 3, ANY, connections, batching, null, TestSettings.unbounded());
    }

    private static StreamListener.Settings limited(int maxConnectionsOfAddress, Duration messageTimeout) {
        return settings(new ConnectionLimits(100, maxConnectionsOfAddress, messageTimeout, Duration.ZERO));
    }

    private SyslogTcpListener start(StreamListener.Settings settings, FakeSink sink, boolean epoll) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-netty", 2, epoll);
        opened.add(workers);
        SyslogTcpListener listener = new SyslogTcpListener(
                settings,
                workers,
                sink,
                () -> new SyslogFramer(
                        Framing.AUTO, MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME)));
        listener.start();
        opened.add(() -> listener.close(Duration.ofSeconds(1)));
        return listener;
    }

    private SyslogTcpListener start() throws IOException {
        return start(sink, Epoll.isAvailable(), 4096, Duration.ZERO);
    }

    private Socket connect(SyslogTcpListener listener) throws IOException {
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        opened.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(US_ASCII));
        out.flush();
    }

    private static String line(String payload) {
        return HEADER + payload + "\n";
    }

    private static String counted(String payload) {
        String message = HEADER + payload;
        return message.length() + " " + message;
    }

    private void awaitTaken(FakeSink sink, int count) {
        Await.until(() -> sink.takenCount() + " of " + count, () -> sink.takenCount() >= count);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void nothingIsLostAndEachConnectionKeepsItsOrderWhileTheSinkRefusesAtRandom(boolean epoll) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        FakeSink moody = new FakeSink(() -> random.nextInt(3) == 0); // called within the sink's lock
        SyslogTcpListener listener = start(moody, epoll, 4096, Duration.ZERO);
        int connections = 8;
        int messages = 3000;

        AtomicBoolean done = new AtomicBoolean();
        Thread resumer = new Thread(() -> {
            while (!done.get()) {
                moody.resume();
                Thread.onSpinWait();
            }
        });
        resumer.start();
        List<Thread> senders = new ArrayList<>();
        for (int c = 0; c < connections; c++) {
            int connection = c;
            Random own = new Random(seed + c);
            Thread sender = new Thread(() -> {
                try (Socket socket = new Socket(
                        listener.address().getAddress(), listener.address().getPort())) {
                    StringBuilder stream = new StringBuilder();
                    for (int i = 0; i < messages; i++) {
                        String payload = connection + ":" + i + ":" + "x".repeat(own.nextInt(100));
                        stream.append(own.nextBoolean() ? line(payload) : counted(payload));
                    }
                    for (int at = 0; at < stream.length(); ) {
                        int end = Math.min(stream.length(), at + 1 + own.nextInt(own.nextBoolean() ? 300 : 100_000));
                        send(socket, stream.substring(at, end));
                        at = end;
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            senders.add(sender);
        }
        for (Thread sender : senders) {
            sender.join();
        }
        awaitTaken(moody, connections * messages);
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 0);
        done.set(true);
        resumer.join();

        assertThat(moody.rejected()).isEmpty();
        int[] next = new int[connections];
        for (String payload : moody.taken()) {
            String[] parts = payload.split(":", -1);
            int connection = Integer.parseInt(parts[0]);
            assertThat(Integer.parseInt(parts[1]))
                    .as("seed %d, connection %d", seed, connection)
                    .isEqualTo(next[connection]++);
        }
        assertThat(next).containsOnly(messages);
        assertThat(moody.heldBatches()).isZero();
        assertThat(listener.counters().messages.sum()).isEqualTo((long) connections * messages);
        assertThat(listener.counters().pauses.sum()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aConnectionWhoseBatchIsRefusedReadsNoMore(boolean epoll) throws Exception {
        SyslogTcpListener listener = start(sink, epoll, 4096, Duration.ZERO);
        room.set(false);
        byte[] lines = line("x".repeat(1000)).repeat(1000).getBytes(US_ASCII);
        long sent = 0;
        try (SocketChannel socket = SocketChannel.open(listener.address())) {
            socket.configureBlocking(false);
            // Writes until the kernel's buffers are full and no byte goes in, which would not happen if anybody read.
            int idleRounds = 0;
            while (idleRounds < 100) {
                int n = socket.write(ByteBuffer.wrap(
                        lines, (int) (sent % lines.length), lines.length - (int) (sent % lines.length)));
                sent += n;
                idleRounds = n == 0 ? idleRounds + 1 : 0;
                if (n == 0) {
                    Thread.sleep(2);
                }
            }
            assertThat(listener.counters().bytesRead.sum()).isLessThanOrEqualTo(2 * 64 * 1024);
            assertThat(listener.heldBytes()).isLessThanOrEqualTo(3 * 64 * 1024);
            assertThat(sink.waitingCount()).isEqualTo(1);
        }
        room.set(true);
        sink.resume();
        long whole = sent / line("x".repeat(1000)).length();
        awaitTaken(sink, (int) whole);
    }

    @Test
    void aThousandConnectionsWithHalfALineHoldThatHalfAndNothingElse() throws Exception {
        SyslogTcpListener listener = start();
        int connections = 1000;
        String half = line("half").substring(0, 40);
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            sockets.add(connect(listener));
            send(sockets.get(i), half);
        }
        long expected = (long) connections * half.length();
        Await.until(
                () -> listener.counters().bytesRead.sum() + " read",
                () -> listener.counters().bytesRead.sum() == expected);

        assertThat(listener.counters().open()).isEqualTo(connections);
        assertThat(listener.heldBytes()).isEqualTo(expected);
        assertThat(sink.heldBatches()).isZero();

        for (int i = 0; i < connections; i++) {
            send(sockets.get(i), line("half").substring(40));
        }
        awaitTaken(sink, connections);
        assertThat(listener.heldBytes()).isZero();
    }

    @Test
    void aByteAtATimeIsAMessageInTheEndAndHoldsNobodyUp() throws Exception {
        SyslogTcpListener listener = start();
        Socket slow = connect(listener);
        slow.setTcpNoDelay(true);
        Socket other = connect(listener);
        String message = counted("slow");
        for (int i = 0; i < message.length(); i++) {
            send(slow, message.substring(i, i + 1));
            send(other, line("other " + i));
        }
        awaitTaken(sink, message.length() + 1);
        assertThat(sink.taken()).contains("slow", "other 0", "other " + (message.length() - 1));
        assertThat(sink.rejected()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aResetInAFrameIsCountedAndItsPartKeptAsRejected(boolean epoll) throws Exception {
        SyslogTcpListener listener = start(sink, epoll, 4096, Duration.ZERO);
        Socket lines = connect(listener);
        Socket frames = connect(listener);
        send(lines, line("whole") + "half a li");
        send(frames, counted("whole") + "99 half a fra");
        awaitTaken(sink, 2);
        Await.until(() -> "held " + listener.heldBytes(), () -> listener.heldBytes() == 9 + 13);
        lines.setSoLinger(true, 0); // close sends RST
        lines.close();
        frames.setSoLinger(true, 0);
        frames.close();
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 0);

        assertThat(listener.counters().resets.sum()).isEqualTo(2);
        assertThat(sink.rejected()).containsExactlyInAnyOrder("FRAME half a li", "FRAME 99 half a fra");
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void anOrderlyEndMakesAMessageOfALineAndARejectOfACountedFrame() throws Exception {
        SyslogTcpListener listener = start();
        Socket lines = connect(listener);
        Socket frames = connect(listener);
        send(lines, line("first") + HEADER + "no line feed");
        send(frames, counted("second") + "99 <134>1 partial");
        lines.close();
        frames.close();
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().accepted.sum() == 2
                        && listener.counters().open() == 0);

        assertThat(sink.taken()).containsExactlyInAnyOrder("first", "no line feed", "second");
        assertThat(sink.rejected()).containsExactly("FRAME 99 <134>1 partial");
        assertThat(listener.counters().resets.sum()).isZero();
    }

    @Test
    void aStreamWhoseFramingIsLostIsClosedAfterItsGoodPart() throws Exception {
        SyslogTcpListener listener = start();
        Socket broken = connect(listener);
        Socket other = connect(listener);
        send(broken, counted("good") + "999999999 <134>1 far too large");
        assertThat(readToEnd(broken)).isZero();
        send(other, line("unharmed"));
        awaitTaken(sink, 2);

        assertThat(sink.taken()).containsExactlyInAnyOrder("good", "unharmed");
        assertThat(sink.rejected()).hasSize(1).first().asString().startsWith("OVERSIZE");
        assertThat(listener.counters().framingCloses.sum()).isEqualTo(1);
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 1);
    }

    private static int readToEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (IOException e) {
            return 0; // a reset ends it, too: bytes of this side were in flight
        }
    }

    @Test
    void aLineThatNeverEndsIsRejectedOnceAndTakesNoMoreThanTheBound() throws Exception {
        SyslogTcpListener listener = start();
        Socket endless = connect(listener);
        String piece = "y".repeat(64 * 1024);
        for (int i = 0; i < 64; i++) {
            send(endless, piece);
        }
        Await.until(
                () -> listener.counters().bytesRead.sum() + " read",
                () -> listener.counters().bytesRead.sum() == 64L * piece.length());
        assertThat(listener.heldBytes()).isLessThanOrEqualTo(2 * MESSAGE_BYTES_MAX);
        send(endless, "\n" + line("next"));
        awaitTaken(sink, 1);

        assertThat(sink.taken()).containsExactly("next");
        assertThat(sink.rejected()).hasSize(1).first().asString().startsWith("OVERSIZE yyy");
        assertThat(sink.largestBatchBytes()).isLessThanOrEqualTo(4 * MESSAGE_BYTES_MAX);
    }

    @Test
    void noiseIsTakenOrRejectedWithinBoundsAndHarmsNobody() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        SyslogTcpListener listener = start();
        Socket other = connect(listener);
        byte[] noise = new byte[64 * 1024];
        long sent = 0;
        for (int i = 0; i < 32; i++) {
            try (Socket noisy = connect(listener)) {
                for (int j = 0; j < 4; j++) {
                    random.nextBytes(noise);
                    noisy.getOutputStream().write(noise);
                    sent += noise.length;
                }
            } catch (IOException e) {
                // Noise that began like a bad octet count: the listener closed.
                assertThat(listener.counters().framingCloses.sum())
                        .as("seed %d: %s", seed, e)
                        .isPositive();
            }
            send(other, line("unharmed " + i));
        }
        Await.until(
                () -> listener.counters().open() + " open, seed " + seed,
                () -> listener.counters().open() == 1);
        Await.until(
                () -> "seed " + seed + " took " + sink.takenCount(),
                () -> sink.taken().contains("unharmed 31"));

        assertThat(sink.taken())
                .filteredOn(payload -> payload.startsWith("unharmed "))
                .hasSize(32);
        assertThat(listener.counters().bytesRead.sum()).as("seed %d", seed).isBetween(1L, sent + 32 * 200L);
        assertThat(listener.heldBytes()).as("seed %d", seed).isZero();
        assertThat(sink.heldBatches()).as("seed %d", seed).isZero();
        assertThat(sink.largestBatchBytes()).as("seed %d", seed).isLessThanOrEqualTo(4 * MESSAGE_BYTES_MAX);
        assertThat(listener.counters().failures.sum()).as("seed %d", seed).isZero();
    }

    @Test
    void aMessageLargerThanABatchArrivesWhole() throws Exception {
        SyslogTcpListener listener = start();
        Socket socket = connect(listener);
        String large = "z".repeat(200_000);
        send(socket, line("before") + line(large) + counted(large) + line("after"));
        awaitTaken(sink, 4);
        assertThat(sink.taken()).containsExactly("before", large, large, "after");
        Await.until(() -> "held " + listener.heldBytes(), () -> listener.heldBytes() == 0);
    }

    @Test
    void connectionsBeyondTheLimitAreClosedAndCounted() throws Exception {
        SyslogTcpListener listener = start(sink, Epoll.isAvailable(), 2, Duration.ZERO);
        Socket first = connect(listener);
        Socket second = connect(listener);
        send(first, line("1"));
        send(second, line("2"));
        awaitTaken(sink, 2);
        assertThat(readToEnd(connect(listener))).isZero();
        assertThat(listener.counters().refused.sum()).isEqualTo(1);

        first.close();
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 1);
        send(connect(listener), line("3"));
        awaitTaken(sink, 3);
    }

    @Test
    void connectionsOfOneAddressBeyondItsLimitAreClosedAndCounted() throws Exception {
        SyslogTcpListener listener = start(limited(2, Duration.ZERO), sink, Epoll.isAvailable());
        Socket first = connect(listener);
        Socket second = connect(listener);
        send(first, line("1"));
        send(second, line("2"));
        awaitTaken(sink, 2);
        assertThat(readToEnd(connect(listener))).isZero();
        assertThat(listener.counters().refused.sum()).isEqualTo(1);
        first.close();
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 1);
        send(connect(listener), line("3"));
        awaitTaken(sink, 3);
    }

    @Test
    void aSenderThatIsTooSlowWithOneMessageIsClosedAndNoOther() throws Exception {
        SyslogTcpListener listener = start(limited(10, Duration.ofMillis(100)), sink, Epoll.isAvailable());
        Socket silent = connect(listener);
        send(silent, line("whole"));
        Socket slow = connect(listener);
        send(slow, line("whole") + "half");
        assertThat(readToEnd(slow)).isZero();
        assertThat(listener.counters().slowCloses.sum()).isEqualTo(1);
        send(silent, line("goes on"));
        awaitTaken(sink, 3);
        Await.until(() -> sink.rejected().toString(), () -> !sink.rejected().isEmpty());
        assertThat(sink.rejected()).containsExactly("FRAME half");
    }

    @Test
    void aPausedConnectionIsNotTooSlow() throws Exception {
        SyslogTcpListener listener = start(limited(10, Duration.ofMillis(30)), sink, Epoll.isAvailable());
        room.set(false);
        Socket socket = connect(listener);
        send(socket, line("waits") + "half");
        Await.until(() -> sink.waitingCount() + " waiting", () -> sink.waitingCount() == 1);
        Thread.sleep(150); // several timeouts, each of which might close it
        assertThat(listener.counters().slowCloses.sum()).isZero();
        room.set(true);
        sink.resume();
        assertThat(readToEnd(socket)).isZero(); // now it is slow
        assertThat(listener.counters().slowCloses.sum()).isEqualTo(1);
    }

    @Test
    void anIdleConnectionIsClosedAndItsPartRejected() throws Exception {
        SyslogTcpListener listener = start(sink, Epoll.isAvailable(), 10, Duration.ofMillis(500));
        Socket idle = connect(listener);
        send(idle, "half");
        assertThat(readToEnd(idle)).isZero();
        Await.until(() -> sink.rejected().toString(), () -> !sink.rejected().isEmpty());
        assertThat(sink.rejected()).containsExactly("FRAME half");
        assertThat(listener.counters().idleCloses.sum()).isEqualTo(1);
        assertThat(listener.counters().resets.sum()).isZero();
    }

    @ParameterizedTest
    @MethodSource("transports")
    void messagesGatherAfterASmallRead(boolean epoll) throws Exception {
        SyslogTcpListener listener = start(lingering(), sink, epoll);
        Socket socket = connect(listener);
        for (int i = 0; i < 100; i++) {
            send(socket, line("m" + i));
            Thread.sleep(1); // so that a connection that does not linger reads each message alone
        }
        awaitTaken(sink, 100);
        // One read at once, then one at each full second, in some tenths of a second.
        assertThat(sink.batches()).isLessThan(10);
        assertThat(sink.taken()).endsWith("m98", "m99");
    }

    @Test
    void aStopEndsTheWaitAfterASmallRead() throws Exception {
        SyslogTcpListener listener = start(lingering(), sink, Epoll.isAvailable());
        Socket socket = connect(listener);
        send(socket, line("first"));
        awaitTaken(sink, 1);
        send(socket, line("second"));
        listener.close(Duration.ofSeconds(20));
        assertThat(sink.taken()).containsExactly("first", "second");
    }

    @Test
    void aStopHandsOverAllThatHasArrived() throws Exception {
        SyslogTcpListener listener = start();
        Socket socket = connect(listener);
        int messages = 20_000;
        StringBuilder stream = new StringBuilder();
        IntStream.range(0, messages).forEach(i -> stream.append(line("m" + i)));
        InetSocketAddress address = listener.address();
        send(socket, line("first"));
        awaitTaken(sink, 1);
        send(socket, stream + "cut off by the st");
        listener.close(Duration.ofSeconds(20));

        assertThat(sink.takenCount()).isEqualTo(messages + 1);
        assertThat(sink.rejected()).containsExactly("FRAME cut off by the st");
        assertThat(listener.counters().messagesLost.sum()).isZero();
        assertThatThrownBy(() -> new Socket(address.getAddress(), address.getPort()).close())
                .isInstanceOf(IOException.class);
    }

    @Test
    void aStopWaitsForRoomAndCountsWhatItCouldNotHandOver() throws Exception {
        SyslogTcpListener listener = start();
        room.set(false);
        send(connect(listener), line("1") + line("2"));
        Await.until(() -> sink.waitingCount() + " waiting", () -> sink.waitingCount() == 1);
        listener.close(Duration.ofMillis(100));
        assertThat(listener.counters().messagesLost.sum()).isEqualTo(2);
        assertThat(listener.counters().open()).isZero();

        room.set(true);
        sink.resume(); // comes late, and finds nothing
        assertThat(sink.taken()).isEmpty();
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void aStopSucceedsWhenRoomComesInTime() throws Exception {
        SyslogTcpListener listener = start();
        room.set(false);
        Socket socket = connect(listener);
        send(socket, line("1") + line("2"));
        socket.close(); // the channel is gone before its batch
        Await.until(() -> sink.waitingCount() + " waiting", () -> sink.waitingCount() == 1);
        Thread stop = new Thread(() -> listener.close(Duration.ofSeconds(20)));
        stop.start();
        room.set(true);
        sink.resume();
        stop.join();
        assertThat(sink.taken()).containsExactly("1", "2");
        assertThat(listener.counters().messagesLost.sum()).isZero();
    }

    /** A sender that waits for this side does not delay the stop, so its stream is read to the end. */
    @Test
    void aStopReadsAllOfASenderThatHadToWait() throws Exception {
        SyslogTcpListener listener = start();
        room.set(false);
        int messages = 20_000;
        StringBuilder stream = new StringBuilder();
        IntStream.range(0, messages).forEach(i -> stream.append(line("m" + i)));
        Socket socket = connect(listener);
        send(socket, stream.toString());
        socket.shutdownOutput();
        Await.until(() -> sink.waitingCount() + " waiting", () -> sink.waitingCount() == 1);
        Thread stop = new Thread(() -> listener.close(Duration.ofSeconds(20)));
        stop.start();
        Thread.sleep(1_500); // longer than a sender may delay the stop
        room.set(true);
        sink.resume();
        stop.join();
        assertThat(sink.takenCount()).isEqualTo(messages);
    }

    @Test
    void anAddressInUseIsAClearError() throws Exception {
        SyslogTcpListener listener = start();
        NettyWorkers workers = new NettyWorkers("test-netty", 1);
        opened.add(workers);
        SyslogTcpListener second = new SyslogTcpListener(
                TestSettings.of("syslog-tcp", listener.address(), TestSettings.MANY, null),
                workers,
                sink,
                () -> new SyslogFramer(Framing.AUTO, 1024, new EnvelopeParser(TopicRule.MSGID)));
        assertThatThrownBy(second::start)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("syslog-tcp cannot listen on")
                .hasMessageContaining(String.valueOf(listener.address().getPort()));
    }
}
