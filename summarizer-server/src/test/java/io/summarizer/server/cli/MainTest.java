package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.replay.TcpSink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "serv",
                "check --definition x",
                "generate ads-v3 --events 1",
                "generate ads-v1",
                "generate ads-v1 --events many",
                "generate ads-v1 --events -5",
                "generate ads-v1 --events 5 --to 127.0.0.1:1 --out x",
                "replay x --to 127.0.0.1",
                "replay x --to tcp://127.0.0.1:1 --rate -1",
                "replay x --to udp://127.0.0.1:1",
                "replay x",
                "replay x --to tcp://127.0.0.1:1 --framing lines",
                "replay x --to tcp://127.0.0.1:1 --format octet",
                "serve --log-format xml",
                "run x",
                "run --definitions a --out b --framing xml",
                "export"
            })
    void aWrongCommandLineIsExitCode2AndALineThatSaysSo(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(2);
        assertThat(text(err)).startsWith("summarizer: ").doesNotContain("\tat ");
        assertThat(text(out)).isEmpty();
    }

    @Test
    void aMistypedCommandIsRecognized() {
        run("serv");
        assertThat(text(err)).contains("serve");
    }

    @Test
    void aConfigurationThatIsADanglingLinkIsAnError() throws IOException {
        Files.createSymbolicLink(folder.resolve("config"), folder.resolve("absent"));
        String home = System.getProperty("summarizer.home");
        System.setProperty("summarizer.home", folder.toString());
        try {
            assertThat(run("check")).isEqualTo(2);
        } finally {
            if (home == null) {
                System.clearProperty("summarizer.home");
            } else {
                System.setProperty("summarizer.home", home);
            }
        }
        assertThat(text(err)).contains("config/summarizer.yaml").contains("no such file");
    }

    @Test
    void warningsOfACheckStandOnStandardErrorAndItSucceeds() throws IOException {
        Files.writeString(folder.resolve("e.proto"), "syntax = \"proto3\";\nmessage E { int64 a = 1; }\n");
        Files.writeString(folder.resolve("s.summ"), """
                import "e.proto";
                event E on "e" as csv;
                summary S { key { int64 k = 1; } value { count n = 1; multiset64(regwidth = 2) users = 2; } }
                map E into S { key { k = a % 0; } n += 1 where a != null; }
                """);
        assertThat(run("check", "--definitions", folder.toString())).isZero();
        assertThat(text(out)).isEqualTo(folder + ": fine, 1 event type, 1 summary, 1 mapping\n");
        assertThat(text(err)).isEqualTo("""
                %1$s/s.summ:3:80: warning: with `regwidth = 2` no estimate is above 62,460; `S` may have 20,000,000 keys
                    summary S { key { int64 k = 1; } value { count n = 1; multiset64(regwidth = 2) users = 2; } }
                                                                                                   ^~~~~
                help: without `regwidth`, registers have 5 bits, and estimates no bound that anybody meets

                %1$s/s.summ:4:28: warning: this divides by zero, which gives null
                    map E into S { key { k = a %% 0; } n += 1 where a != null; }
                                               ^

                %1$s/s.summ:4:50: warning: a comparison with null never holds, whatever it is compared with
                    map E into S { key { k = a %% 0; } n += 1 where a != null; }
                                                                     ^~
                help: `has(a)` holds where it is not null

                """.formatted(folder));
    }

    /** Names of classes are cut, so that those of a summary's rows and of its CSV may have a common beginning. */
    @Test
    void writesAFileForEachClassHoweverLongTheNameOfASummary() throws IOException {
        String name = "CampaignDetailsByInventoryAndCreativeTotals";
        Files.writeString(folder.resolve("e.proto"), "syntax = \"proto3\";\nmessage E { int64 a = 1; }\n");
        Files.writeString(folder.resolve("s.summ"), """
                import "e.proto";
                event E on "e" as csv;
                summary %s { key { int64 k = 1; } value { count n = 1; } }
                map E into %s { key { k = a; } n += 1; }
                """.formatted(name, name));
        Path java = folder.resolve("java");
        assertThat(run("check", "--definitions", folder.toString(), "--emit-java", java.toString()))
                .isZero();
        assertThat(text(out)).contains(java + ": 4 classes");
        try (Stream<Path> files = Files.list(java.resolve("io/summarizer/generated"))) {
            assertThat(files).hasSize(4);
        }
    }

    @Test
    @Tag("long")
    void definitionsThatAreTooLargeForAClassAreWrong() throws IOException {
        Files.writeString(folder.resolve("e.proto"), "syntax = \"proto3\"; message E { int64 a = 1; }");
        String updates = IntStream.range(0, 20_000)
                .mapToObj(i -> "n += a + " + i + ";\n")
                .collect(Collectors.joining());
        Files.writeString(folder.resolve("s.summ"), """
                import "e.proto";
                event E on "e" as csv;
                summary S { key { int64 k = 1; } value { sumint64 n = 1; } }
                map E into S { key { k = a; } %s }
                """.formatted(updates));
        assertThat(run("check", "--definitions", folder.toString(), "--json")).isEqualTo(1);
        assertThat(text(out)).contains("\"the definitions are too large: ", "\"write fewer statements");
        assertThat(text(err))
                .contains(folder + ": error: the definitions are too large: ", folder + " has 1 error")
                .doesNotContain("fault");
    }

    @Test
    void writesTheJavaThatDefinitionsBecome() throws IOException {
        Path java = folder.resolve("java");
        assertThat(run(
                        "check",
                        "--definitions",
                        ProjectHome.path().resolve("schemas").toString(),
                        "--emit-java",
                        java.toString()))
                .isZero();
        assertThat(text(out)).contains(java + ": ").contains(" classes");
        assertThat(Files.readString(java.resolve("io/summarizer/generated/ImpressionProgram.java")))
                .contains("// media_cost += media_cost;", "public final class ImpressionProgram");
    }

    @Test
    void everyCommandExplainsItself() {
        for (String command :
                List.of("serve", "demo", "check", "topics", "explain", "run", "replay", "generate", "export")) {
            out.reset();
            assertThat(run(command, "--help")).isZero();
            assertThat(text(out)).startsWith("Usage: summarizer " + command).contains("--verbose");
        }
        out.reset();
        assertThat(run("--help")).isZero();
        assertThat(text(out))
                .contains("serve", "demo", "check", "topics", "explain", "run", "replay", "generate", "export");
    }

    /** The list of commands shows the first sentence of each, which fits on a line of 80 columns. */
    @Test
    void eachCommandHasALineOfItsOwnInTheListOfCommands() {
        Terminal terminal = Terminal.of(out, err);
        Terminal narrow =
                new Terminal(terminal.in(), terminal.out(), terminal.data(), terminal.err(), false, false, false, 80);
        assertThat(Main.run(narrow, Map.of(), "--help")).isZero();
        List<String> commands = text(out)
                .lines()
                .dropWhile(line -> !line.equals("Commands:"))
                .skip(1)
                .takeWhile(line -> !line.equals("Exit status:"))
                .toList();
        assertThat(commands).hasSize(19).allMatch(line -> line.matches("  [a-z]+ +[A-Z].*[.]"));
    }

    @Test
    void generateWritesToAFile() throws IOException {
        Path file = folder.resolve("ads.log");
        assertThat(run("generate", "ads-v1", "--events", "100", "--out", file.toString()))
                .isZero();
        assertThat(text(out)).isEmpty();
        run("generate", "ads-v1", "--events", "100");
        assertThat(file).hasContent(text(out));
    }

    @Test
    void generateWritesTheSameLinesAgain() {
        assertThat(run("generate", "ads-v1", "--events", "100")).isZero();
        String first = text(out);
        assertThat(first.lines()).hasSize(100).allMatch(line -> line.startsWith("<134>1 2026-11-20T00:00:00"));
        out.reset();
        assertThat(run("generate", "ads-v1", "--events", "100", "--seed", "1")).isZero();
        assertThat(text(out)).isEqualTo(first);
        out.reset();
        run("generate", "ads-v1", "--events", "100", "--seed", "2");
        assertThat(text(out)).isNotEqualTo(first);
    }

    @Test
    void generateSendsToAListener() throws Exception {
        run("generate", "ads-v2", "--events", "10");
        try (TcpSink sink = new TcpSink()) {
            assertThat(run("generate", "ads-v2", "--events", "10", "--to", sink.uri()))
                    .isZero();
            assertThat(new String(sink.received(), StandardCharsets.UTF_8)).isEqualTo(text(out));
        }
        assertThat(text(err)).startsWith("sent 10 messages in ");
    }

    @Test
    void replaySendsAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("lines"), "one\ntwo\n");
        try (TcpSink sink = new TcpSink()) {
            // In the form that the service prints, without the scheme.
            String printed = sink.uri().substring("tcp://".length());
            assertThat(run("replay", file.toString(), "--to", printed, "--framing", "octet"))
                    .isZero();
            assertThat(new String(sink.received(), StandardCharsets.UTF_8)).isEqualTo("3 one3 two");
        }
        assertThat(text(err)).startsWith("sent 2 messages, 10 B, in ");
    }

    @Test
    void replaySaysWhatItSentAndWhyOthersWereNot() throws Exception {
        Path file = Files.writeString(folder.resolve("mended"), "{\"message\":\"<1>a\"}\nnothing\n");
        try (TcpSink sink = new TcpSink()) {
            assertThat(run("replay", file.toString(), "--format", "jsonl", "--to", sink.uri()))
                    .isEqualTo(3);
            assertThat(new String(sink.received(), StandardCharsets.UTF_8)).isEqualTo("4 <1>a");
        }
        assertThat(text(err))
                .startsWith("sent 1 message")
                .contains("\nmessage 2 was not sent: not JSON: ")
                .endsWith("\nsummarizer: 1 message was not sent\n");
    }

    @Test
    void aHyphenIsStandardInputAndOutputAlsoBesideAFileOfThatName() throws Exception {
        Path file = Files.writeString(Path.of("-"), "of the file\n");
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("of standard input\n".getBytes(StandardCharsets.UTF_8)));
        try (TcpSink sink = new TcpSink()) {
            assertThat(run("replay", "-", "--to", sink.uri())).isZero();
            assertThat(new String(sink.received(), StandardCharsets.UTF_8)).isEqualTo("of standard input\n");
            assertThat(run("generate", "ads-v1", "--events", "1", "--out", "-")).isZero();
            assertThat(text(out)).contains(" ad.impression ");
            assertThat(file).hasContent("of the file\n");
            assertFailure(2, "not standard output", "export", "--all-summaries", "--out", "-");
        } finally {
            System.setIn(before);
            Files.delete(file);
        }
    }

    @Test
    void whatCannotBeDoneIsExitCode3AndOneLine() throws IOException {
        int port = FreePort.next();
        Path file = Files.writeString(folder.resolve("lines"), "one\n");
        assertFailure("no such file", "replay", folder.resolve("absent").toString(), "--to", "tcp://127.0.0.1:" + port);
        assertFailure("is a folder", "replay", folder.toString(), "--to", "tcp://127.0.0.1:" + port);
        assertFailure("is a folder", "windows", "put", folder.toString());
        assertFailure("no such file", "windows", "put", folder.resolve("absent").toString());
        assertFailure("is the service running?", "replay", file.toString(), "--to", "tcp://127.0.0.1:" + port);
        assertFailure("is the service running?", "generate", "ads-v1", "--events", "1", "--to", "127.0.0.1:" + port);
        assertFailure("is the service running?", "export", "X", "--server", "http://127.0.0.1:" + port);
        assertFailure(2, "is not http://HOST:PORT", "export", "X", "--server", "ftp://x");
        assertFailure(2, "is not http://HOST:PORT", "export", "X", "--server", "127.0.0.1:99999");
        assertFailure(2, "is not http://HOST:PORT", "export", "X", "--server", "http://127.0.0.1:1/summaries");
        assertFailure("is the service running?", "export", "X", "--server", "http://127.0.0.1:" + port + "/");
        assertThat(CommandFailure.noSummary("X", List.of())).hasMessage("there is no summary X, nor any other");
        assertThat(CommandFailure.noSummary("X", List.of("A", "B")))
                .hasMessage("there is no summary X; there are: A, B");
        assertFailure("no such file", "run", "--definitions", ".", "--out", folder.toString(), "absent.log");
    }

    @Test
    void aWrongConfigurationShowsAllItsProblems() {
        assertThat(run("serve", "--set", "pipeline.parse.queue=clq", "--set", "nothing=1"))
                .isEqualTo(2);
        assertThat(text(err))
                .endsWith("\nsummarizer: the configuration has 2 problems\n")
                .startsWith("--set: error: pipeline.parse.queue: \"clq\" is not allowed")
                .contains("--set: error: nothing: no such key");
    }

    @Test
    void verboseShowsWhere() {
        run("replay", "absent", "--to", "tcp://127.0.0.1:1", "--verbose");
        assertThat(text(err)).contains("\tat io.summarizer");
    }

    @Test
    void exportWritesACsvToStandardOutputOrAFileOrAFolder() throws IOException {
        try (Server server = new Server()) {
            assertThat(run("export", "S", "--server", server.url())).isZero();
            assertThat(text(out)).isEqualTo("csv of /summaries/S.csv\n");
            assertThat(run("export", "S/a", "--server", server.url(), "--out", folder.toString()))
                    .isZero();
            assertThat(folder.resolve("S.a.csv")).hasContent("csv of /summaries/S/a.csv");
            Path file = folder.resolve("x");
            assertThat(run("export", "S/a/b", "--server", server.url(), "--out", file.toString()))
                    .isZero();
            assertThat(file).hasContent("csv of /summaries/S/a/b.csv");
        }
    }

    @Test
    void anAnswerThatCouldNotBeWrittenIsAFailure() throws IOException {
        try (Server server = new Server()) {
            for (String[] command : new String[][] {
                {"export", "S", "--server", server.url()}, {"generate", "ads-v1", "--events", "1000"}, {"--help"}
            }) {
                err.reset();
                assertThat(Main.run(Terminal.of(failing("No space left on device"), err), Map.of(), command))
                        .isEqualTo(3);
                assertThat(text(err)).isEqualTo("summarizer: standard output: No space left on device\n");
            }
        }
    }

    @Test
    void aReaderWhoHasEnoughEndsACommandSilently() throws IOException {
        try (Server server = new Server()) {
            for (String[] command : new String[][] {
                {"export", "S", "--server", server.url()}, {"generate", "ads-v1", "--events", "1000"}, {"--help"}
            }) {
                err.reset();
                assertThat(Main.run(Terminal.of(failing("Broken pipe"), err), Map.of(), command))
                        .isEqualTo(141);
                assertThat(text(err)).isEmpty();
            }
        }
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(message);
            }
        };
    }

    @Test
    void exportAllReadsOneCut() throws IOException {
        try (Server server = new Server()) {
            assertThat(run("export", "S", "--all", "--server", server.url(), "--out", folder + "/new"))
                    .isZero();
            assertThat(server.requests)
                    .containsExactly(
                            "/summaries",
                            "/summaries/S.csv",
                            "/summaries/S/a.csv?cut=42",
                            "/summaries/S/a/b.csv?cut=42");
        }
        try (Stream<Path> files = Files.list(folder.resolve("new"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("S.csv", "S.a.csv", "S.a.b.csv");
        }
    }

    @Test
    void exportNamesFilesByTheirFormat() throws IOException {
        try (Server server = new Server()) {
            assertThat(run(
                            "export",
                            "S",
                            "--all",
                            "--format=ndjson",
                            "--server",
                            server.url(),
                            "--out",
                            folder + "/new"))
                    .isZero();
            assertThat(server.requests)
                    .containsExactly(
                            "/summaries",
                            "/summaries/S.csv?format=ndjson",
                            "/summaries/S/a.csv?format=ndjson&cut=42",
                            "/summaries/S/a/b.csv?format=ndjson&cut=42");
            assertThat(text(err)).isEqualTo("S.ndjson, S.a.ndjson, S.a.b.ndjson: all of cut 42\n");
            assertThat(folder.resolve("new/S.a.ndjson")).exists();
        }
    }

    @Test
    void exportNamesTheFilesThatItWroteBeforeItFailed() throws IOException {
        try (Server server = new Server()) {
            server.whole = true;
            Path csv = folder.resolve("new");
            Files.createDirectories(csv.resolve("T.csv"));
            assertThat(run("export", "--all-summaries", "--server", server.url(), "--out", csv.toString()))
                    .isEqualTo(3);
            assertThat(text(err))
                    .startsWith("written before the failure, as of cut 42: " + csv.resolve("S.csv") + ", "
                            + csv.resolve("S.a.csv") + ", " + csv.resolve("S.a.b.csv") + "; other files in " + csv
                            + " may be older\nsummarizer: ")
                    .contains("T.csv");
        }
    }

    @Test
    void exportOfAllSummariesReadsOneCut() throws IOException {
        try (Server server = new Server()) {
            server.whole = true;
            assertThat(run("export", "--all-summaries", "--server", server.url(), "--out", folder + "/new"))
                    .as(text(err))
                    .isZero();
            assertThat(server.requests)
                    .containsExactly(
                            "/summaries",
                            "/summaries/S.csv",
                            "/summaries/S/a.csv?cut=42",
                            "/summaries/S/a/b.csv?cut=42",
                            "/summaries/T.csv?cut=42");
            assertThat(text(err)).isEqualTo("S.csv, S.a.csv, S.a.b.csv, T.csv: all of cut 42\n");
            assertFailure(2, "not with --all or a SUMMARY", "export", "S", "--all-summaries");
            assertFailure(2, "apply to one table", "export", "--all-summaries", "--limit", "1");
            assertFailure(2, "name a SUMMARY", "export");
        }
    }

    @Test
    void exportReadsTheCutItIsGiven() throws IOException {
        try (Server server = new Server()) {
            assertThat(run("export", "S", "--cut", "41", "--server", server.url()))
                    .isZero();
            assertThat(run("export", "S/a", "--all", "--cut=41", "--server", server.url(), "--out", folder.toString()))
                    .isZero();
            assertThat(server.requests)
                    .containsExactly(
                            "/summaries",
                            "/summaries/S.csv?cut=41",
                            "/summaries",
                            "/summaries/S/a.csv?cut=41",
                            "/summaries/S/a/b.csv?cut=42"); // from the answer
        }
    }

    @Test
    void everyParameterOfAnAddressIsAnOptionOfExport() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("export", "S"));
        List<String> parameters = new ArrayList<>();
        for (String parameter : CsvQuery.PARAMETERS) {
            String value = parameter.equals("format") ? "ndjson" : "7"; // the service checks the others
            arguments.add("--" + parameter.replace('_', '-') + "=" + value);
            parameters.add(parameter + "=" + value);
        }
        try (Server server = new Server()) {
            arguments.addAll(List.of("--server", server.url()));
            assertThat(run(arguments.toArray(String[]::new))).isZero();
            assertThat(server.requests.get(1).split("[?&]")).contains(parameters.toArray(String[]::new));
        }
    }

    @Test
    void exportOfAnUnknownSummaryNamesThoseThereAre() throws IOException {
        try (Server server = new Server()) {
            assertFailure(2, "no summary Sa; there are: S, S/a, S/a/b, T", "export", "Sa", "--server", server.url());
        }
    }

    @Test
    void aFailedExportLeavesNoFile() throws IOException {
        try (Server server = new Server()) {
            assertFailure("answered 500: broken", "export", "T", "--server", server.url(), "--out", folder + "/T.csv");
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    private void assertFailure(String message, String... arguments) {
        assertFailure(3, message, arguments);
    }

    private void assertFailure(int exit, String message, String... arguments) {
        err.reset();
        assertThat(run(arguments)).isEqualTo(exit);
        assertThat(text(err)).startsWith("summarizer: ").contains(message).hasLineCount(1);
    }

    private int run(String... arguments) {
        return Main.run(Terminal.of(out, err), Map.of(), arguments);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    /** A service with a summary S, its nested a and a/b, and a summary T that cannot be read. */
    private static final class Server implements AutoCloseable {
        private final List<String> requests = new ArrayList<>();
        private final HttpServer http;
        private boolean whole;

        Server() throws IOException {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", this::answer);
            http.start();
        }

        String url() {
            return "http://127.0.0.1:" + http.getAddress().getPort();
        }

        private void answer(HttpExchange exchange) throws IOException {
            String request = exchange.getRequestURI().toString();
            requests.add(request);
            boolean broken = !whole && request.startsWith("/summaries/T");
            String body = broken
                    ? "broken\n"
                    : request.equals("/summaries")
                            ? "[{\"name\":\"S\",\"rows\":1,\"updates\":2,\"csv\":\"/summaries/S.csv\",\"nested\":"
                                    + "[{\"path\":\"a\",\"rows\":1,\"csv\":\"/summaries/S/a.csv\"},"
                                    + "{\"path\":\"a/b\",\"rows\":1,\"csv\":\"/summaries/S/a/b.csv\"}]},"
                                    + "{\"name\":\"T\",\"rows\":0,\"updates\":0,"
                                    + "\"csv\":\"/summaries/T.csv\",\"nested\":[]}]"
                            : "csv of " + exchange.getRequestURI().getPath() + "\n";
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("X-Summarizer-Cut", "42");
            exchange.sendResponseHeaders(broken ? 500 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        @Override
        public void close() {
            http.stop(0);
        }
    }
}
