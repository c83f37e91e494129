package io.summarizer.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.epoll.Epoll;
import io.summarizer.core.receive.DatagramFramer;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.Await;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SyslogUdpListenerTest {
    private static final int MESSAGE_BYTES_MAX = 2000;
    private static final String HEADER = "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.click - ";

    private final AtomicBoolean room = new AtomicBoolean(true);
    private final FakeSink sink = new FakeSink(room::get);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    static Stream<Boolean> transports() {
        return Epoll.isAvailable() ? Stream.of(false, true) : Stream.of(false);
    }

    private SyslogUdpListener start(boolean epoll, int port) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-netty", 1, epoll);
        opened.add(workers);
        SyslogUdpListener listener = new SyslogUdpListener(
                new SyslogUdpListener.Settings(
                        "syslog-udp", 2, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1 << 20),
                workers,
                sink,
                new DatagramFramer(MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID)));
        listener.start();
        opened.add(() -> listener.close(Duration.ofMillis(200)));
        return listener;
    }

    private DatagramSocket sender() throws IOException {
        DatagramSocket socket = new DatagramSocket();
        opened.add(socket);
        return socket;
    }

    private static void send(DatagramSocket socket, SyslogUdpListener listener, String text) throws IOException {
        byte[] bytes = text.getBytes(US_ASCII);
        socket.send(new DatagramPacket(bytes, bytes.length, listener.address()));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void eachDatagramIsAMessage(boolean epoll) throws Exception {
        SyslogUdpListener listener = start(epoll, 0);
        DatagramSocket socket = sender();
        for (String text : List.of("one", "t\nwo", "three\n", "four\r\n")) {
            send(socket, listener, HEADER + text);
        }
        send(socket, listener, "<134>1 bad");
        send(socket, listener, HEADER + "x".repeat(MESSAGE_BYTES_MAX));
        Await.until(
                () -> sink.taken() + "" + sink.rejected(), () -> sink.rejected().size() == 2);

        assertThat(sink.taken()).containsExactly("one", "t\nwo", "three", "four");
        assertThat(sink.rejected())
                .containsExactly(
                        "ENVELOPE <134>1 bad",
                        "OVERSIZE " + HEADER + "x".repeat(MESSAGE_BYTES_MAX + 1 - HEADER.length()));
        assertThat(listener.counters().messagesDropped.sum()).isZero();
        assertThat(listener.kernelDrops().isPresent()).isEqualTo(Files.exists(Path.of("/proc/net/udp")));
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void whatThereIsNoRoomForIsDroppedAndCounted() throws Exception {
        SyslogUdpListener listener = start(Epoll.isAvailable(), 0);
        DatagramSocket socket = sender();
        room.set(false);
        int sent = 0;
        // One at a time, so that the kernel drops none and each is a batch.
        while (listener.counters().messagesDropped.sum() < 10) {
            String message = HEADER + sent++;
            long bytes = listener.counters().bytesRead.sum() + message.length();
            send(socket, listener, message);
            Await.until(
                    () -> listener.counters().bytesRead.sum() + " read",
                    () -> listener.counters().bytesRead.sum() >= bytes);
        }
        assertThat(sent).isLessThan(1000);
        assertThat(sink.taken()).isEmpty();
        room.set(true);
        sink.resume();
        int all = sent;
        Await.until( // a drop is counted after the bytes
                () -> sink.takenCount() + " of " + all,
                () -> sink.takenCount()
                        == all - listener.counters().messagesDropped.sum());
        int kept = sink.takenCount();
        send(socket, listener, HEADER + "goes on");
        Await.until(() -> sink.takenCount() + "", () -> sink.takenCount() == kept + 1);
    }

    @Test
    void aStopHandsOverWhatWaitsOrCountsIt() throws Exception {
        SyslogUdpListener listener = start(Epoll.isAvailable(), 0);
        room.set(false);
        send(sender(), listener, HEADER + "waits");
        Await.until(() -> sink.waitingCount() + " waiting", () -> sink.waitingCount() == 1);
        listener.close(Duration.ofMillis(100));
        assertThat(listener.counters().messagesLost.sum()).isEqualTo(1);
        assertThat(sink.heldBatches()).isZero();
    }

    @Test
    void anAddressInUseIsAClearError() throws Exception {
        SyslogUdpListener listener = start(Epoll.isAvailable(), 0);
        assertThatThrownBy(() -> start(Epoll.isAvailable(), listener.address().getPort()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("syslog-udp cannot listen on");
    }
}
