package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.server.PiecesRelay;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.tls.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs against an echo over the JDK's sockets, through connections that forward bytes in pieces. */
class TlsWireTest {
    private static final long PATIENCE_MS = 30_000;

    private final TestPki pki = new TestPki("test");

    @TempDir
    Path folder;

    private ServerSocket server = unbound();

    private static ServerSocket unbound() {
        try {
            return new ServerSocket();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /** Starts an echo for one connection. */
    private InetSocketAddress echo(String protocol) throws IOException {
        TestPki.Pair pair = pki.server().write(folder, "server");
        SSLServerSocket secured = (SSLServerSocket) ClientTls.of(null, pair.certificate(), pair.key())
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        secured.setEnabledProtocols(new String[] {protocol});
        server = secured;
        Thread thread = new Thread(
                () -> {
                    try (Socket socket = secured.accept()) {
                        InputStream in = socket.getInputStream();
                        OutputStream out = socket.getOutputStream();
                        in.transferTo(out);
                    } catch (IOException e) {
                        // The test checks the bytes that came back.
                    }
                },
                "echo");
        thread.setDaemon(true);
        thread.start();
        return new InetSocketAddress("localhost", secured.getLocalPort());
    }

    @ParameterizedTest
    @CsvSource({
        "TLSv1.2, 1, 5000, 10000",
        "TLSv1.3, 1, 5000, 10000",
        "TLSv1.3, 3, 20000, 100",
        "TLSv1.3, 1000, 300000, 50",
        "TLSv1.2, 100000, 1000000, 70000",
        "TLSv1.3, 100000, 1000000, 70000",
    })
    void whatIsSentComesBack(String protocol, int piece, int bytes, int roomBytes) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        byte[] sent = new byte[bytes];
        new Random(seed).nextBytes(sent);
        byte[] back = new byte[bytes];
        ClientTls tls = ClientTls.of(pki.write(folder), null, null);
        try (PiecesRelay relay = new PiecesRelay(echo(protocol), piece)) {
            InetSocketAddress address =
                    new InetSocketAddress("localhost", relay.address().getPort());
            int got = exchange(tls, address, sent, back, roomBytes);
            assertThat(got).as("seed %d", seed).isEqualTo(bytes);
        }
        assertThat(back).as("seed %d", seed).isEqualTo(sent);
    }

    private static int exchange(ClientTls tls, InetSocketAddress address, byte[] sent, byte[] back, int roomBytes)
            throws IOException {
        try (SocketChannel channel = SocketChannel.open(address);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            TlsWire wire = new TlsWire(channel, tls.engine(address));
            ByteBuffer out = ByteBuffer.wrap(sent);
            ByteBuffer in = ByteBuffer.allocate(roomBytes);
            int got = 0;
            while (got < back.length) {
                int wrote = wire.write(out);
                int read = wire.read(in);
                if (read < 0) {
                    break;
                }
                in.flip();
                int count = in.remaining();
                in.get(back, got, count);
                got += count;
                in.clear();
                if (wrote == 0 && read == 0) {
                    key.interestOps(wire.interest(out.hasRemaining()));
                    if (selector.select(PATIENCE_MS) == 0) {
                        break;
                    }
                    selector.selectedKeys().clear();
                }
            }
            wire.close();
            return got;
        }
    }

    @Test
    void whoIsNotBelievedIsNotTalkedTo() throws Exception {
        ClientTls stranger = ClientTls.of(new TestPki("other").write(folder), null, null);
        InetSocketAddress address = echo("TLSv1.3");
        assertThatThrownBy(() -> exchange(stranger, address, new byte[1], new byte[1], 1))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void aCertificateOfAnotherNameIsNotBelieved() throws Exception {
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getByAddress("other.example.com", new byte[] {127, 0, 0, 1}),
                echo("TLSv1.3").getPort());
        ClientTls tls = ClientTls.of(pki.write(folder), null, null);
        assertThatThrownBy(() -> exchange(tls, address, new byte[1], new byte[1], 1))
                .isInstanceOf(SSLException.class);
    }
}
