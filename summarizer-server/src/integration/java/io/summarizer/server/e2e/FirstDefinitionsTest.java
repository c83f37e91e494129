package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service on its first days: without definitions, then with those of examples, then with its own. */
class FirstDefinitionsTest {
    private static final String EXAMPLE = """
            import "hit.proto"; event Hit on "hit" as csv;
            summary Example { key { int64 id = 1; } value { count n = 1; } }
            map Hit into Example { key { id; } n += 1; }
            """;
    private static final String OWN = EXAMPLE.replace("Example", "Own");

    @TempDir
    Path folder;

    private Path definitions;
    private Path data;

    @BeforeEach
    void makeFolders() throws IOException {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        data = folder.resolve("data");
    }

    private void define(String summ) throws IOException {
        Files.writeString(definitions.resolve("hit.proto"), "syntax = \"proto3\"; message Hit { int64 id = 1; }");
        Files.writeString(definitions.resolve("hit.summ"), summ);
    }

    private static void sendHit(RunningService service) throws IOException {
        service.send("<14>1 - - - - hit - 7\n".getBytes(UTF_8));
    }

    @Test
    void anEmptyFolderIsServedAndDefinitionsCanComeLater() throws Exception {
        try (RunningService service = RunningService.start(definitions, data)) {
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(service.get("/summaries").body()).isEqualToIgnoringWhitespace("[]");
            sendHit(service);
            service.awaitReceived(1);
            assertThat(service.metric("summarizer_unmatched_total")).isEqualTo(1);
        }
        try (RunningService service = RunningService.start(definitions, data)) {
            define(OWN);
            HttpResponse<String> reload = service.post("/definitions/reload");
            assertThat(reload.body()).contains("Own is new and starts empty");
            assertThat(reload.statusCode()).isEqualTo(200);
            sendHit(service);
            service.awaitReceived(1);
            assertThat(service.pull("Own", null).csv()).isEqualTo("id,n\n7,1\n");
        }
        try (RunningService service = RunningService.start(definitions, data)) {
            assertThat(service.pull("Own", null).csv()).isEqualTo("id,n\n7,1\n");
        }
    }

    @Test
    void summariesWithoutRowsGiveWayAtAStart() throws Exception {
        define(EXAMPLE);
        RunningService.start(definitions, data).close();
        define(OWN);
        try (RunningService service = RunningService.start(definitions, data)) {
            sendHit(service);
            service.awaitReceived(1);
            assertThat(service.pull("Own", null).csv()).isEqualTo("id,n\n7,1\n");
        }
    }

    @Test
    void summariesWithRowsDoNotGiveWayAtAStart() throws Exception {
        define(EXAMPLE);
        try (RunningService service = RunningService.start(definitions, data)) {
            sendHit(service);
            service.awaitReceived(1);
        }
        define(OWN);
        assertThatThrownBy(() -> RunningService.start(definitions, data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none of the summaries in the service is defined: there is Example")
                .hasMessageContaining("its 1 row goes");
        Files.delete(definitions.resolve("hit.summ"));
        assertThatThrownBy(() -> RunningService.start(definitions, data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("defined are none at all");
    }

    @Test
    void serveSaysWhichDefinitionsAndDataItUses() throws Exception {
        define(OWN);
        try (ServeProcess serve =
                ServeProcess.start(folder.resolve("log"), List.of("definitions=" + definitions, "data=" + data))) {
            assertThat(serve.log())
                    .contains("definitions in " + definitions + ": 1 event type, 1 summary, 1 mapping")
                    .contains("data in " + data);
        }
        Files.delete(definitions.resolve("hit.summ"));
        try (ServeProcess serve = ServeProcess.start(
                folder.resolve("empty"), List.of("definitions=" + definitions, "data=" + folder.resolve("other")))) {
            assertThat(serve.log())
                    .contains("definitions in " + definitions + ": 0 event types, 0 summaries, 0 mappings")
                    .contains("there is no .summ file in this folder");
        }
    }
}
