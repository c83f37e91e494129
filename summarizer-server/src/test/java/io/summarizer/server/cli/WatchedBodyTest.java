package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchedBodyTest {
    @Test
    void givesTheBytesOfTheBody() throws IOException {
        InputStream body = new ByteArrayInputStream(new byte[] {1, (byte) 255});
        try (WatchedBody watched = new WatchedBody(body, "broken", Duration.ofMinutes(1))) {
            assertThat(new int[] {watched.read(), watched.read(), watched.read()})
                    .containsExactly(1, 255, -1);
        }
    }

    /** A host that vanishes sends no end. */
    @Test
    void failsWhenNothingComesAnyMore() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            out.write("rows".getBytes(StandardCharsets.UTF_8));
            out.flush();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            InputStream body = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofInputStream())
                    .body();
            try (WatchedBody watched = new WatchedBody(body, "broken", Duration.ofMillis(200))) {
                assertThat(watched.readNBytes(4))
                        .asString(StandardCharsets.UTF_8)
                        .isEqualTo("rows");
                assertThatThrownBy(watched::read).hasMessageStartingWith("no further rows came for");
            }
        } finally {
            end.countDown();
            server.stop(0);
        }
    }
}
