package io.summarizer.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KernelDropsTest {
    private static final int DATAGRAM_BYTES = 1_000;

    @Test
    void shouldCountEachDatagramThatWasSentAndCannotBeRead() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/net/udp")), "only Linux tells");
        try (DatagramSocket socket = socket();
                DatagramSocket neighbour = socket();
                DatagramSocket sender = socket()) {
            KernelDrops drops = KernelDrops.ofPort(socket.getLocalPort()).orElseThrow();
            KernelDrops ofNeighbour =
                    KernelDrops.ofPort(neighbour.getLocalPort()).orElseThrow();
            assertThat(drops.count()).isZero();

            int sent = 500;
            send(sender, socket, sent);
            send(sender, neighbour, 1);

            int read = read(socket);
            assertThat(read).isBetween(1, sent - 1);
            assertThat(drops.count()).isEqualTo(sent - read);
            assertThat(ofNeighbour.count()).isZero();
        }
    }

    @Test
    void shouldKnowNothingOfASocketOfAnotherProcess() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/net/udp")), "only Linux tells");
        try (DatagramSocket socket = socket()) {
            assertThat(KernelDrops.ofPort(socket.getLocalPort(), KernelDrops.ownSockets()))
                    .isPresent();
            assertThat(KernelDrops.ofPort(socket.getLocalPort(), Set.of("1"))).isEmpty();
        }
    }

    @Test
    void shouldGoOnWhereTheKernelBeginsAnew() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/net/udp")), "only Linux tells");
        try (DatagramSocket socket = socket()) {
            KernelDrops drops = KernelDrops.ofPort(socket.getLocalPort()).orElseThrow();
            drops.grownTo(0xffff_fff0L);
            assertThat(drops.count()).as("the kernel says 0: a further 16").isEqualTo(1L << 32);
        }
    }

    @Test
    void shouldKnowNothingOfAPortThatNobodyHas() throws IOException {
        int port;
        try (DatagramSocket socket = socket()) {
            port = socket.getLocalPort();
        }
        assertThat(KernelDrops.ofPort(port)).isEmpty();
    }

    private static DatagramSocket socket() throws IOException {
        DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        socket.setReceiveBufferSize(16 * 1024);
        return socket;
    }

    private static void send(DatagramSocket from, DatagramSocket to, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            from.send(new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES, to.getLocalSocketAddress()));
        }
    }

    private static int read(DatagramSocket socket) throws IOException {
        socket.setSoTimeout(200);
        DatagramPacket packet = new DatagramPacket(new byte[DATAGRAM_BYTES], DATAGRAM_BYTES);
        int count = 0;
        while (true) {
            try {
                socket.receive(packet);
                count++;
            } catch (SocketTimeoutException e) {
                return count;
            }
        }
    }
}
