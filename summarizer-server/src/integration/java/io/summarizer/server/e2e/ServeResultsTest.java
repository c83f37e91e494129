package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultFixture;
import io.summarizer.core.result.ResultNames;
import io.summarizer.core.store.Summaries;
import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.service.ResultService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of a job are served as a service with the same events serves its summaries. */
class ServeResultsTest {
    private static final long MINUTE = 60_000_000;
    /** 2026-01-01T00:00:00Z. */
    private static final long START = 1_767_225_600_000_000L;

    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit" as csv;
            summary Traffic {
                window minute every 1m close after 30d;
                limit keys = 40 overflow = other;
                key { timestamp minute = 1; string host = 2; }
                value {
                    count hits = 1;
                    multiset64 users = 2;
                    sumint64 bytes = 3;
                    laststring page = 4;
                    summary Code { key { int64 code = 1; } value { count hits = 1; maxint64 most = 2; } }
                    repeated Code codes = 5;
                }
            }
            summary Hosts { key { string host = 1; } value { count hits = 1; multiset64 users = 2; } }
            map Hit into Traffic {
                key { minute = time; host; }
                hits += 1; users += user; bytes += bytes; page += page;
                codes[code = code] { hits += 1; most += bytes; }
            }
            map Hit into Hosts where bytes >= 0 { key { host; } hits += 1; users += user; }
            """;

    private static final List<String> QUERIES = List.of(
            "/summaries/Traffic.csv?order_by=minute,host",
            "/summaries/Traffic.csv?order_by=bytes desc,host&limit=7&columns=bytes,host",
            "/summaries/Traffic.csv?where=hits > 2&order_by=host,minute&format=ndjson",
            "/summaries/Traffic.csv?from=2026-01-01T00:02:00Z&until=2026-01-01T00:04:00Z&order_by=minute,host",
            "/summaries/Traffic.csv?closed=only&order_by=minute,host",
            "/summaries/Traffic.csv?closed=no&order_by=minute,host&distinct=both",
            "/summaries/Traffic.csv?by=host&order_by=host",
            "/summaries/Traffic.csv?every=2m&by=host&order_by=minute,host&having=hits > 3",
            "/summaries/Traffic.csv?by=",
            "/summaries/Traffic.csv?profile=excel&order_by=host,minute",
            "/summaries/Traffic/codes.csv?order_by=minute,host,code",
            "/summaries/Traffic/codes.csv?by=code&order_by=code",
            "/summaries/Traffic.overflow.csv?order_by=minute",
            "/summaries/Traffic.overflow/codes.csv?order_by=minute,code",
            "/summaries/Hosts.csv?order_by=host",
            "/summaries/Hosts.csv?by=&distinct=both",
            "/summaries/Nothing.csv",
            "/summaries/Traffic.csv?by=nothing",
            "/summaries/Hosts.csv?from=2026-01-01T00:02:00Z");

    @TempDir
    private Path folder;

    private final Random random = new Random(Seeds.first());
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Path definitions() throws IOException {
        Path made = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(made.resolve("t.summ"), DEFINITIONS);
        Files.writeString(
                made.resolve("t.proto"),
                "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; message Hit {"
                        + " google.protobuf.Timestamp time = 1; string host = 2; string user = 3; int64 bytes = 4;"
                        + " string page = 5; int64 code = 6; }");
        return made;
    }

    private byte[] hits(int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append("<134>1 2026-01-01T00:00:00Z h a - hit - ")
                    .append(String.join(
                            ",",
                            "2026-01-01T00:0" + random.nextInt(6) + ":30Z",
                            "host" + random.nextInt(60),
                            "user" + random.nextInt(500),
                            Integer.toString(random.nextInt(1_000) - 100),
                            "page" + random.nextInt(50),
                            Integer.toString(200 + random.nextInt(5))))
                    .append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private ResultService serve(Path results, String... settings) throws Exception {
        List<String> all =
                new ArrayList<>(List.of("listen.syslog-tcp.bind=off", "listen.relp.bind=off", "http.bind=127.0.0.1:0"));
        all.addAll(List.of(settings));
        ServerConfig config = ConfigLoader.load(ProjectHome.path(), null, Map.of(), all);
        return ResultService.start(config, results);
    }

    private HttpResponse<String> get(String url, String path) throws Exception {
        URI address = URI.create(url + path.replace(" ", "%20").replace(">", "%3E"));
        return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String url, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static long cut(HttpResponse<String> answer) {
        return Long.parseLong(answer.headers().firstValue("X-Summarizer-Cut").orElseThrow());
    }

    @Test
    void equalsAServiceWithTheSameEvents() throws Exception {
        Path results = folder.resolve("results");
        try (RunningService service = RunningService.start(definitions(), folder.resolve("data"))) {
            service.send(hits(5_000));
            service.awaitReceived(5_000);
            Path state = folder.resolve("whole.state");
            HttpResponse<Path> saved = http.send(
                    HttpRequest.newBuilder(URI.create(service.url() + "/state")).build(),
                    HttpResponse.BodyHandlers.ofFile(state));
            assertThat(saved.statusCode()).isEqualTo(200);
            LedgerCounts ledger = service.ledger();
            Summaries rows = ResultFixture.load(state);
            Manifest manifest = new ResultFixture(results, 3).write(rows, 42, START + 3 * MINUTE, ledger);
            assertThat(service.post("/summaries/Traffic/windows/close?before=2026-01-01T00:03:00Z")
                            .statusCode())
                    .isEqualTo(200);
            Await.until(
                    () -> "windows that are closing", () -> !windows(service).contains("closing"));
            try (ResultService served = serve(results)) {
                String url = served.httpUrl();
                for (String query : QUERIES) {
                    HttpResponse<String> expected = get(service.url(), query);
                    HttpResponse<String> found = get(url, query);
                    assertThat(found.statusCode()).as(query).isEqualTo(expected.statusCode());
                    if (query.contains("every=") || query.contains("Traffic.csv?order_by=minute")) {
                        assertThat(found.body().lines().count()).as(query).isGreaterThan(50);
                    }
                    assertThat(found.body()).as(query).isEqualTo(expected.body());
                    if (found.statusCode() == 200) {
                        assertThat(cut(found)).isEqualTo(42);
                        assertThat(found.headers().firstValue("X-Summarizer-Ledger"))
                                .isEqualTo(expected.headers().firstValue("X-Summarizer-Ledger"));
                    }
                }
                for (String path : List.of("/summaries", "/definitions")) {
                    assertThat(get(url, path).body())
                            .isEqualTo(get(service.url(), path).body());
                }
                assertThat(get(url, "/summaries/Traffic/windows").body().replaceAll("\"(bytes|late)\":(\\d+|null)", ""))
                        .isEqualTo(windows(service).replaceAll("\"(bytes|late)\":(\\d+|null)", ""));
                assertThat(get(url, "/ledger").body().replaceAll("\"(cut|taken)\" : [^,]*,", ""))
                        .isEqualTo(get(service.url(), "/ledger").body().replaceAll("\"(cut|taken)\" : [^,]*,", ""));
                statesAreEqual(service.url(), url, results, manifest);
                commandsWork(url);
            }
        }
    }

    private static String windows(RunningService service) {
        try {
            return service.get("/summaries/Traffic/windows").body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The state files of the service and of the result, and the result itself, have the same rows. */
    private void statesAreEqual(String service, String result, Path results, Manifest manifest) throws Exception {
        List<String> paths = new ArrayList<>();
        for (String url : List.of(service, result)) {
            Path file = folder.resolve("state" + paths.size());
            HttpResponse<Path> saved = http.send(
                    HttpRequest.newBuilder(URI.create(url + "/state")).build(), HttpResponse.BodyHandlers.ofFile(file));
            assertThat(saved.statusCode()).isEqualTo(200);
            paths.add(file.toString());
        }
        Path merged = folder.resolve("merged.state");
        Commands.Outcome merge = Commands.run("merge", merged.toString(), results.toString());
        assertThat(merge.exit()).as(merge.err()).isZero();
        assertThat(merge.err())
                .contains("left out: " + results + ": 3 closed windows of Traffic, in files of their own");
        paths.add(merged.toString());
        paths.add(results.toString());
        paths.add(results.resolve(ResultNames.manifest(42)).toString());
        for (String table : List.of("Traffic", "Traffic/codes", "Hosts", "Traffic.overflow")) {
            List<String> outputs = new ArrayList<>();
            for (String path : paths) {
                List<String> command = new ArrayList<>(List.of("state", path, table, "--distinct", "both"));
                command.addAll(table.equals("Hosts") ? List.of() : List.of("--closed", "no"));
                Commands.Outcome outcome = Commands.run(command.toArray(String[]::new));
                assertThat(outcome.exit()).as(outcome.err()).isZero();
                outputs.add(String.join("\n", outcome.out().lines().sorted().toList()));
            }
            assertThat(outputs).as(table).allMatch(output -> output.equals(outputs.get(0)));
            assertThat(outputs.get(0).lines().count()).isGreaterThan(3);
        }
        Commands.Outcome listed = Commands.run("state", results.toString());
        assertThat(listed.out())
                .contains("result of checkpoint 42 of 1970-01-01T00:00:42.000000Z, job test, "
                        + manifest.allFiles().size() + " files")
                .contains("Traffic: ")
                .contains(" rows in 3 closed windows");
        Commands.Outcome plan = Commands.run(
                "plan", "--definitions", folder.resolve("definitions").toString(), "--from-state", results.toString());
        assertThat(plan.err()).contains(results + " does not say by which mappings");
        assertThat(plan.exit()).isZero();
        Commands.Outcome json = Commands.run("state", results.toString(), "--json");
        assertThat(json.out()).contains("\"cut\" : 42").contains("\"closed_windows\" : 3");
    }

    private static void commandsWork(String url) {
        Commands.Outcome windows = Commands.run("windows", "list", "Traffic", "--server", url);
        assertThat(windows.out()).contains("2026-01-01T00:02:00.000000Z\t2026-01-01T00:03:00.000000Z\tclosed\t40\t");
        assertThat(windows.out()).contains("2026-01-01T00:03:00.000000Z\t2026-01-01T00:04:00.000000Z\topen\t40\t");
        Commands.Outcome export = Commands.run("export", "Traffic", "--by", "host", "--server", url);
        assertThat(export.out().lines().count()).isGreaterThan(30);
        Commands.Outcome ledger = Commands.run("ledger", "--server", url);
        assertThat(ledger.out()).contains("Hit").contains("5,000");
        Commands.Outcome reset = Commands.run("reset", "Hosts", "--server", url);
        assertThat(reset.exit()).isNotZero();
        assertThat(reset.err()).contains("change summaries, windows and definitions at the job, not here");
    }

    @Test
    void isNotReadyBeforeTheFirstResultAndChangesNothing() throws Exception {
        Path results = folder.resolve("results");
        try (ResultService served = serve(results)) {
            String url = served.httpUrl();
            assertThat(get(url, "/healthz").statusCode()).isEqualTo(200);
            HttpResponse<String> notReady = get(url, "/readyz");
            assertThat(notReady.statusCode()).isEqualTo(503);
            assertThat(notReady.body())
                    .isEqualTo(
                            "not ready: " + results
                                    + " has no result yet; the folder does not exist: check its name, unless a job will make it\n");
            HttpResponse<String> rows = get(url, "/summaries/Traffic.csv");
            assertThat(rows.statusCode()).isEqualTo(503);
            assertThat(rows.body()).contains(results + " has no result yet");
            assertThat(get(url, "/metrics").body()).contains("summarizer_result_checkpoint -1.0");
            for (String path : List.of(
                    "/summaries/Traffic/reset",
                    "/summaries/Traffic/windows",
                    "/summaries/Traffic/windows/close",
                    "/definitions/reload",
                    "/definitions/plan")) {
                HttpResponse<String> refused = post(url, path);
                assertThat(refused.statusCode()).as(path).isEqualTo(409);
                assertThat(refused.body()).contains("at the job, not here");
            }
            for (String path : List.of("/topics?topic=a", "/definitions/files")) {
                assertThat(get(url, path).statusCode()).as(path).isEqualTo(409);
            }
            Files.createDirectories(results.resolve("manifests"));
            Path damaged = results.resolve(ResultNames.manifest(7));
            Files.writeString(damaged, "{}");
            Await.until(() -> "readiness", () -> readiness(url).contains("checkpoint 7 cannot be read"));
            ResultFixture job = new ResultFixture(results, 2);
            Summaries rows7 = state(10);
            Manifest manifest = job.write(rows7, 6, 0, LedgerCounts.NONE);
            Await.until(() -> "readiness", () -> readiness(url).startsWith("ready\n"));
            assertThat(readiness(url)).contains("the result of checkpoint 7 cannot be read");
            assertThat(get(url, "/").body()).contains("Hosts");
            assertThat(get(url, "/metrics").body())
                    .contains("summarizer_result_checkpoint 6.0")
                    .contains("summarizer_result_files " + manifest.allFiles().size() + ".0");
        }
    }

    /** A client that asks from the first moment on, while the service starts, gets no summaries before it is ready. */
    @Test
    void isNotReadyBeforeItAnswersPulls() throws Exception {
        Path results = folder.resolve("results");
        new ResultFixture(results, 2).write(state(10), 6, 0, LedgerCounts.NONE);
        ExecutorService client = Executors.newSingleThreadExecutor();
        try {
            for (int start = 0; start < 10; start++) {
                int port = FreePort.next();
                String url = "http://127.0.0.1:" + port;
                Future<Integer> asked = client.submit(() -> {
                    while (!isReady(url)) {
                        Thread.onSpinWait();
                    }
                    return get(url, "/summaries").statusCode();
                });
                try (ResultService served = serve(results, "http.bind=127.0.0.1:" + port)) {
                    assertThat(served.httpUrl()).isEqualTo(url);
                    assertThat(asked.get(1, TimeUnit.MINUTES)).isEqualTo(200);
                }
            }
        } finally {
            client.shutdownNow();
        }
    }

    private boolean isReady(String url) throws Exception {
        try {
            return get(url, "/readyz").statusCode() == 200;
        } catch (IOException e) {
            return false; // nobody listens yet
        }
    }

    private String readiness(String url) {
        try {
            return get(url, "/readyz").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Rows of so many hits, as {@code run} makes them. */
    private Summaries state(int hits) throws Exception {
        Path log = folder.resolve(hits + ".log");
        Files.write(log, hits(hits));
        Path definitions = folder.resolve("definitions");
        Path state = folder.resolve(hits + ".state");
        Commands.Outcome run = Commands.run(
                "run",
                "--definitions",
                (Files.exists(definitions) ? definitions : definitions()).toString(),
                "--state",
                state.toString(),
                log.toString());
        assertThat(run.exit()).as(run.err()).isZero();
        return ResultFixture.load(state);
    }

    /** While a job writes results and removes old ones, each pull has the rows of its result, whole. */
    @Test
    void pullsAreOfOneResultWhileResultsComeAndGo() throws Exception {
        Path results = folder.resolve("results");
        ResultFixture job = new ResultFixture(results, 3);
        Map<Long, String> expected = new ConcurrentHashMap<>();
        List<Summaries> states = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            states.add(state(300 * i));
        }
        Manifest before = job.write(states.get(0), 1, 0, LedgerCounts.NONE);
        ExecutorService clients = Executors.newFixedThreadPool(6);
        try (ResultService served = serve(results)) {
            String url = served.httpUrl();
            String query = "/summaries/Hosts.csv?order_by=host";
            AtomicBoolean done = new AtomicBoolean();
            List<Future<Map<Long, String>>> pulls = new ArrayList<>();
            for (int client = 0; client < 6; client++) {
                pulls.add(clients.submit(() -> {
                    Map<Long, String> seen = new HashMap<>();
                    while (!done.get()) {
                        HttpResponse<String> answer = get(url, query);
                        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                        assertThat(seen.merge(cut(answer), answer.body(), (was, is) -> was.equals(is) ? is : "differ"))
                                .isEqualTo(answer.body());
                    }
                    return seen;
                }));
            }
            expected.put(1L, get(url, query).body());
            for (int i = 1; i < states.size(); i++) {
                long checkpoint = 1L + i;
                Manifest next = job.write(states.get(i), checkpoint, 0, LedgerCounts.NONE);
                job.remove(before, next);
                before = next;
                Await.until(() -> "the next result", () -> cutOf(url, query) == checkpoint);
                expected.put(checkpoint, get(url, query).body());
                // The results before are read again, although their files are gone.
                for (long old = 1; old <= checkpoint; old++) {
                    assertThat(get(url, query + "&cut=" + old).body()).isEqualTo(expected.get(old));
                }
            }
            done.set(true);
            for (Future<Map<Long, String>> pull : pulls) {
                pull.get().forEach((cut, body) -> assertThat(body).isEqualTo(expected.get(cut)));
            }
            assertThat(expected.values()).doesNotHaveDuplicates();
            HttpResponse<String> again = http.send(
                    HttpRequest.newBuilder(URI.create(url + query))
                            .header(
                                    "If-None-Match",
                                    get(url, query).headers().firstValue("ETag").orElseThrow())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(again.statusCode()).isEqualTo(304);
        } finally {
            clients.shutdownNow();
        }
    }

    private long cutOf(String url, String query) {
        try {
            return cut(get(url, query));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void refusesOptionsThatDoNotGoTogether() throws Exception {
        Path file = Files.writeString(folder.resolve("exports.yaml"), """
                exports:
                  - { summary: Hosts, every: 1h, format: csv, to: /tmp/x.csv }
                """);
        for (List<String> options : List.of(
                List.of("--from-state", "x.state"),
                List.of("--definitions", "x"),
                List.of("--set", "listen.relp.bind=127.0.0.1:0"),
                List.of("--set", "listen.kafka.brokers=127.0.0.1:9092", "--set", "listen.kafka.topics=hit"),
                List.of("--config", file.toString()))) {
            List<String> command = new ArrayList<>(List.of("serve", "--from-exports", folder.toString()));
            command.addAll(options);
            Commands.Outcome outcome = Commands.run(command.toArray(String[]::new));
            assertThat(outcome.exit()).as("%s: %s", options, outcome.err()).isEqualTo(2);
            assertThat(outcome.err()).contains("--from-exports");
        }
        assertThat(Commands.run("serve", "--from-exports", file.toString()).err())
                .contains("is not a folder of results");
        assertThat(Commands.run("state", folder.toString()).err()).contains("has no result yet");
        assertThat(Commands.run("merge", folder.resolve("out").toString(), file + ".json")
                        .exit())
                .isEqualTo(3);
    }
}
