package io.summarizer.server.net;

import static io.summarizer.server.net.RelpScript.SERVER_CLOSE;
import static io.summarizer.server.net.RelpScript.frame;
import static io.summarizer.server.net.RelpScript.message;
import static io.summarizer.server.net.RelpScript.taken;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.RelpFramer;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.server.Await;
import io.summarizer.server.PiecesRelay;
import io.summarizer.server.tls.ClientCertificates;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TestPki;
import io.summarizer.server.tls.TlsFault;
import io.summarizer.server.tls.TlsFiles;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners with TLS, driven by the JDK's client. */
class TlsListenerTest {
    private static final String HEADER = "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.click - ";
    private static final int MESSAGE_BYTES_MAX = 100_000;
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final AtomicBoolean room = new AtomicBoolean(true);
    private final FakeSink sink = new FakeSink(room::get);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final TestPki pki = new TestPki("test");

    @TempDir
    Path folder;

    @AfterEach
    void closeAll() throws Exception {
        room.set(true);
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private TlsFiles files() throws IOException {
        TestPki.Pair pair = pki.server().write(folder, "server");
        return pair.files();
    }

    private TlsFiles filesForClients(String... names) throws IOException {
        return TestPki.withClients(files(), pki.write(folder), ClientCertificates.REQUIRED, names);
    }

    private SyslogTcpListener syslog(@Nullable ServerTls tls, Duration messageTimeout) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-netty", 2);
        opened.add(workers);
        SyslogTcpListener listener = new SyslogTcpListener(
                TestSettings.of("syslog-tcp", ANY, new ConnectionLimits(100, 100, messageTimeout, Duration.ZERO), tls),
                workers,
                sink,
                () -> new SyslogFramer(
                        Framing.AUTO, MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME)));
        listener.start();
        opened.add(() -> listener.close(Duration.ofSeconds(5)));
        return listener;
    }

    private SyslogTcpListener syslog(TlsFiles files) throws IOException {
        return syslog(new ServerTls("syslog-tcp", files), Duration.ZERO);
    }

    private RelpListener relp(TlsFiles files) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-netty", 2);
        opened.add(workers);
        RelpListener listener = new RelpListener(
                TestSettings.of("relp", ANY, TestSettings.MANY, new ServerTls("relp", files)),
                workers,
                sink,
                () -> new RelpFramer(MESSAGE_BYTES_MAX, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME)),
                Ack.DURABLE);
        listener.start();
        opened.add(() -> listener.close(Duration.ofMillis(200)));
        return listener;
    }

    private ClientTls client(TestPki.@Nullable Identity identity) throws IOException {
        TestPki.Pair pair = identity == null ? null : identity.write(folder, "client");
        return ClientTls.of(
                pki.write(folder), pair == null ? null : pair.certificate(), pair == null ? null : pair.key());
    }

    private SSLSocket connect(InetSocketAddress address, TestPki.@Nullable Identity identity, String protocol)
            throws IOException {
        return connectAs(client(identity), address, protocol);
    }

    private SSLSocket connectAs(ClientTls client, InetSocketAddress address, String protocol) throws IOException {
        SSLSocket socket =
                (SSLSocket) client.context().getSocketFactory().createSocket(address.getAddress(), address.getPort());
        opened.add(socket);
        socket.setEnabledProtocols(new String[] {protocol});
        return socket;
    }

    private SSLSocket connect(StreamListener listener) throws IOException {
        return connect(listener.address(), null, "TLSv1.3");
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String line(String payload) {
        return HEADER + payload + "\n";
    }

    private void awaitTaken(int count) {
        Await.until(() -> sink.takenCount() + " of " + count, () -> sink.takenCount() >= count);
    }

    /** Each key update requests an answer. Only the sockets' buffers bound how many answers the client may leave. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAConnectionThatReadsNoAnswersToItsKeyUpdates(boolean isRelp) throws Exception {
        TlsFiles files = files();
        StreamListener listener = isRelp ? relp(files) : syslog(files);
        SSLSocket socket = (SSLSocket) client(null).context().getSocketFactory().createSocket();
        opened.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.setEnabledProtocols(new String[] {"TLSv1.3"});
        socket.connect(listener.address());
        socket.startHandshake();
        if (!isRelp) {
            send(socket, line("a,1"));
            awaitTaken(1);
        }
        int updates = 0;
        try {
            while (updates < 3_000_000) {
                socket.startHandshake(); // with TLS 1.3, a key update
                updates++;
            }
        } catch (IOException e) {
            // the listener closed the connection
        }
        assertThat(updates).isBetween(256, 2_999_999);
        awaitFault(listener, TlsFault.BROKEN);
    }

    private static void awaitFault(StreamListener listener, TlsFault fault) {
        Await.until(() -> faults(listener), () -> listener.tlsCounters().faults(fault) == 1);
        assertThat(faults(listener)).isEqualTo(fault.label() + " 1 ");
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 0);
        assertThat(listener.counters().failures.sum()).isZero();
    }

    private static String faults(StreamListener listener) {
        StringBuilder text = new StringBuilder();
        for (TlsFault fault : TlsFault.values()) {
            long count = listener.tlsCounters().faults(fault);
            if (count > 0) {
                text.append(fault.label()).append(' ').append(count).append(' ');
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void messagesComeInAndTheOrderlyEndOfTheStreamEndsTheLastLine(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(files());
        SSLSocket socket = connect(listener.address(), null, protocol);
        send(socket, line("one") + HEADER + "two");
        awaitTaken(1);
        socket.close();
        awaitTaken(2);
        assertThat(sink.taken()).containsExactly("one", "two");
        assertThat(sink.rejected()).isEmpty();
        assertThat(listener.tlsCounters().handshakes()).isOne();
        assertThat(faults(listener)).isEmpty();
    }

    @Test
    void anEndThatTheSenderDidNotSayCutsTheLastLineOff() throws Exception {
        SyslogTcpListener listener = syslog(files());
        Socket plain =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        opened.add(plain);
        SSLSocket socket = (SSLSocket)
                client(null).context().getSocketFactory().createSocket(plain, "localhost", plain.getPort(), false);
        send(socket, line("one") + HEADER + "two");
        awaitTaken(1);
        plain.close();
        Await.until(() -> sink.rejected().toString(), () -> !sink.rejected().isEmpty());
        assertThat(sink.taken()).containsExactly("one");
        assertThat(sink.rejected()).singleElement().asString().contains("FRAME").contains("two");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 90, 1000})
    void recordsMayComeInPiecesOfAnySize(int piece) throws Exception {
        SyslogTcpListener listener = syslog(files());
        List<String> payloads =
                IntStream.range(0, 20).mapToObj(i -> "x".repeat(i * 17) + i).toList();
        try (PiecesRelay relay = new PiecesRelay(listener.address(), piece)) {
            SSLSocket socket = connect(relay.address(), null, "TLSv1.3");
            for (String payload : payloads) {
                send(socket, line(payload));
            }
            awaitTaken(payloads.size());
            socket.close();
        }
        assertThat(sink.taken()).containsExactlyElementsOf(payloads);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aSenderIsHeldUpWhileThereIsNoRoomAndNothingIsLost(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(files());
        room.set(false);
        SSLSocket socket = connect(listener.address(), null, protocol);
        String payload = "x".repeat(10_000);
        socket.setSendBufferSize(64 * 1024);
        int messages = 400; // more than sockets hold while nobody reads
        Thread sender = new Thread(() -> {
            try {
                for (int i = 0; i < messages; i++) {
                    send(socket, line(payload + i));
                }
                socket.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        sender.start();
        Await.until(() -> "waiting " + sink.waitingCount(), () -> sink.waitingCount() == 1);
        // The batch of one read waits, and no further bytes are read.
        assertThat(listener.heldBytes()).isLessThan(4 * 64 * 1024);
        assertThat(sender.isAlive()).isTrue();
        room.set(true);
        sink.resume();
        awaitTaken(messages);
        sender.join();
        assertThat(sink.taken())
                .containsExactlyElementsOf(
                        IntStream.range(0, messages).mapToObj(i -> payload + i).toList());
        assertThat(sink.heldBatches()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aSessionOfRelpIsAnsweredInOrderAndEndsInAnOrderlyWay(String protocol) throws Exception {
        RelpListener listener = relp(files());
        RelpScript sender = new RelpScript(connect(listener.address(), null, protocol)).open();
        sender.send(message(2, "one"));
        awaitTaken(1);
        sender.send(message(3, "two"));
        awaitTaken(2);
        sink.receipts().get(1).durable();
        sender.expectNothing();
        sink.receipts().get(0).durable();
        sender.expect(taken(2) + taken(3));
        // A read to the end without an exception means that a close_notify ended it.
        sender.send(frame(4, "close", "")).expect("4 rsp 0\n" + SERVER_CLOSE).expectEnd();
        Await.until(
                () -> listener.counters().open() + " open",
                () -> listener.counters().open() == 0);
        assertThat(faults(listener)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aStopSaysSoAndTakesWhatWasSentUntilTheSenderSawIt(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(files());
        SSLSocket socket = connect(listener.address(), null, protocol);
        send(socket, line("0"));
        awaitTaken(1);
        Thread stop = new Thread(() -> listener.close(Duration.ofSeconds(20)));
        stop.start();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
        stop.join();
        assertThat(sink.taken()).containsExactly("0");
        assertThat(faults(listener)).isEmpty();
    }

    @Test
    void aClientInTheClearIsToldApart() throws Exception {
        SyslogTcpListener listener = syslog(files());
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        opened.add(socket);
        send(socket, line("in the clear"));
        awaitFault(listener, TlsFault.PLAINTEXT);
        assertThat(sink.taken()).isEmpty();
        assertThat(sink.rejected()).isEmpty();
    }

    @Test
    void aClientWithTlsWhereThereIsNoneIsToldApart() throws Exception {
        SyslogTcpListener listener = syslog(null, Duration.ZERO);
        SSLSocket socket = connect(listener);
        assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
        awaitFault(listener, TlsFault.UNEXPECTED_TLS);
        assertThat(sink.taken()).isEmpty();
        assertThat(sink.rejected()).isEmpty();
    }

    @Test
    void aHandshakeThatStallsIsCutOff() throws Exception {
        SyslogTcpListener listener = syslog(TestPki.withHandshakeTimeout(files(), Duration.ofMillis(200)));
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        opened.add(socket);
        socket.getOutputStream().write(new byte[] {22, 3, 1}); // the beginning of a hello
        awaitFault(listener, TlsFault.TIMEOUT);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aRecordThatStallsIsAMessageThatIsTooSlow() throws Exception {
        SyslogTcpListener listener = syslog(new ServerTls("syslog-tcp", files()), Duration.ofMillis(300));
        Socket plain =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        opened.add(plain);
        SSLSocket socket = (SSLSocket)
                client(null).context().getSocketFactory().createSocket(plain, "localhost", plain.getPort(), false);
        send(socket, line("one"));
        awaitTaken(1);
        plain.getOutputStream().write(new byte[] {23, 3, 3, 0x40, 0, 1, 2, 3}); // the beginning of a record of 16 KiB
        Await.until(
                () -> listener.counters().slowCloses.sum() + " slow",
                () -> listener.counters().slowCloses.sum() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientWithoutACertificateIsRefused(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(filesForClients());
        refused(listener, connect(listener.address(), null, protocol));
        awaitFault(listener, TlsFault.NO_CERTIFICATE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientThatNobodyVouchesForIsRefused(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(filesForClients());
        // With the same name, or the client would not even present its certificate.
        refused(listener, connect(listener.address(), new TestPki("test").client("web1"), protocol));
        awaitFault(listener, TlsFault.UNTRUSTED);
    }

    @Test
    void aClientWhoseCertificateIsOverIsRefused() throws Exception {
        SyslogTcpListener listener = syslog(filesForClients());
        refused(listener, connect(listener.address(), pki.expired("web1"), "TLSv1.3"));
        awaitFault(listener, TlsFault.EXPIRED);
    }

    /** A resumed session has no check of the chain. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientWhoseCertificateExpiredMeanwhileCannotResume(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(filesForClients());
        Instant end = Instant.now().plusSeconds(5);
        ClientTls client = client(pki.expiring("web1", Duration.between(Instant.now(), end)));
        SSLSocket first = connectAs(client, listener.address(), protocol);
        send(first, line("one"));
        awaitTaken(1);
        first.close();
        SSLSocket again = connectAs(client, listener.address(), protocol);
        send(again, line("two"));
        awaitTaken(2);
        long created = again.getSession().getCreationTime();
        again.close();
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), end).toMillis() + 1_500)); // times have whole seconds
        SSLSocket late = connectAs(client, listener.address(), protocol);
        if (protocol.equals("TLSv1.2")) {
            late.startHandshake(); // that of a new session would fail
            assertThat(late.getSession().getCreationTime()).as("resumed").isEqualTo(created);
        }
        refused(listener, late);
        awaitFault(listener, TlsFault.EXPIRED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aClientOfAnotherNameIsRefused(String protocol) throws Exception {
        SyslogTcpListener listener = syslog(filesForClients("web1.example.com", "*.eu.example.com"));
        refused(listener, connect(listener.address(), pki.client("web1.example.com", "db.example.com"), protocol));
        awaitFault(listener, TlsFault.NAME);
        SSLSocket good = connect(listener.address(), pki.client("any", "web7.eu.example.com"), protocol);
        send(good, line("one"));
        awaitTaken(1);
    }

    @Test
    void aCertificateMayBeOptional() throws Exception {
        SyslogTcpListener listener =
                syslog(TestPki.withClients(files(), pki.write(folder), ClientCertificates.OPTIONAL, "web1"));
        send(connect(listener), line("nobody"));
        awaitTaken(1);
        send(connect(listener.address(), pki.client("web1"), "TLSv1.3"), line("web1"));
        awaitTaken(2);
        refused(listener, connect(listener.address(), pki.client("web2"), "TLSv1.3"));
        Await.until(() -> faults(listener), () -> listener.tlsCounters().faults(TlsFault.NAME) == 1);
    }

    @Test
    void aListenerThatItsClientDoesNotBelieveIsToldSo() throws Exception {
        SyslogTcpListener listener = syslog(files());
        ClientTls stranger = ClientTls.of(new TestPki("other").write(folder), null, null);
        assertThatThrownBy(() -> stranger.connect(listener.address())).isInstanceOf(IOException.class);
        awaitFault(listener, TlsFault.REFUSED_BY_CLIENT);
    }

    @Test
    void aVersionOfYesterdayIsRefused() throws Exception {
        SyslogTcpListener listener = syslog(files());
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        opened.add(socket);
        socket.getOutputStream().write(helloOfTls10());
        awaitFault(listener, TlsFault.PROTOCOL);
    }

    /** RFC 2246: a ClientHello with one cipher and no extensions, which the JDK no longer makes. */
    private static byte[] helloOfTls10() {
        byte[] record = new byte[5 + 4 + 2 + 32 + 1 + 4 + 2];
        record[0] = 22;
        record[1] = 3;
        record[2] = 1;
        record[4] = (byte) (record.length - 5);
        record[5] = 1;
        record[8] = (byte) (record.length - 9);
        record[9] = 3;
        record[10] = 1;
        record[record.length - 5] = 2;
        record[record.length - 3] = 0x2f; // TLS_RSA_WITH_AES_128_CBC_SHA
        record[record.length - 2] = 1;
        return record;
    }

    /** Reads once: in TLS 1.3 a client learns of a refusal at its first read, after its own end of the handshake. */
    private void refused(StreamListener listener, SSLSocket socket) {
        assertThatThrownBy(() -> {
                    socket.startHandshake();
                    send(socket, line("from nobody"));
                    if (socket.getInputStream().read() < 0) {
                        throw new IOException("ended");
                    }
                })
                .isInstanceOf(IOException.class);
        assertThat(sink.taken()).doesNotContain("from nobody");
        assertThat(listener.counters().failures.sum()).isZero();
    }

    @Test
    void aCertificateIsReplacedUnderTrafficAndABrokenOneIsNot() throws Exception {
        TestPki.Pair pair = pki.server().write(folder, "server");
        ServerTls tls = new ServerTls("syslog-tcp", pair.files());
        SyslogTcpListener listener = syslog(tls, Duration.ZERO);
        SSLSocket before = connect(listener);
        send(before, line("0"));
        awaitTaken(1);
        Object first = before.getSession().getPeerCertificates()[0];

        TestPki.Identity next = pki.server();
        next.replace(pair);
        tls.refresh();
        SSLSocket after = connect(listener);
        send(before, line("1"));
        awaitTaken(2);
        send(after, line("2"));
        awaitTaken(3);
        assertThat(after.getSession().getPeerCertificates()[0])
                .isEqualTo(next.certificate())
                .isNotEqualTo(first);
        assertThat(tls.reloads()).isOne();

        Files.writeString(pair.key(), "rubbish");
        tls.refresh();
        assertThat(tls.failedReloads()).isOne();
        assertThat(tls.isCurrent()).isFalse();
        tls.refresh();
        assertThat(tls.failedReloads()).as("until it changes again").isOne();
        SSLSocket last = connect(listener);
        send(last, line("3"));
        awaitTaken(4);
        assertThat(last.getSession().getPeerCertificates()[0]).isEqualTo(next.certificate());

        next.replace(pair);
        tls.refresh();
        assertThat(tls.isCurrent()).isTrue();
        assertThat(sink.taken()).containsExactly("0", "1", "2", "3");
    }
}
