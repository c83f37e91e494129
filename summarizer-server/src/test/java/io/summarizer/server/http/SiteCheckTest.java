package io.summarizer.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.NettyWorkers;
import io.summarizer.server.tls.ServerTls;
import io.summarizer.server.tls.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteCheckTest {
    private static final List<String> NAMES =
            List.of("events.example.com", "*.eu.example.com", "198.51.100.7", "2001:db8::7");

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicLong changes = new AtomicLong();

    @TempDir
    Path folder;

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static InetSocketAddress at(String address) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(address), 8080);
    }

    private static HttpRequest request(String method, String path, String... headers) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), path);
        for (int i = 0; i < headers.length; i += 2) {
            request.headers().add(headers[i], headers[i + 1]);
        }
        return request;
    }

    private SiteCheck.@Nullable Refusal refusal(SiteCheck check, InetSocketAddress local, HttpRequest request) {
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        Router router = new HttpListener(HttpSettings.of(local), workers, Optional::empty).router();
        return check.refusal(
                local, request, router.match(request.uri(), request.method()).resource());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, localhost, true",
        "127.0.0.1, LOCALHOST:8080, true",
        "127.0.0.1, localhost.:8080, true",
        "127.0.0.1, 127.0.0.1:8080, true",
        "127.0.0.1, 127.0.0.1:9999, true", // a forwarded port
        "127.0.0.1, [::1]:8080, true",
        "127.0.0.1, [0:0:0:0:0:0:0:1], true",
        "127.0.0.1, events.example.com:8080, true",
        "127.0.0.1, a.eu.example.com, true",
        "127.0.0.1, a.b.eu.example.com, false",
        "127.0.0.1, 198.51.100.7, true",
        "127.0.0.1, [2001:db8:0::7]:80, true",
        "127.0.0.1, evil.example.com, false",
        "127.0.0.1, evil.example.com:8080, false",
        "127.0.0.1, localhost.evil.example.com, false",
        "127.0.0.1, 203.0.113.5:8080, false",
        "127.0.0.1, '', false",
        "127.0.0.1, '\"><b>', false",
        "203.0.113.5, 203.0.113.5:8080, true",
        "203.0.113.5, localhost, false",
        "203.0.113.5, 127.0.0.1, false",
        "2001:db8::5, [2001:DB8::5]:8080, true",
        "2001:db8::5, [2001:db8::6]:8080, false",
    })
    void shouldKnowItsHosts(String local, String host, boolean ours) throws Exception {
        SiteCheck check = new SiteCheck(InetSocketAddress.createUnresolved("0.0.0.0", 8080), NAMES, null);
        SiteCheck.Refusal refusal = refusal(check, at(local), request("GET", "/summaries", "Host", host));
        assertThat(refusal == null).isEqualTo(ours);
        if (refusal != null) {
            assertThat(refusal.rule()).isEqualTo(SiteCheck.Rule.HOST);
            assertThat(refusal.text()).contains(host, "http.names");
        }
    }

    @Test
    void shouldCountTheNameThatItIsBoundToAndThoseOfItsCertificate() throws Exception {
        TestPki pki = new TestPki("test");
        TestPki.Pair pair =
                pki.client("unused", "web.example.com", "*.eu.example.com").write(folder, "server");
        ServerTls tls = new ServerTls("http", pair.files());
        SiteCheck check = new SiteCheck(InetSocketAddress.createUnresolved("bound.example.com", 8080), List.of(), tls);
        for (String host : List.of("bound.example.com", "web.example.com:8443", "a.eu.example.com")) {
            assertThat(refusal(check, at("203.0.113.5"), request("GET", "/summaries", "Host", host)))
                    .as(host)
                    .isNull();
        }
        assertThat(refusal(check, at("203.0.113.5"), request("GET", "/summaries", "Host", "unused")))
                .isNotNull();
    }

    @Test
    void shouldAskForOneHostExceptOfHttp10() throws Exception {
        SiteCheck check = new SiteCheck(at("127.0.0.1"), List.of(), null);
        assertThat(refusal(check, at("127.0.0.1"), request("GET", "/summaries")))
                .isNotNull();
        assertThat(refusal(
                        check,
                        at("127.0.0.1"),
                        request("GET", "/summaries", "Host", "localhost", "Host", "evil.example.com")))
                .isNotNull();
        HttpRequest old = new DefaultHttpRequest(HttpVersion.HTTP_1_0, HttpMethod.GET, "/summaries");
        assertThat(refusal(check, at("127.0.0.1"), old)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, cross-site, navigate, document, true",
        "GET, /, cross-site, navigate, iframe, false",
        "GET, /, cross-site, no-cors, empty, false",
        "POST, /, cross-site, navigate, document, false",
        "GET, /summaries/A.csv, cross-site, navigate, document, false",
        "GET, /summaries/A.csv, cross-site, no-cors, image, false",
        "GET, /state, cross-site, navigate, document, false",
        "GET, /metrics, CROSS-SITE, cors, empty, false",
        "POST, /definitions/reload, cross-site, no-cors, empty, false",
        "GET, /state, none, navigate, document, true",
        "GET, /summaries, same-origin, cors, empty, true",
        "GET, /summaries, same-site, cors, empty, true",
        "HEAD, /summaries/A.csv, same-site, no-cors, empty, true",
        "GET, /state, same-site, navigate, document, false",
        "POST, /summaries/A/reset, same-site, no-cors, empty, false",
        "POST, /definitions/reload, Same-Site, no-cors, empty, false",
        "POST, /definitions/plan, same-site, navigate, document, false",
        "POST, /summaries/A/reset, same-origin, cors, empty, true",
        "POST, /summaries/A/reset, none, no-cors, empty, true",
        "GET, /state, same-origin, cors, empty, true",
        "GET, /summaries, somewhere, cors, empty, false",
        "GET, /healthz, cross-site, no-cors, image, true",
        "GET, /readyz, cross-site, no-cors, image, true",
    })
    void shouldLetPagesOfOtherSitesDoNoMoreThanLink(
            String method, String path, String site, String mode, String dest, boolean granted) throws Exception {
        SiteCheck check = new SiteCheck(at("127.0.0.1"), List.of(), null);
        SiteCheck.Refusal refusal = refusal(
                check,
                at("127.0.0.1"),
                request(
                        method,
                        path,
                        "Host",
                        "localhost:8080",
                        "Sec-Fetch-Site",
                        site,
                        "Sec-Fetch-Mode",
                        mode,
                        "Sec-Fetch-Dest",
                        dest));
        assertThat(refusal == null).isEqualTo(granted);
        assertThat(refusal == null || refusal.rule() == SiteCheck.Rule.SITE).isTrue();
    }

    private HttpListener start() throws IOException {
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        HttpListener listener = new HttpListener(
                HttpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)), workers, Optional::empty);
        listener.start();
        opened.add(listener);
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        DefinitionsControl definitions = new DefinitionsControl() {
            @Override
            public CompletableFuture<Answer> reload() {
                changes.incrementAndGet();
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
                    out.write("key\n1\n".getBytes(US_ASCII));
                    return true;
                });
        return listener;
    }

    private String ask(HttpListener listener, String requestLine, String headers) throws IOException {
        try (Socket socket =
                new Socket(listener.address().getAddress(), listener.address().getPort())) {
            socket.setSoTimeout(30_000);
            String request = requestLine + " HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /",
                "GET /summaries",
                "GET /summaries/A.csv",
                "GET /state",
                "GET /metrics",
                "GET /definitions",
                "GET /ledger",
                "GET /resets",
                "GET /topics?topic=a",
                "GET /nowhere",
                "GET /summaries?nonsense=1",
                "POST /definitions/reload",
                "POST /summaries/A/reset"
            })
    void shouldRefuseAReboundNameAndAPageOfAnotherSiteOverASocket(String request) throws Exception {
        HttpListener listener = start();
        assertThat(ask(listener, request, "Host: evil.example.com:8080\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .contains("evil.example.com:8080", "http.names");
        assertThat(ask(listener, request, "Host: localhost:8080\r\nSec-Fetch-Site: cross-site\r\n"))
                .startsWith("HTTP/1.1 403 ")
                .contains("a page of another site");
        assertThat(listener.counters().refusedHosts.sum()).isOne();
        assertThat(listener.counters().refusedSites.sum()).isOne();
        assertThat(changes).hasValue(0);
        assertThat(ask(listener, "GET /metrics", "Host: localhost\r\n"))
                .contains(
                        "summarizer_http_refused_total{reason=\"host\"} 1.0",
                        "summarizer_http_refused_total{reason=\"site\"} 1.0");
    }

    @Test
    void shouldAnswerProbesWhateverNameTheyUse() throws Exception {
        HttpListener listener = start();
        for (String headers : List.of("Host: 203.0.113.5\r\n", "Host: pod-7\r\nSec-Fetch-Site: cross-site\r\n")) {
            assertThat(ask(listener, "GET /healthz", headers)).startsWith("HTTP/1.1 200 ");
            assertThat(ask(listener, "GET /readyz", headers)).startsWith("HTTP/1.1 200 ");
        }
        assertThat(listener.counters().refusedHosts.sum()).isZero();
    }
}
