package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.service.RefusedConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a running service writes by itself when windows close, and at regular times. */
class ExportsEndToEndTest {
    private static final String MINUTES = """
            import "hit.proto";
            event Hit on "hit" as csv;
            summary Minutes {
                window minute every 1m close after 1h;
                key { timestamp minute = 1; string host = 2; }
                value {
                    count hits = 1;
                    summary Page { key { int64 page = 1; } value { sumint64 bytes = 1; } }
                    repeated Page pages = 2;
                }
            }
            map Hit into Minutes { key { minute = time; host; } hits += 1; pages[page = page] { bytes += bytes; } }
            """;
    private static final String TOTALS = """
            summary Totals { key { string host = 1; } value { count hits = 1; } }
            map Hit into Totals { key { host; } hits += 1; }
            """;

    @TempDir
    Path folder;

    private Path definitions;
    private Path out;

    @BeforeEach
    void define() throws IOException {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        out = Files.createDirectory(folder.resolve("out"));
        Files.writeString(definitions.resolve("hit.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Hit {
                    google.protobuf.Timestamp time = 1;
                    string host = 2;
                    int64 page = 3;
                    int64 bytes = 4;
                }
                """);
        define(MINUTES + TOTALS);
    }

    private void define(String summ) throws IOException {
        Files.writeString(definitions.resolve("hit.summ"), summ);
    }

    private RunningService start(String... exports) throws Exception {
        List<String> settings = new ArrayList<>();
        for (int i = 0; i < exports.length; i++) {
            for (String setting : exports[i].split("; ")) {
                settings.add("exports." + (i + 1) + "." + setting.replace("OUT", out.toString()));
            }
        }
        return RunningService.start(definitions, folder.resolve("data"), settings.toArray(String[]::new));
    }

    private static final String CSV = "summary=Minutes; on=close; to=OUT/{summary}-{window}.csv";

    /** Sends 1,000 hits of three minutes, from 12:00 on. */
    private static void send(RunningService service) throws IOException {
        Random random = new Random(3);
        StringBuilder hits = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            hits.append("<134>1 - h a - hit - 2025-11-20T12:0%d:%02dZ,%s,%d,%d\n"
                    .formatted(
                            random.nextInt(3),
                            random.nextInt(60),
                            random.nextInt(10) == 0 ? "" : "web" + random.nextInt(40),
                            random.nextInt(5),
                            random.nextInt()));
        }
        long before = service.received();
        service.send(hits.toString().getBytes(US_ASCII));
        service.awaitReceived(before + 1_000);
    }

    private static void close(RunningService service) throws Exception {
        assertThat(service.post("/summaries/Minutes/windows/close").body()).contains("\"closed\":true");
    }

    private static String windows(RunningService service) {
        try {
            return service.get("/summaries/Minutes/windows").body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> files() {
        try (Stream<Path> files = Files.list(out)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for so many files with manifests. */
    private void await(int files) {
        Await.until(
                () -> files().toString(),
                () -> files().stream()
                                .filter(name -> name.endsWith(".manifest.json"))
                                .count()
                        == files);
    }

    private JsonNode manifest(String file) throws Exception {
        JsonNode manifest =
                new ObjectMapper().readTree(out.resolve(file + ".manifest.json").toFile());
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(out.resolve(file)));
        assertThat(manifest.path("sha256").asText()).isEqualTo(HexFormat.of().formatHex(hash));
        return manifest;
    }

    private static String pulled(RunningService service, String table, String query) throws Exception {
        HttpResponse<String> answer = service.get("/summaries/" + table + ".csv?" + query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static String minute(int minute) {
        return "from=2025-11-20T12:0" + minute + ":00Z&until=2025-11-20T12:0" + (minute + 1) + ":00Z";
    }

    @Test
    void closedWindowsAreFilesThatOthersRead() throws Exception {
        try (RunningService service = start(
                CSV,
                "summary=Minutes/pages; on=close; format=ndjson; to=OUT/{summary}-{window}.ndjson",
                "summary=Minutes; on=close; format=csv.zst; to=OUT/zst-{window}.csv.zst",
                "summary=Minutes; on=close; format=state; to=OUT/{window}.state",
                "summary=Minutes; on=close; by=host; where=hits > 1; to=OUT/by-{window}.csv")) {
            send(service);
            close(service);
            await(15);
            for (int i = 0; i < 3; i++) {
                String window = "20251120T120" + i + "00Z";
                String csv = Files.readString(out.resolve("Minutes-" + window + ".csv"));
                assertThat(csv).isEqualTo(pulled(service, "Minutes", minute(i) + "&order_by=minute,host"));
                assertThat(Files.readString(out.resolve("Minutes.pages-" + window + ".ndjson")))
                        .isEqualTo(pulled(
                                service, "Minutes/pages", minute(i) + "&order_by=minute,host,page&format=ndjson"));
                assertThat(Files.readString(out.resolve("by-" + window + ".csv")))
                        .isEqualTo(
                                pulled(service, "Minutes", minute(i) + "&by=host&where=hits%20%3E%201&order_by=host"));
                assertThat(Files.readAllBytes(out.resolve(window + ".state")))
                        .isEqualTo(Files.readAllBytes(folder.resolve("data/windows/Minutes/" + window + ".state")));
                JsonNode manifest = manifest("Minutes-" + window + ".csv");
                assertThat(manifest.path("summary").asText()).isEqualTo("Minutes");
                assertThat(manifest.path("columns").toString()).isEqualTo("[\"minute\",\"host\",\"hits\"]");
                assertThat(manifest.path("rows").asLong()).isEqualTo(csv.lines().count() - 1);
                assertThat(manifest.path("cut").asLong()).isPositive();
                assertThat(manifest.path("window").toString())
                        .isEqualTo("{\"start\":\"2025-11-20T12:0" + i + ":00.000000Z\",\"end\":\"2025-11-20T12:0"
                                + (i + 1) + ":00.000000Z\"}");
                assertThat(manifest("zst-" + window + ".csv.zst").path("columns"))
                        .isEqualTo(manifest.path("columns"));
                assertThat(manifest(window + ".state").path("rows")).isEqualTo(manifest.path("rows"));
                manifest("Minutes.pages-" + window + ".ndjson");
            }
            assertThat(duck("SELECT sum(hits), count(*), min(minute) FROM '" + out + "/Minutes-*.csv'"))
                    .isEqualTo(duck("SELECT sum(hits), count(*), min(minute) FROM '" + out + "/zst-*.csv.zst'"))
                    .startsWith("1000 ")
                    .endsWith(" 2025-11-20T12:00Z");
            assertThat(duck("SELECT count(*), sum(bytes) FROM '" + out + "/Minutes.pages-*.ndjson'"))
                    .isEqualTo(duck("SELECT count(*), sum(bytes) FROM '" + pages(service) + "'"));
        }
    }

    private Path pages(RunningService service) throws Exception {
        return Files.writeString(folder.resolve("pages.csv"), pulled(service, "Minutes/pages", "closed=only"));
    }

    private static String duck(String query) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            List<String> cells = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                cells.add(rows.getString(i));
            }
            return String.join(" ", cells);
        }
    }

    @Test
    void whatWasTakenAwayIsNotWrittenAgainAndWhatWasMissedIs() throws Exception {
        try (RunningService service = start()) {
            send(service);
            close(service);
            Await.until(() -> "", () -> windows(service).split("\"closed\"", -1).length == 4);
        }
        try (RunningService service = start(CSV)) {
            service.send("<134>1 - h a - hit - 2025-11-20T12:05:00Z,web1,1,1\n".getBytes(US_ASCII));
            service.awaitReceived(1);
            close(service);
            await(1);
        }
        assertThat(files())
                .containsExactly("Minutes-20251120T120500Z.csv", "Minutes-20251120T120500Z.csv.manifest.json");
        for (String file : files()) {
            Files.delete(out.resolve(file));
        }
        Path away = folder.resolve("away");
        Files.move(out, away);
        try (RunningService service = start(CSV)) {
            service.send("<134>1 - h a - hit - 2025-11-20T12:06:00Z,web1,1,1\n".getBytes(US_ASCII));
            service.awaitReceived(1);
            close(service);
            String tags = "{summary=\"Minutes\",to=\"" + out + "/{summary}-{window}.csv\"}";
            Await.until(() -> "", () -> {
                try {
                    return service.metric("summarizer_deliveries_failed_total" + tags) > 0;
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(service.metric("summarizer_deliveries_pending" + tags)).isEqualTo(1);
            assertThat(service.metric("summarizer_deliveries_total" + tags)).isZero();
        }
        Files.move(away, out);
        try (RunningService service = start(CSV)) {
            await(1);
            String tags = "{summary=\"Minutes\",to=\"" + out + "/{summary}-{window}.csv\"}";
            assertThat(service.metric("summarizer_deliveries_lost_total" + tags))
                    .isZero();
        }
        assertThat(files())
                .containsExactly("Minutes-20251120T120600Z.csv", "Minutes-20251120T120600Z.csv.manifest.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("data/exports"))))
                .isEqualTo("rwx------");
    }

    @Test
    void wholeTablesAreFilesAtRegularTimes() throws Exception {
        try (RunningService service = start(
                "summary=Totals; every=1s; to=OUT/{date}/{summary}-{cut}.csv",
                "summary=Totals; every=1s; format=state; to=OUT/latest.state",
                "summary=Minutes; every=1s; to=OUT/all.csv")) {
            send(service);
            close(service);
            service.send("<134>1 - h a - hit - 2025-11-20T12:05:00Z,web1,1,1\n".getBytes(US_ASCII));
            service.awaitReceived(1_001);
            String whole = pulled(service, "Minutes", "order_by=minute,host");
            Await.until(() -> files().toString(), () -> read("all.csv").equals(whole));
            await(2);
            assertThat(manifest("all.csv").path("window").isNull()).isTrue();
        }
        List<Path> files = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(out)) {
            walk.filter(file ->
                            file.toString().endsWith(".csv") && file.toString().contains("Totals-"))
                    .sorted()
                    .forEach(files::add);
        }
        assertThat(files).isNotEmpty();
        String last = Files.readString(files.get(files.size() - 1));
        assertThat(last).startsWith("host,hits\n");
        List<String> hosts =
                last.lines().skip(1).map(line -> line.replaceFirst(",.*", "")).toList();
        assertThat(hosts).endsWith(""); // null
        assertThat(hosts.subList(0, hosts.size() - 1)).isSorted().hasSizeGreaterThan(10);
    }

    private String read(String file) {
        try {
            return Files.exists(out.resolve(file)) ? Files.readString(out.resolve(file)) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void exportsHaveToFitTheDefinitions() throws Exception {
        for (List<String> wrong : List.of(
                List.of("summary=Minute; on=close; to=OUT/{window}", "exports.1.summary: there is no summary `Minute`"),
                List.of("summary=Totals; on=close; to=OUT/{window}", "exports.1.on: `Totals` has no time windows"),
                List.of("summary=Minutes/page; on=close; to=OUT/{window}", "exports.1.summary: Minutes has no nested"),
                List.of("summary=Totals; every=1h; by=hosts; to=OUT/x", "exports.1: by: `Totals` has no key"),
                List.of("summary=Totals; every=1h; where=hits; to=OUT/x", "exports.1: where"),
                List.of("summary=Minutes; every=1h; format=state; to=OUT/x", "exports.1.format: a state file of"))) {
            assertThatThrownBy(() -> start(wrong.get(0)))
                    .isInstanceOf(RefusedConfigException.class)
                    .hasMessageContaining(wrong.get(1));
        }
        Path config = Files.writeString(
                folder.resolve("wrong.yaml"), "exports:\n  - {summary: Minute, on: close, to: '/{window}'}\n");
        Commands.Outcome checked =
                Commands.run("check", "--config", config.toString(), "--definitions", definitions.toString());
        assertThat(checked.exit()).isEqualTo(2);
        assertThat(checked.err())
                .contains("wrong.yaml:2: error: exports.1.summary: there is no summary `Minute`")
                .contains("Minutes");
        try (RunningService service = start(CSV)) {
            define("import \"hit.proto\"; event Hit on \"hit\" as csv;\n" + TOTALS);
            HttpResponse<String> answer = service.post("/definitions/reload");
            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body())
                    .contains("exports.1.summary: there is no summary `Minutes`")
                    .contains("nothing has changed");
            send(service);
            close(service);
            await(3);
        }
    }
}
