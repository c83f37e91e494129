package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.Main;
import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as a user runs them; long-lived ones in a process of their own. */
class CommandLineEndToEndTest {
    private static final int EVENTS = 20_000;
    private static final int DEADLINE_SECONDS = 180;

    @TempDir
    Path folder;

    @Test
    void filesAndAServerGiveTheSameRows() throws Exception {
        String definitions = ProjectHome.path().resolve("schemas").toString();
        Path files = folder.resolve("of-files");
        List<String> run = new ArrayList<>(List.of("run", "--definitions", definitions, "--out", files.toString()));
        for (String kind : List.of("ads-v1", "ads-v2")) {
            Path file = folder.resolve(kind);
            Files.writeString(file, succeeds(generate(kind)).out());
            run.add(file.toString());
        }
        succeeds(run.toArray(String[]::new));

        Path server = folder.resolve("of-a-server");
        Path said = folder.resolve("said");
        Path complained = folder.resolve("complained");
        Process process = start(
                said,
                complained,
                "serve",
                "--set",
                "listen.syslog-tcp.bind=127.0.0.1:0",
                "--set",
                "listen.relp.bind=127.0.0.1:0",
                "--set",
                "http.bind=127.0.0.1:0",
                "--set",
                "definitions=" + definitions,
                "--set",
                "data=" + folder.resolve("data"));
        try {
            Await.until(
                    () -> text(said) + text(complained),
                    () -> text(said).lines().count() == 3);
            String syslog = lineAfter(said, "syslog-tcp listening on ");
            String relp = lineAfter(said, "relp listening on ");
            String url = lineAfter(said, "http listening on ");
            succeeds(generate("ads-v1", "--to", "tcp://" + syslog));
            succeeds(generate("ads-v2", "--to", "relp://" + relp));
            Await.until(() -> "received=" + received(url), () -> received(url) == 2 * EVENTS);
            for (String summary : names(files, name -> !name.contains("."))) {
                succeeds("export", summary, "--all", "--server", url, "--out", server.toString());
            }
            process.destroy();
            assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isZero();
        // A library of the tests prints a line, too.
        assertThat(text(complained).lines().filter(line -> !line.startsWith("SLF4J")))
                .allMatch(
                        line -> line.matches("\\d{4}(-\\d\\d){2}T(\\d\\d:){2}\\d\\d\\.\\d{3}Z (INFO|WARNING) .+"),
                        "has time and level")
                .last()
                .asString()
                .endsWith(" INFO stopped: since the start, received 40,000, unmatched 0, rejections 0");

        Map<String, List<String>> expected = rows(files);
        assertThat(expected)
                .containsKeys(
                        "CampaignDetails.csv", "CampaignDetails.interactions.csv", "CampaignDetails.conversions.csv");
        assertThat(expected.get("CampaignDetails.csv")).hasSizeGreaterThan(EVENTS / 10);
        Map<String, List<String>> actual = rows(server);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, rows) -> assertThat(rows.equals(actual.get(name)))
                .as(name + " is the same")
                .isTrue());
    }

    @Test
    void brokenDefinitionsAreShownAllAtOnce() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("a.proto"), "syntax = \"proto3\"; message A { int64 user = 1; }");
        Files.writeString(definitions.resolve("a.summ"), """
                import "a.proto";
                event A on "a" as csv;
                summary S { key { int64 user = 1; } value { sumint32 n = 1; } }
                map A into S { key { user = usr; } n += 1; }
                """);
        Files.writeString(
                definitions.resolve("b.summ"), "summary T { key { int64 id = 1; } value { sumint23 n = 1; } }");
        for (String[] command : List.of(
                new String[] {"check", "--definitions", definitions.toString()},
                new String[] {"run", "--definitions", definitions.toString(), "--out", folder.toString(), "-"},
                new String[] {"serve", "--definitions", definitions.toString()})) {
            Commands.Outcome outcome = Commands.run(command);
            assertThat(outcome.exit()).isEqualTo(1);
            assertThat(outcome.err() + outcome.out())
                    .contains("a.summ:4:29: error: ", "user", "b.summ:1:43: error: ", "sumint32", "^");
        }
    }

    @Test
    void theDemoEndsWithATable() throws Exception {
        Path said = folder.resolve("said");
        Path complained = folder.resolve("complained");
        Process demo = start(said, complained, "demo", "--exit");
        try {
            assertThat(demo.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
                    .as(text(said) + text(complained))
                    .isTrue();
        } finally {
            demo.destroyForcibly();
        }
        assertThat(demo.exitValue()).as(text(complained)).isZero();
        assertThat(text(said))
                .containsPattern("campaign +impressions +distinct users")
                .containsPattern("\n +1 +[0-9,]{6,} +[0-9,]{5,} ");
    }

    private static String[] generate(String kind, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("generate", kind, "--events", String.valueOf(EVENTS), "--seed", "5"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    private static Commands.Outcome succeeds(String... arguments) {
        Commands.Outcome outcome = Commands.run(arguments);
        assertThat(outcome.exit())
                .as(String.join(" ", arguments) + ": " + outcome.err())
                .isZero();
        return outcome;
    }

    /** Starts a command in a process of its own, as {@code bin/summarizer} does. */
    private static Process start(Path out, Path err, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dsummarizer.home=" + ProjectHome.path(),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder process = new ProcessBuilder(command);
        // Settings of these tests, or of their user, are no configuration of the service.
        process.environment().keySet().removeIf(name -> name.startsWith("SUMMARIZER_"));
        return process.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String lineAfter(Path file, String start) {
        return text(file)
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no <" + start + "> in " + text(file)));
    }

    private static long received(String url) {
        try {
            HttpResponse<String> metrics = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(url + "/metrics")).build(),
                            HttpResponse.BodyHandlers.ofString());
            return RunningService.metricIn(metrics.body(), "summarizer_received_total");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the rows of each file, sorted: their order has no meaning. */
    private static Map<String, List<String>> rows(Path folder) throws IOException {
        Map<String, List<String>> rows = new TreeMap<>();
        for (String name : names(folder, any -> true)) {
            Path file = folder.resolve(name + ".csv");
            try (Stream<String> lines = Files.lines(file)) {
                rows.put(file.getFileName().toString(), lines.sorted().toList());
            }
        }
        return rows;
    }

    /** Returns the names of the CSV files, without the ending. */
    private static List<String> names(Path folder, Predicate<String> wanted) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".csv"))
                    .map(name -> name.substring(0, name.length() - ".csv".length()))
                    .filter(wanted)
                    .toList();
        }
    }
}
