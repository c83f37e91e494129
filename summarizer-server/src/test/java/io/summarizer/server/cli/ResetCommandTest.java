package io.summarizer.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code reset}, against a service that records requests. */
class ResetCommandTest {
    private final List<String> asked = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] answer = "{\"cut\":7,\"rows\":1234,\"csv\":\"/summaries/Hits.csv?cut=7\",\"kept_seconds\":60}"
                    .getBytes(UTF_8);
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

    private int reset(boolean isTerminal, String typed, String... more) {
        Terminal streams = Terminal.of(out, err);
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(typed.getBytes(UTF_8)),
                streams.out(),
                streams.data(),
                streams.err(),
                isTerminal,
                false,
                false,
                80);
        List<String> arguments = new ArrayList<>(List.of(
                "reset",
                "Hits",
                "--server",
                "http://127.0.0.1:" + service.getAddress().getPort()));
        arguments.addAll(List.of(more));
        return Main.run(terminal, Map.of(), arguments.toArray(String[]::new));
    }

    private void isDone(int status) {
        assertThat(status).as(err.toString(UTF_8)).isZero();
        assertThat(asked).containsExactly("POST /summaries/Hits/reset");
        assertThat(out.toString(UTF_8)).isEqualTo("7" + System.lineSeparator());
        assertThat(err.toString(UTF_8)).contains("Hits was emptied of 1,234 rows, kept at ");
    }

    @Test
    void shouldAskForTheNameOnATerminal() {
        isDone(reset(true, "Hits\n"));
        assertThat(err.toString(UTF_8)).startsWith("This empties Hits. Type its name to go on: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "hits\n", "y\n", "Hits2\n"})
    void shouldDoNothingWhenSomethingElseIsTyped(String typed) {
        assertThat(reset(true, typed)).isEqualTo(1);
        assertThat(asked).isEmpty();
        assertThat(err.toString(UTF_8)).contains("that is not `Hits`, so nothing was emptied");
    }

    @Test
    void shouldNotAskWhenToldSo() {
        isDone(reset(true, "", "--yes"));
    }

    @Test
    void shouldNotAskWhereThereIsNoTerminal() {
        isDone(reset(false, ""));
        assertThat(err.toString(UTF_8)).doesNotContain("Type its name");
    }
}
