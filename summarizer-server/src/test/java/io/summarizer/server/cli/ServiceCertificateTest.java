package io.summarizer.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.summarizer.server.tls.ClientTls;
import io.summarizer.server.tls.TestPki;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask a service which requires certificates. */
class ServiceCertificateTest {
    private final TestPki pki = new TestPki("ca");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpsServer service;
    private String ca;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws IOException {
        ca = pki.write(folder).toString();
        TestPki.Pair own = pki.server().write(folder, "service");
        service = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setHttpsConfigurator(
                new HttpsConfigurator(
                        ClientTls.of(Path.of(ca), own.certificate(), own.key()).context()) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        SSLParameters required = getSSLContext().getDefaultSSLParameters();
                        required.setNeedClientAuth(true);
                        parameters.setSSLParameters(required);
                    }
                });
        service.createContext("/", exchange -> {
            byte[] answer =
                    "{\"cut\":7,\"rows\":1,\"csv\":\"/summaries/Hits.csv?cut=7\",\"kept_seconds\":60}".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void stop() {
        service.stop(0);
    }

    private int reset(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "reset",
                "Hits",
                "--yes",
                "--server",
                "https://localhost:" + service.getAddress().getPort(),
                "--ca",
                ca));
        arguments.addAll(List.of(more));
        return Main.run(Terminal.of(out, err), Map.of(), arguments.toArray(String[]::new));
    }

    @Test
    void shouldShowACertificate() throws IOException {
        TestPki.Pair own = pki.client("analyst").write(folder, "analyst");
        int status =
                reset("--cert", own.certificate().toString(), "--key", own.key().toString());
        assertThat(status).as(err.toString(UTF_8)).isZero();
        assertThat(out.toString(UTF_8).strip()).isEqualTo("7");
    }

    @Test
    void shouldSayThatTheServiceAsksForACertificate() {
        assertThat(reset()).isEqualTo(3);
        assertThat(err.toString(UTF_8)).contains("give --cert FILE and --key FILE");
    }

    @Test
    void shouldNotTakeACertificateWithoutItsKey() {
        assertThat(reset("--cert", ca)).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("--cert and --key: one goes with the other");
    }
}
