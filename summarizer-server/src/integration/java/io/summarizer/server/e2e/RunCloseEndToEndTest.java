package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.Commands.Outcome;
import io.summarizer.server.http.WindowListing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --close} writes the windows that a service writes for the same messages, and a service can take them. */
class RunCloseEndToEndTest {
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit" as csv;
            summary Hits {
                window day every 1d zone "Europe/Berlin" close after 40d;
                limit keys = 20 overflow = other;
                key { timestamp day = 1; string page = 2; }
                value {
                    count hits = 1; sumint64 total = 2; multiset64 users = 3;
                    summary Code { key { int64 code = 1; } value { count hits = 1; } }
                    repeated Code codes = 4;
                }
            }
            map Hit into Hits {
                key { day = time; page; }
                hits += 1; total += code; users += user; codes[code = code] { hits += 1; }
            }
            """;
    private static final String PROTO = """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message Hit { google.protobuf.Timestamp time = 1; string page = 2; int64 code = 3; int64 user = 4; }
            """;
    private static final Instant MARCH = Instant.parse("2025-03-20T12:00:00Z");
    private static final String PATH = "/summaries/Hits";

    @TempDir
    private Path folder;

    @Test
    void theFilesAreThoseOfAService() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(definitions.resolve("t.proto"), PROTO);
        long seed = Long.getLong("summarizer.seed", System.nanoTime());
        Random random = new Random(seed);
        StringBuilder lines = new StringBuilder();
        int messages = 5_000;
        for (int i = 0; i < messages; i++) {
            lines.append(line(
                    MARCH.plusSeconds(random.nextInt(20 * 86_400)),
                    "/" + random.nextInt(30) + "," + random.nextInt(4) + "," + random.nextInt(900)));
        }
        Path log = Files.writeString(folder.resolve("hits.log"), lines);
        Outcome run = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--out",
                folder.resolve("out").toString(),
                "--close",
                log.toString());
        assertThat(run.exit()).as(run.err()).isZero();

        // The overflow depends on which keys came first; one worker keeps the order of the file.
        List<WindowListing> ofService;
        try (RunningService service =
                RunningService.start(definitions, folder.resolve("data"), "pipeline.parse.workers=1")) {
            service.send(Files.readAllBytes(log));
            service.awaitReceived(messages);
            assertThat(service.post(PATH + "/windows/close").body()).contains("\"closed\":true");
            Await.until(
                    () -> "all windows are closed",
                    () -> windows(service).stream()
                            .allMatch(window -> window.state().equals("closed")));
            ofService = windows(service);
        }
        assertThat(names(folder.resolve("out/windows"))).isEqualTo(names(folder.resolve("data/windows")));

        Path taken = Files.createDirectories(folder.resolve("taken/windows/Hits"));
        try (Stream<Path> files = Files.list(folder.resolve("out/windows/Hits"))) {
            for (Path file : files.toList()) {
                Files.copy(file, taken.resolve(file.getFileName()));
            }
        }
        try (RunningService service = RunningService.start(definitions, folder.resolve("taken"))) {
            assertThat(windows(service).stream().map(RunCloseEndToEndTest::withoutBytes))
                    .as("seed %d", seed)
                    .hasSize(21)
                    .containsExactlyElementsOf(ofService.stream()
                            .map(RunCloseEndToEndTest::withoutBytes)
                            .toList());
            for (String table : List.of("", "/codes", ".overflow")) {
                Path csv = folder.resolve("out/Hits" + table.replace('/', '.') + ".csv");
                assertThat(service.pull("Hits" + table, null).csv().lines())
                        .as("%s, seed %d", table, seed)
                        .containsExactlyInAnyOrderElementsOf(Files.readAllLines(csv));
            }
            assertThat(service.metric("summarizer_windows_damaged")).isZero();
            service.send(line(MARCH, "/late,1,1").getBytes(UTF_8));
            service.awaitReceived(1);
            Await.until(
                    () -> "late",
                    () -> get(service, "/ledger").replaceAll("\\s", "").contains("\"late\":1"));
        }
    }

    /** A damaged or missing file is seen in metrics, and not only in the log. A copy can be put back. */
    @Test
    void filesThatCannotBeReadAreCounted() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(definitions.resolve("t.proto"), PROTO);
        Path log = Files.writeString(
                folder.resolve("hits.log"), line(MARCH, "/a,1,1") + line(MARCH.plusSeconds(86_400), "/a,1,1"));
        Outcome run = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--out",
                folder.resolve("data").toString(),
                "--close",
                log.toString());
        assertThat(run.exit()).as(run.err()).isZero();
        Path first = folder.resolve("data/windows/Hits/20250319T230000Z.state");
        byte[] bytes = Files.readAllBytes(first);
        Files.write(first, Arrays.copyOf(bytes, bytes.length - 1));
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            assertThat(service.metric("summarizer_windows_damaged")).isEqualTo(1);
            assertThat(service.get("/summaries/Hits.csv").body().lines()).hasSize(2);
            assertThat(service.metric("summarizer_windows_unreadable_total")).isZero();

            Path copy = Files.write(folder.resolve("copy.state"), bytes);
            Outcome put = Commands.run("windows", "put", copy.toString(), "--server", service.url());
            assertThat(put.exit()).as(put.err()).isZero();
            assertThat(service.get("/summaries/Hits.csv").body().lines()).hasSize(3);

            Files.delete(folder.resolve("data/windows/Hits/20250320T230000Z.state"));
            assertThat(service.get("/summaries/Hits.csv?limit=5").statusCode()).isEqualTo(500);
            assertThat(service.metric("summarizer_windows_unreadable_total")).isEqualTo(1);
        }
    }

    private static WindowListing withoutBytes(WindowListing window) {
        return new WindowListing(window.start(), window.end(), window.state(), window.rows(), null, 0);
    }

    private static List<WindowListing> windows(RunningService service) {
        try {
            return List.of(new ObjectMapper().readValue(get(service, PATH + "/windows"), WindowListing[].class));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String get(RunningService service, String path) {
        try {
            return service.get(path).body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static String line(Instant time, String rest) {
        return "<134>1 2025-11-20T00:00:00Z web03 server 4711 hit - " + time + "," + rest + "\n";
    }
}
