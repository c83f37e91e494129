package io.summarizer.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.LogLines;
import io.summarizer.server.Await;
import io.summarizer.server.PiecesRelay;
import io.summarizer.server.access.AccessControl;
import io.summarizer.server.access.Role;
import io.summarizer.server.access.Token;
import io.summarizer.server.explain.TopicExplainer;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.NettyWorkers;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TestPki;
import io.summarizer.server.tls.TlsFault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access over HTTP, with and without TLS. */
class HttpAccessTest {
    private final Token reader = Token.random();
    private final Token admin = Token.random();
    private final TestPki pki = new TestPki("test");
    private final AtomicLong cuts = new AtomicLong();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final LogLines log = LogLines.of("io.summarizer");

    @TempDir
    Path folder;

    private @Nullable AccessControl access;
    private volatile @Nullable ServerMetrics metrics;

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        log.close();
        List<String> logged = log.records().stream()
                .map(line -> line.getMessage() + " " + line.getThrown())
                .toList();
        String all = String.join("\n", logged);
        assertThat(all).doesNotContain(reader.secret(), admin.secret());
        if (metrics != null) {
            assertThat(logged).allSatisfy(line -> assertThat(line).doesNotContain("failed"));
        }
    }

    private HttpListener start(boolean encrypted) throws IOException {
        HttpListener listener = starting(encrypted);
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        this.metrics = metrics;
        CompletableFuture<DefinitionsControl.Answer> done = CompletableFuture.completedFuture(
                new DefinitionsControl.Answer(DefinitionsControl.Outcome.DONE, "all is well"));
        DefinitionsControl definitions = new DefinitionsControl() {
            @Override
            public CompletableFuture<DefinitionsControl.Answer> reload() {
                return done;
            }

            @Override
            public CompletableFuture<DefinitionsControl.Answer> plan() {
                return done;
            }
        };
        CutSource source = () -> Cuts.of(cuts.incrementAndGet(), "Campaigns", 100);
        listener.topics(new TopicExplainer(List.of(), List.of()));
        listener.serve(
                source,
                metrics,
                definitions,
                (summary, fields, query) -> out -> pauses -> {
                    out.write("key\n1\n".getBytes(US_ASCII));
                    return true;
                });
        return listener;
    }

    /** Starts a listener that has nothing to serve yet. */
    private HttpListener starting(boolean encrypted) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        Path file = Files.write(
                folder.resolve("tokens"), List.of(reader.line(Role.READ, "reader"), admin.line(Role.ADMIN, "admin")));
        AccessControl access = new AccessControl(file);
        this.access = access;
        ServerTls tls = null;
        if (encrypted) {
            TestPki.Pair pair = pki.server().write(folder, "server");
            tls = new ServerTls("http", pair.files());
        }
        HttpListener listener = new HttpListener(
                HttpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .with(tls, access),
                workers,
                () -> metrics == null ? Optional.of("starting") : Optional.empty());
        listener.start();
        opened.add(listener);
        return listener;
    }

    private long count(AccessControl.Answer answer) {
        if (access == null) {
            throw new AssertionError("not started");
        }
        return access.count(answer);
    }

    private static HttpResponse<String> ask(
            HttpClient client, String base, String method, String path, @Nullable Token token) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).method(method, HttpRequest.BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token.secret());
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> ask(HttpListener listener, String method, String path, @Nullable Token token)
            throws Exception {
        return ask(
                HttpClient.newHttpClient(),
                "http://127.0.0.1:" + listener.address().getPort(),
                method,
                path,
                token);
    }

    @Test
    void whileItStartsNobodyHearsMoreWithoutAToken() throws Exception {
        HttpListener listener = starting(false);
        assertThat(ask(listener, "GET", "/readyz", null).statusCode()).isEqualTo(503);
        assertThat(ask(listener, "GET", "/summaries", null).statusCode()).isEqualTo(401);
        assertThat(ask(listener, "POST", "/definitions/reload", reader).statusCode())
                .isEqualTo(403);
        assertThat(ask(listener, "GET", "/summaries", reader).statusCode()).isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, 200, 200",
        "GET, /summaries, 200, 200",
        "GET, /summaries/Campaigns.csv, 200, 200",
        "GET, /ledger, 200, 200",
        "GET, /resets, 200, 200",
        "GET, /metrics, 200, 200",
        "GET, /topics?topic=a, 200, 200",
        "GET, /definitions, 200, 200",
        "GET, /nowhere, 404, 404",
        "GET, /summaries?nonsense=1, 400, 400",
        "HEAD, /state, 403, 200",
        "POST, /definitions/reload, 403, 200",
        "POST, /definitions/plan, 403, 200",
        "GET, /definitions/reload, 403, 405",
        "POST, /summaries/Nothing/reset, 403, 503",
        "POST, /summaries, 405, 405",
        "POST, /nowhere, 404, 404",
        "POST, /summaries/A, 404, 404",
    })
    void eachTakesItsRole(String method, String path, int forReaders, int forAdmins) throws Exception {
        HttpListener listener = start(false);
        HttpResponse<String> nobody = ask(listener, method, path, null);
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.headers().allValues("WWW-Authenticate"))
                .containsExactly("Bearer realm=\"summarizer\"", "Basic realm=\"summarizer\", charset=\"UTF-8\"");
        assertThat(ask(listener, method, path, Token.random()).statusCode()).isEqualTo(401);
        assertThat(ask(listener, method, path, reader).statusCode()).isEqualTo(forReaders);
        assertThat(ask(listener, method, path, admin).statusCode()).isEqualTo(forAdmins);
        assertThat(count(AccessControl.Answer.MISSING)).isOne();
        assertThat(count(AccessControl.Answer.UNKNOWN)).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/readyz"})
    void whetherItLivesAnybodyMayAsk(String path) throws Exception {
        HttpListener listener = start(false);
        assertThat(ask(listener, "GET", path, null).statusCode()).isEqualTo(200);
        assertThat(ask(listener, "GET", path, Token.random()).statusCode()).isEqualTo(200);
    }

    @Test
    void aBrowserMaySendTheTokenAsAPassword() throws Exception {
        HttpListener listener = start(false);
        String pair = Base64.getEncoder().encodeToString(("me:" + reader.secret()).getBytes(UTF_8));
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + listener.address().getPort() + "/"))
                                .header("Authorization", "Basic " + pair)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void aPageOfAnotherSiteChangesNothingThoughTheBrowserSendsTheToken() throws Exception {
        HttpListener listener = start(false);
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        "http://127.0.0.1:" + listener.address().getPort() + "/definitions/reload"))
                                .header("Authorization", "Bearer " + admin.secret())
                                .header("Origin", "http://evil.example.com")
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(403);
    }

    @Test
    void aConnectionThatGuessesIsClosed() throws Exception {
        HttpListener listener = start(false);
        try (Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort())) {
            socket.setSoTimeout(30_000);
            String guess = "GET /ledger HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess\r\n\r\n";
            socket.getOutputStream().write(guess.repeat(100).getBytes(US_ASCII));
            String answers = readAll(socket);
            assertThat(answers.split("HTTP/1.1 401", -1)).hasSize(1 + 5);
            assertThat(answers).contains("connection: close");
        }
        assertThat(count(AccessControl.Answer.UNKNOWN)).isEqualTo(5);
    }

    /** Reads all bytes before the end, which may be a reset: the last requests are no longer read. */
    private static String readAll(Socket socket) {
        StringBuilder text = new StringBuilder();
        try {
            int read;
            while ((read = socket.getInputStream().read()) >= 0) {
                text.append((char) read);
            }
        } catch (IOException e) {
            // The end.
        }
        return text.toString();
    }

    private HttpClient believing() throws IOException {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(ClientTls.of(pki.write(folder), null, null).context())
                .build();
    }

    @Test
    void itIsAnsweredWithinTlsOneRequestAfterTheOther() throws Exception {
        HttpListener listener = start(true);
        HttpClient client = believing();
        String base = "https://localhost:" + listener.address().getPort();
        for (int i = 0; i < 3; i++) {
            assertThat(ask(client, base, "GET", "/summaries/Campaigns.csv", reader)
                            .body())
                    .isEqualTo("key\n1\n");
            assertThat(ask(client, base, "GET", "/state", admin).statusCode()).isEqualTo(200);
        }
        assertThat(ask(client, base, "GET", "/ledger", null).statusCode()).isEqualTo(401);
        assertThat(ask(client, base, "GET", "/", reader).body())
                .contains(base + "/summaries/")
                .doesNotContain("http://");
        assertThat(listener.tlsCounters().handshakes()).isOne();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100})
    void requestsWithinTlsMayComeInPieces(int piece) throws Exception {
        HttpListener listener = start(true);
        try (PiecesRelay relay = new PiecesRelay(listener.address(), piece)) {
            String base = "https://localhost:" + relay.address().getPort();
            HttpClient client = believing();
            for (int i = 0; i < 3; i++) {
                assertThat(ask(client, base, "GET", "/summaries/Campaigns.csv", reader)
                                .body())
                        .isEqualTo("key\n1\n");
            }
            opened.remove(listener);
            listener.close(); // so that the relay ends
        }
    }

    @Test
    void whoSpeaksTheOtherWayIsToldApart() throws Exception {
        HttpListener encrypted = start(true);
        assertThatThrownBy(() -> ask(encrypted, "GET", "/healthz", null)).isInstanceOf(IOException.class);
        Await.until(() -> "none", () -> encrypted.tlsCounters().faults(TlsFault.PLAINTEXT) >= 1);
        HttpListener plain = start(false);
        assertThatThrownBy(() ->
                        ask(believing(), "https://localhost:" + plain.address().getPort(), "GET", "/healthz", null))
                .isInstanceOf(IOException.class);
        Await.until(() -> "none", () -> plain.tlsCounters().faults(TlsFault.UNEXPECTED_TLS) >= 1);
        assertThatThrownBy(() -> ask(
                        HttpClient.newHttpClient(),
                        "https://localhost:" + encrypted.address().getPort(),
                        "GET",
                        "/healthz",
                        null))
                .isInstanceOf(SSLException.class);
        Await.until(
                () -> "none",
                () -> encrypted.tlsCounters().faults(TlsFault.REFUSED_BY_CLIENT)
                                + encrypted.tlsCounters().faults(TlsFault.CLOSED) // not all clients say why
                        >= 1);
    }
}
