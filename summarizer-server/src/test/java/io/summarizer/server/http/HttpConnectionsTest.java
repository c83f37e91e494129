package io.summarizer.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.net.NettyWorkers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The HTTP connections that are closed when there are too many, and the health checks that are answered nevertheless.
 */
class HttpConnectionsTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SPARE = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        goOn.countDown();
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private HttpListener start(HttpSettings settings) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        HttpListener listener = new HttpListener(settings, workers, Optional::empty, nanos::get);
        listener.start();
        opened.add(listener);
        return listener;
    }

    private HttpListener serving(int max, int maxOfAddress, Duration request, Duration idle) throws IOException {
        HttpListener listener = start(HttpSettings.of(ANY)
                .with(
                        new ConnectionLimits(max, maxOfAddress, request, idle),
                        HttpSettings.Limits.of(LONG, LONG, 64 << 20)));
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        DefinitionsControl definitions = new DefinitionsControl() {
            @Override
            public CompletableFuture<Answer> reload() {
                return CompletableFuture.completedFuture(new Answer(Outcome.DONE, "done"));
            }

            @Override
            public CompletableFuture<Answer> plan() {
                return reload();
            }
        };
        listener.serve(
                () -> Cuts.of(1, "A", 3),
                metrics,
                definitions,
                (summary, fields, query) -> out -> pauses -> {
                    out.write("a row\n".getBytes(US_ASCII));
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return true;
                });
        return listener;
    }

    private Socket connect(HttpListener listener) throws IOException {
        Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort());
        socket.setSoTimeout(30_000);
        opened.add(socket);
        return socket;
    }

    /** Opens a connection that has its seat when this returns. */
    private Socket connectAs(HttpListener listener, int number) throws IOException {
        Socket socket = connect(listener);
        Await.until(() -> listener.open() + " open", () -> listener.open() == number);
        nanos.incrementAndGet();
        return socket;
    }

    private static void send(Socket socket, String path, String headers) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
        socket.getOutputStream().write(request.getBytes(US_ASCII));
    }

    /** Returns status and body of an answer with a length. */
    private String ask(Socket socket, String path) throws IOException {
        send(socket, path, "");
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = socket.getInputStream().read();
            assertThat(read).as(head.toString()).isNotNegative();
            head.append((char) read);
        }
        String lower = head.toString().toLowerCase(Locale.ROOT);
        int at = lower.indexOf("content-length: ") + "content-length: ".length();
        int length = Integer.parseInt(lower.substring(at, lower.indexOf("\r\n", at)));
        nanos.incrementAndGet();
        return head.substring(9, 12) + " " + new String(socket.getInputStream().readNBytes(length), UTF_8);
    }

    private static boolean isClosed(Socket socket) throws SocketTimeoutException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            throw e; // it is still open
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void shouldAnswerHealthChecksAndAllElseBesideIdleConnections() throws Exception {
        HttpListener listener = serving(256, 128, LONG, LONG);
        for (int i = 0; i < 300; i++) {
            connect(listener);
        }
        for (String path : List.of("/healthz", "/readyz", "/metrics", "/summaries")) {
            assertThat(ask(connect(listener), path)).as(path).startsWith("200 ");
        }
        assertThat(listener.counters().displacedAddress.sum()).isGreaterThanOrEqualTo(300 - 128);
        assertThat(listener.counters().connectionsRefused.sum()).isZero();
        assertThat(listener.open()).isLessThanOrEqualTo(256);
    }

    @Test
    void shouldCloseWhoNeverAskedThenWhoIsLongestWithoutARequest() throws Exception {
        HttpListener listener = serving(3, 3, LONG, LONG);
        Socket early = connectAs(listener, 1);
        assertThat(ask(early, "/healthz")).isEqualTo("200 ok\n");
        Socket idle = connectAs(listener, 2);
        Socket late = connectAs(listener, 3);
        assertThat(ask(late, "/healthz")).isEqualTo("200 ok\n");
        nanos.addAndGet(SPARE.toNanos() + 1_000);
        Socket fourth = connect(listener);
        assertThat(isClosed(idle)).isTrue();
        assertThat(ask(fourth, "/healthz")).isEqualTo("200 ok\n");
        Socket fifth = connect(listener);
        assertThat(isClosed(early)).isTrue();
        assertThat(ask(fifth, "/healthz")).isEqualTo("200 ok\n");
        assertThat(ask(late, "/metrics")).startsWith("200 ");
        assertThat(listener.counters().displacedAddress.sum()).isEqualTo(2);
    }

    @Test
    void shouldKeepAReserveForHealthChecksWhenAllOthersDoWell() throws Exception {
        HttpListener listener = serving(3, 3, LONG, LONG);
        List<Socket> good = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            good.add(connectAs(listener, i + 1));
            assertThat(ask(good.get(i), "/healthz")).isEqualTo("200 ok\n");
        }
        for (int i = 0; i < 100; i++) {
            connect(listener); // and sends no byte
        }
        assertThat(ask(connect(listener), "/healthz")).isEqualTo("200 ok\n");
        assertThat(ask(connect(listener), "/readyz")).isEqualTo("200 ready\n");
        assertThat(ask(connect(listener), "/summaries")).startsWith("503 ").contains("http.max-connections");
        for (Socket socket : good) {
            assertThat(ask(socket, "/metrics")).startsWith("200 ");
        }
        assertThat(listener.counters().connectionsRefused.sum()).isEqualTo(103);
        assertThat(listener.open()).isLessThanOrEqualTo(3 + 32);
    }

    /** A slow check keeps its place, however many connections another address opens meanwhile. */
    @Test
    void shouldKeepAPlaceInTheReserveFromAFloodOfAnotherAddress() throws Exception {
        HttpListener listener = serving(1, 1, LONG, LONG);
        Socket good = connectAs(listener, 1);
        assertThat(ask(good, "/healthz")).isEqualTo("200 ok\n");
        Socket check = connectAs(listener, 2);
        for (int i = 0; i < 200; i++) {
            connectFrom("127.0.0.2", listener);
        }
        Socket last = connectFrom("127.0.0.2", listener);
        assertThat(ask(last, "/healthz")).isEqualTo("200 ok\n"); // so that all before it were accepted
        assertThat(ask(check, "/healthz")).isEqualTo("200 ok\n");
        assertThat(listener.open()).isLessThanOrEqualTo(1 + 64);
    }

    private Socket connectFrom(String address, HttpListener listener) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(address, 0));
        socket.connect(listener.address());
        socket.setSoTimeout(30_000);
        opened.add(socket);
        return socket;
    }

    @Test
    void shouldCloseAConnectionWithARunningAnswerOnlyWhenNothingElseIsLeft() throws Exception {
        HttpListener listener = serving(2, 2, LONG, LONG);
        Socket download = connectAs(listener, 1);
        send(download, "/summaries/A.csv", "");
        Await.until(() -> "no answer", () -> listener.counters().requests.sum() == 1);
        nanos.incrementAndGet();
        Socket other = connectAs(listener, 2);
        assertThat(ask(other, "/healthz")).isEqualTo("200 ok\n");
        // The only event loop answers this one after it has noted the end of the answer before.
        assertThat(ask(connect(listener), "/healthz")).isEqualTo("200 ok\n");
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        Socket third = connect(listener);
        assertThat(isClosed(other)).isTrue();
        send(third, "/summaries/A.csv", "");
        Await.until(() -> "no answer", () -> listener.counters().requests.sum() == 4);
        assertThat(ask(connect(listener), "/healthz")).isEqualTo("200 ok\n");
        assertThat(isClosed(download)).as("for an hour").isTrue();
    }

    @Test
    void shouldCloseWhoDoesNotCompleteARequestInTime() throws Exception {
        HttpListener listener = serving(10, 10, Duration.ofMillis(100), LONG);
        assertThat(isClosed(connect(listener))).isTrue();
        Socket half = connect(listener);
        half.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: local".getBytes(US_ASCII));
        assertThat(isClosed(half)).isTrue();
        Socket body = connect(listener);
        body.getOutputStream()
                .write("POST /definitions/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
                        .getBytes(US_ASCII));
        assertThat(isClosed(body)).isTrue();
        Socket second = connect(listener);
        assertThat(ask(second, "/healthz")).isEqualTo("200 ok\n");
        second.getOutputStream().write("GET /he".getBytes(US_ASCII));
        assertThat(isClosed(second)).isTrue();
    }

    /** RFC 9112, 9.6: a client that gets no answer to a request may rely on it that nothing was changed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                "GET /healthz HTTP/1.0\r\n\r\n"
            })
    void shouldNotServeWhatComesAfterTheLastRequest(String last) throws Exception {
        HttpListener listener = serving(10, 10, LONG, LONG);
        for (int i = 1; i <= 20; i++) {
            Socket socket = connect(listener);
            String requests = last + "POST /definitions/reload HTTP/1.1\r\nHost: localhost\r\n\r\n";
            socket.getOutputStream().write(requests.getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .containsOnlyOnce("HTTP/1.1 ");
            assertThat(listener.counters().requests.sum()).isEqualTo(i);
        }
    }

    @Test
    void shouldCloseWhoIsIdleBetweenRequests() throws Exception {
        HttpListener listener = serving(10, 10, LONG, Duration.ofMillis(100));
        Socket socket = connect(listener);
        assertThat(ask(socket, "/healthz")).isEqualTo("200 ok\n");
        assertThat(isClosed(socket)).isTrue();
    }

    @Test
    void shouldAnswerHealthAloneAtAPortOfItsOwn() throws Exception {
        HttpListener health = start(HttpSettings.ofHealth(ANY));
        for (int i = 0; i < 200; i++) {
            connect(health);
        }
        Socket socket = connect(health);
        assertThat(ask(socket, "/healthz")).isEqualTo("200 ok\n");
        assertThat(ask(socket, "/readyz")).isEqualTo("200 ready\n");
        assertThat(ask(socket, "/metrics")).startsWith("404 ").contains("/healthz and /readyz");
        assertThat(isClosed(socket)).isTrue();
    }
}
