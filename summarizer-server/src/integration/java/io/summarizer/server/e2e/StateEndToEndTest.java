package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.summarizer.core.state.StateFile;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State over HTTP: pulled as a file, and emptied at a cut. */
class StateEndToEndTest {
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit" as csv;
            summary Hits { key { string page = 1; } value { sumint64 hits = 1; } }
            summary Pages { key { string page = 1; } value { count hits = 1; } }
            map Hit into Hits { key { page; } hits += 1; }
            map Hit into Pages { key { page; } hits += 1; }
            """;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    private RunningService start() throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(definitions.resolve("t.proto"), "syntax = \"proto3\"; message Hit { string page = 1; }");
        return RunningService.start(definitions, folder.resolve("data"));
    }

    /** Starts one with the ad server's definitions and state files. */
    private RunningService ads(String data, Path... fromStates) throws Exception {
        return RunningService.start(ProjectHome.path().resolve("schemas"), folder.resolve(data), List.of(fromStates));
    }

    private static void hit(RunningService service, String... pages) throws Exception {
        long before = service.received();
        StringBuilder lines = new StringBuilder();
        for (String page : pages) {
            lines.append("<134>1 2026-11-20T00:00:00Z h a - hit - ")
                    .append(page)
                    .append('\n');
        }
        service.send(lines.toString().getBytes(UTF_8));
        service.awaitProcessed(before + pages.length);
    }

    private HttpResponse<String> post(RunningService service, String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(service.url() + path)).POST(HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aResetEmptiesOneSummaryAndItsCutHasWhatItHeld() throws Exception {
        try (RunningService service = start()) {
            hit(service, "/a", "/a", "/b");
            assertThat(service.pull("Hits", null).csv()).hasLineCount(3);
            HttpResponse<String> answer = post(service, "/summaries/Hits/reset");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode json = new ObjectMapper().readTree(answer.body());
            String cut = json.path("cut").asText();
            assertThat(answer.headers().firstValue("X-Summarizer-Cut")).hasValue(cut);
            assertThat(json.path("rows").asLong()).isEqualTo(2);
            assertThat(json.path("updates").asLong()).isEqualTo(3);
            assertThat(service.get(json.path("csv").asText()).body().lines()).contains("/a,2", "/b,1");
            // For a client that did not receive the answer.
            JsonNode kept =
                    new ObjectMapper().readTree(service.get("/resets").body()).path(0);
            assertThat(kept.path("kept_seconds").asLong())
                    .isBetween(1L, json.path("kept_seconds").asLong());
            assertThat(((ObjectNode) kept).without("kept_seconds").toString())
                    .isEqualTo(((ObjectNode) json).without("kept_seconds").toString());
            // No message came since: the answer must not be the previous cut nevertheless.
            assertThat(service.pull("Hits", null).csv()).isEqualTo("page,hits\n");
            assertThat(service.updates("Hits", null)).isZero();
            hit(service, "/b");
            assertThat(service.pull("Hits", null).csv()).isEqualTo("page,hits\n/b,1\n");
            assertThat(service.pull("Pages", null).csv().lines()).contains("/a,2", "/b,2");
            assertThat(ledger(service, "Hits", "X-Summarizer-Ledger")).startsWith("received=4, applied=4, ");
            assertThat(ledger(service, "Hits", "X-Summarizer-Ledger-Since-Reset"))
                    .isEqualTo("received=1, applied=1, filtered=0, unmatched=0, duplicate=0, rejected=0, in-flight=0");
            assertThat(ledger(service, "Pages", "X-Summarizer-Ledger-Since-Reset"))
                    .startsWith("received=4, applied=4, ");
            JsonNode ledger = new ObjectMapper().readTree(service.get("/ledger").body());
            for (JsonNode mapping : ledger.path("mappings")) {
                assertThat(mapping.path("since_reset").path("applied").asLong())
                        .isEqualTo(mapping.path("summary").asText().equals("Hits") ? 1 : 4);
            }

            HttpResponse<String> other = service.get("/summaries/Pages.csv?cut=" + cut);
            assertThat(other.statusCode()).isEqualTo(404);
            assertThat(other.body())
                    .isEqualTo("cut " + cut + " has Hits alone, which was emptied at it; pull Pages without ?cut\n");
        }
    }

    private static String ledger(RunningService service, String summary, String header) throws Exception {
        return service.get("/summaries/" + summary + ".csv")
                .headers()
                .firstValue(header)
                .orElseThrow();
    }

    @Test
    void onlyAPostEmptiesAndNotOneThatAPageSends() throws Exception {
        try (RunningService service = start()) {
            hit(service, "/a");
            HttpResponse<String> get = service.get("/summaries/Hits/reset");
            assertThat(get.statusCode()).isEqualTo(405);
            assertThat(get.headers().firstValue("Allow")).hasValue("POST");
            // Pages of another site, of one that uses this address as its name, and without an origin.
            for (String origin : List.of("http://evil.example", service.url().toString(), "null")) {
                HttpResponse<String> refused = post(service, "/summaries/Hits/reset", "Origin", origin);
                assertThat(refused.statusCode()).as(origin).isEqualTo(403);
                assertThat(refused.body()).contains("bin/summarizer reset");
            }
            HttpResponse<String> unknown = post(service, "/summaries/Nothing/reset");
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body()).isEqualTo("there is no summary Nothing\n");
            assertThat(post(service, "/summaries/Hits.csv").statusCode()).isEqualTo(405);
            assertThat(service.pull("Hits", null).csv()).isEqualTo("page,hits\n/a,1\n");
        }
    }

    /** Returns all rows of the ad server's tables, the registers of their sets included. */
    private static Map<String, String> adTables(RunningService service) throws Exception {
        Map<String, String> tables = new LinkedHashMap<>();
        String keys = "campaign_id,inventory_id,creative_id,audience_attribute_id";
        tables.put("CampaignDetails.csv", keys);
        tables.put("CampaignDetails/interactions.csv", keys + ",action_id");
        tables.put("CampaignDetails/conversions.csv", keys + ",model_id,type_id");
        for (Map.Entry<String, String> table : tables.entrySet()) {
            HttpResponse<String> answer =
                    service.get("/summaries/" + table.getKey() + "?distinct=both&order_by=" + table.getValue());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            table.setValue(answer.body());
        }
        return tables;
    }

    private Path pullState(String url, String name) throws Exception {
        HttpResponse<Path> answer = http.send(
                HttpRequest.newBuilder(URI.create(url + "/state")).build(),
                HttpResponse.BodyHandlers.ofFile(folder.resolve(name)));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    /** Files of two generations: a state that began with a file is saved, and loaded again. */
    @Test
    void shouldHaveTheRowsOfTheStateItBeginsWith() throws Exception {
        Map<String, String> tables;
        Path first;
        try (RunningService service = ads("first")) {
            ByteArrayOutputStream traffic = new ByteArrayOutputStream();
            AdsWorkload.v1(1).writeTo(traffic, 20_000);
            service.send(traffic.toByteArray());
            service.awaitReceived(20_000);
            tables = adTables(service);
            first = pullState(service.url(), "first.state");
        }
        assertThat(tables.values()).allSatisfy(csv -> assertThat(csv.lines()).hasSizeGreaterThan(100));
        Path second;
        try (RunningService service = ads("second", first)) {
            assertThat(adTables(service)).isEqualTo(tables);
            assertThat(service.received()).isZero();
            second = pullState(service.url(), "second.state");
        }
        try (RunningService service = ads("third", second)) {
            assertThat(adTables(service)).isEqualTo(tables);
        }
    }

    @Test
    void shouldGoOnFromTheStatesItBeginsWithAndKeepThemOverARestart() throws Exception {
        Path one;
        try (RunningService service = start()) {
            hit(service, "/a", "/a", "/b");
            one = pullState(service.url(), "one.state");
        }
        Path two;
        Path definitions = folder.resolve("definitions");
        try (RunningService service = RunningService.start(definitions, folder.resolve("data2"))) {
            hit(service, "/b", "/c");
            two = pullState(service.url(), "two.state");
        }
        Path data = folder.resolve("data3");
        String rows = "/summaries/Hits.csv?order_by=page";
        try (RunningService service = RunningService.start(definitions, data, List.of(one, two))) {
            hit(service, "/c", "/d");
            assertThat(service.get(rows).body()).isEqualTo("page,hits\n/a,2\n/b,2\n/c,2\n/d,1\n");
        }
        // From here on its own folder has all of it.
        try (RunningService service = RunningService.start(definitions, data)) {
            assertThat(service.get(rows).body()).isEqualTo("page,hits\n/a,2\n/b,2\n/c,2\n/d,1\n");
        }
    }

    @Test
    void shouldBeginWithTheFilesThatTheCommandNames() throws Exception {
        Path file;
        try (RunningService service = start()) {
            hit(service, "/a", "/a", "/b");
            file = pullState(service.url(), "now.state");
        }
        try (ServeProcess serve = ServeProcess.start(
                folder.resolve("serve"),
                List.of("definitions=" + folder.resolve("definitions"), "data=" + folder.resolve("other")),
                "--from-state",
                file.toString(),
                "--from-state",
                file.toString())) {
            assertThat(serve.get("/summaries/Hits.csv?order_by=page")).isEqualTo("page,hits\n/a,4\n/b,2\n");
            serve.stop();
        }
    }

    @Test
    void theStateComesAsAFileOfTheCutThatWasAskedFor() throws Exception {
        try (RunningService service = start()) {
            hit(service, "/a", "/a", "/b");
            String cut = service.pull("Hits", null).cut();
            hit(service, "/c");
            Path file = folder.resolve("pulled.state");
            HttpResponse<Path> answer = http.send(
                    HttpRequest.newBuilder(URI.create(service.url() + "/state?cut=" + cut))
                            .build(),
                    HttpResponse.BodyHandlers.ofFile(file));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("X-Summarizer-Cut")).hasValue(cut);
            try (StateFile state = StateFile.open(file)) {
                assertThat(state.cutId()).hasToString(cut);
                assertThat(state.rows(0, List.of())).isEqualTo(2);
                assertThat(List.of(state.updates(0), state.updates(1))).containsExactly(3L, 3L);
            }
        }
    }
}
