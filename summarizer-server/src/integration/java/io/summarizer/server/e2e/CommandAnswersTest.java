package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.summarizer.server.cli.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The exit codes of commands, and their answers in JSON, word for word; {@code -Dsummarizer.golden.regenerate=true}
 * rewrites them, and fails. Values that differ between runs are masked: the folder of the test, addresses, times,
 * numbers of cuts.
 */
class CommandAnswersTest {
    private static final Path GOLDEN = Path.of("src/test/resources/cli");
    private static final String DEFINITIONS = """
            import "shop.proto";
            event Order on "shop.order.#" as csv;
            summary Sales { key { string country = 1; } value { count orders = 1; sumdouble amount = 2; } }
            map Order into Sales where amount > 0 { key { country; } orders += 1; amount += amount; }
            """;
    private static final String ORDER = "<134>1 - web1 shop - shop.order.de - 7,DE,19.90";

    @TempDir
    Path folder;

    private Path definitions;
    private final List<String> transcript = new ArrayList<>();

    @BeforeEach
    void write() throws IOException {
        definitions = define("definitions", DEFINITIONS);
    }

    private Path define(String name, String text) throws IOException {
        Path made = Files.createDirectories(folder.resolve(name));
        Files.writeString(
                made.resolve("shop.proto"),
                "syntax = \"proto3\"; message Order { int64 id = 1; string country = 2; double amount = 3; }");
        Files.writeString(made.resolve("shop.summ"), text);
        return made;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String masked(String text) {
        return text.replace(folder.toString(), "FOLDER")
                .replaceAll("127\\.0\\.0\\.1:\\d+", "HOST:PORT")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("(\"(?:cut|bytes|plain_bytes|kept_?[sS]econds)\" : \"?)\\d+", "$1N")
                .replaceAll("cut=\\d+", "cut=N")
                .replaceAll("in \\d+\\.\\d+ s", "in N s")
                .replaceAll("(\"seconds\" : )[0-9.E-]+", "$1N")
                .replaceAll("\\b[0-9a-f]{64}\\b", "SHA256")
                .replaceAll("(\"token\" : )\"[^\"]*\"", "$1\"SECRET\"");
    }

    private void isAsBefore(String name) throws IOException {
        Path golden = GOLDEN.resolve(name);
        String text = String.join("\n", transcript) + "\n";
        if (Boolean.getBoolean("summarizer.golden.regenerate")) {
            Files.writeString(golden, text);
            throw new AssertionError(golden + " is written anew");
        }
        assertThat(text).isEqualTo(Files.readString(golden));
    }

    /** Records the exit code of a command, and the last line of its failure. */
    private void exit(String... arguments) {
        Commands.Outcome outcome = Commands.run(arguments);
        String last = outcome.err()
                .lines()
                .filter(line -> line.startsWith("summarizer: "))
                .reduce("", (before, line) -> line);
        transcript.add(masked(
                outcome.exit() + "  " + String.join(" ", arguments) + (last.isEmpty() ? "" : "\n       " + last)));
    }

    /** Records an answer in JSON. */
    private void json(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        Commands.Outcome outcome = Commands.run(all.toArray(String[]::new));
        transcript.add(masked(outcome.exit() + "  " + String.join(" ", all) + "\n" + outcome.out()));
    }

    @Test
    void everyExitCodeIsAsBefore() throws Exception {
        String good = definitions.toString();
        String bad = define("bad", DEFINITIONS + "summary Broken { key { int65 id = 1; } }")
                .toString();
        String log =
                Files.writeString(folder.resolve("orders.log"), ORDER + "\n").toString();
        String other = Files.writeString(folder.resolve("other.log"), "hello\n").toString();
        String noFraming =
                Files.writeString(folder.resolve("frames.log"), "hello\n").toString();
        Commands.run("run", "--definitions", good, "--out", file("out"), "--state", file("one.state"), log);
        Files.writeString(folder.resolve("no.state"), "nothing\n");
        Files.writeString(folder.resolve("bad.yaml"), "nothing: 1\n");
        Files.writeString(folder.resolve("open.yaml"), "http:\n  bind: 0.0.0.0:0\n");
        Files.writeString(
                folder.resolve("tls.yaml"), "http:\n  tls:\n    certificate: " + log + "\n    key: " + log + "\n");

        exit("--version");
        exit("nothing");
        exit("check", "--definitions", good);
        exit("check", "--definitions", bad);
        exit("check", "--definitions", file("absent"));
        Path unread = Files.createDirectories(folder.resolve("unread"));
        Files.createSymbolicLink(unread.resolve("shop.summ"), folder.resolve("nowhere"));
        exit("check", "--definitions", unread.toString());
        exit("check", "--definitions", good, "--server", "127.0.0.1:1");
        exit("check", "--server", "127.0.0.1:1");
        exit("check", "--server", "ftp://x");
        exit("check", "--config", file("bad.yaml"));
        exit("check", "--config", file("open.yaml"), "--definitions", good);
        exit("check", "--config", file("tls.yaml"), "--definitions", good);
        exit("check", "--definitions", good, "--set", "http.tokens=" + file("absent"));
        exit("check", "--definitions", good, "--set", "http.bind=127.0.0.1:2514");
        exit("topics", "--definitions", good, "shop.order.de");
        exit("topics", "--definitions", good, "shop.oder.de");
        exit("topics", "--definitions", bad, "shop.order.de");
        exit("topics", "--server", "127.0.0.1:1", "shop.order.de");
        exit("explain", "--definitions", good, ORDER);
        exit("explain", "--definitions", good, "hello");
        exit("explain", "--definitions", good, "--year", "0", ORDER);
        exit("explain", "--definitions", good, "--framing", "octet", "hello");
        exit("explain", "--definitions", good, "");
        exit("run", "--definitions", good, "--out", file("out"), log);
        exit("run", "--definitions", good, "--out", file("out"), other);
        exit("run", "--definitions", bad, "--out", file("out"), log);
        exit("run", "--definitions", good, "--out", file("out"), "--year", "0", log);
        exit("run", "--definitions", good, "--out", file("out"), "--topic", "a b", log);
        exit("run", "--definitions", good, "--out", file("out"), "--set", "limits.rows=x", log);
        exit("run", "--definitions", good, "--out", file("out"), "--state", file("one.state"), log);
        exit("run", "--definitions", good, "--out", file("out"), file("absent.log"));
        exit("run", "--definitions", good, "--out", file("out"), "--framing", "octet", noFraming);
        exit("state", file("one.state"));
        exit("state", file("one.state"), "Nothing");
        exit("state", file("one.state"), "Sales", "--where", "amount >");
        exit("state", file("no.state"));
        exit("merge", file("one.state"), file("one.state"));
        exit("merge", file("new.state"), file("absent.state"));
        exit("merge", "--definitions", bad, file("new.state"), file("one.state"));
        exit("plan", "--definitions", good, "--from-state", file("one.state"));
        exit("plan", "--definitions", bad, "--from-state", file("one.state"));
        exit(
                "plan",
                "--definitions",
                define(
                                "other",
                                DEFINITIONS
                                        .replace("string country = 1", "int64 id = 1")
                                        .replace("country;", "id;"))
                        .toString(),
                "--from-state",
                file("one.state"));
        exit("plan", "--definitions", good, "--from-state", file("no.state"));
        exit("journal", "ls", file("data"));
        exit("rejects", file("absent"));
        exit("generate", "ads-v1", "--events", "-1");
        exit("generate", "ads-v1", "--events", "1", "--json");
        exit("generate", "ads-v1", "--events", "1", "--to", "127.0.0.1:1");
        exit("replay", log, "--to", "127.0.0.1:1");
        exit("replay", file("absent.log"), "--to", "127.0.0.1:1");
        exit("token", "read", "a b");
        exit("serve", "--set", "nothing=1");
        exit("serve", "--definitions", bad, "--set", "data=" + file("data"));
        exit("serve", "--config", file("open.yaml"), "--definitions", good, "--set", "data=" + file("data"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            exit(
                    "serve",
                    "--definitions",
                    good,
                    "--set",
                    "data=" + file("data"),
                    "--set",
                    "http.bind=127.0.0.1:" + taken.getLocalPort(),
                    "--set",
                    "listen.syslog-tcp.bind=off",
                    "--set",
                    "listen.relp.bind=off");
        }
        isAsBefore("exit-codes.txt");
    }

    /** Output and exit code of a command for each answer of a service. */
    @Test
    void everyStatusOfAServiceHasAnExitCode() throws Exception {
        int[] status = new int[1];
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            byte[] body = "because\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status[0], body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        http.start();
        String url = "http://127.0.0.1:" + http.getAddress().getPort();
        try {
            for (int each : new int[] {400, 401, 403, 404, 409, 422, 429, 500, 503}) {
                status[0] = each;
                exit("export", "Sales", "--server", url);
                exit("reload", "--server", url);
            }
        } finally {
            http.stop(0);
        }
        isAsBefore("exit-codes-of-statuses.txt");
    }

    @Test
    void everyAnswerInJsonIsAsBefore() throws Exception {
        String bad = define("bad", DEFINITIONS + "summary Broken { key { int65 id = 1; } }")
                .toString();
        String changed = define(
                        "changed",
                        DEFINITIONS
                                .replace("amount > 0", "amount > 1")
                                .replace("key { string country", "limit keys = 9; key { string country"))
                .toString();
        json("--version");
        json("check", "--definitions", definitions.toString());
        json("check", "--definitions", bad);
        json("topics", "--definitions", definitions.toString(), "shop.order.de", "shop.oder");
        json("explain", "--definitions", definitions.toString(), ORDER);
        json("explain", "--definitions", definitions.toString(), "--topic", "shop.order", "7,DE,x");
        String log = Files.writeString(
                        folder.resolve("orders.log"), ORDER + "\nhello\n" + ORDER.replace("19.90", "x") + "\n")
                .toString();
        json("run", "--definitions", definitions.toString(), "--out", file("out"), "--state", file("one.state"), log);
        json("merge", file("all.state"), file("one.state"));
        json("generate", "ads-v1", "--events", "3", "--out", file("ads.log"));
        Path data = folder.resolve("data");
        try (RunningService service = RunningService.start(definitions, data)) {
            service.send((ORDER + "\n" + ORDER.replace("DE", "FR") + "\n").getBytes(StandardCharsets.UTF_8));
            service.awaitReceived(2);
            Path state = folder.resolve("saved.state");
            try (InputStream in = URI.create(service.url() + "/state").toURL().openStream()) {
                Files.copy(in, state);
            }
            json("check", "--server", service.url());
            json("ledger", "--server", service.url());
            json("plan", "--definitions", changed, "--server", service.url());
            json("plan", "--definitions", changed, "--from-state", state.toString());
            json("state", state.toString());
            json("export", "--all-summaries", "--out", file("csv"), "--server", service.url());
            json("reset", "Sales", "--server", service.url());
            json("reload", "--server", service.url());
            json("journal", "ls", data.toString());
            json("journal", "verify", data.toString());
            String tcp = "127.0.0.1:" + service.syslog().getPort();
            json("replay", log, "--to", tcp);
            json("generate", "ads-v2", "--events", "2", "--to", tcp);
        }
        json("token", "read", "grafana");
        isAsBefore("json.txt");
    }

    @Test
    void aCheckOfAConfigurationOpensNoPortAndTouchesNoData() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String config = Files.writeString(folder.resolve("taken.yaml"), """
                    definitions: %s
                    data: %s
                    http:
                      bind: 127.0.0.1:%d
                    """.formatted(
                                    definitions, folder.resolve("nowhere"), taken.getLocalPort()))
                    .toString();
            Commands.Outcome outcome = Commands.run("check", "--config", config);
            assertThat(outcome.exit()).as(outcome.err()).isZero();
            assertThat(outcome.out()).isEqualTo(definitions + ": fine, 1 event type, 1 summary, 1 mapping\n");
            assertThat(folder.resolve("nowhere")).doesNotExist();
        }
    }

    @Test
    void aPlanAgainstACheckpointHasTheRulesOfItsDataFolder() throws Exception {
        Path data = folder.resolve("data");
        try (RunningService service = RunningService.start(definitions, data)) {
            service.send((ORDER + "\n").getBytes(StandardCharsets.UTF_8));
            service.awaitReceived(1);
        }
        Path checkpoint;
        try (Stream<Path> files = Files.list(data.resolve("checkpoints"))) {
            checkpoint = files.filter(file -> file.toString().endsWith(".state"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        Path changed = define("changed", DEFINITIONS.replace("amount > 0", "amount > 1"));
        Commands.Outcome outcome =
                Commands.run("plan", "--definitions", changed.toString(), "--from-state", checkpoint.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEqualTo("""
                Sales stays with its 1 row
                mapping Order->Sales changes
                  - map Order into Sales where amount > 0 {
                  + map Order into Sales where amount > 1 {
                """);
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void theVariableNamesTheServiceWhereNoOptionDoes() throws Exception {
        try (RunningService service = RunningService.start(definitions, folder.resolve("data"))) {
            Map<String, String> environment = Map.of("SUMMARIZER_SERVER", service.url());
            assertThat(Commands.run(environment, "ledger").exit()).isZero();
            Commands.Outcome topics = Commands.run(environment, "topics", "shop.order.de");
            assertThat(topics.err()).isEqualTo("by the definitions in force at " + service.url() + "\n");
            assertThat(topics.out()).startsWith("shop.order.de\tOrder\tcsv\n");
            assertThat(Commands.run(environment, "topics", "--definitions", definitions.toString(), "shop.order.de")
                            .err())
                    .isEqualTo("by the definitions in " + definitions + "\n");
        }
    }

    @Test
    void commandsAskTheDefinitionsAndTheLimitsThatAreInForce() throws Exception {
        Path data = folder.resolve("data");
        try (RunningService service =
                RunningService.start(definitions, data, "limits.key-bytes=64", "listen.syslog-tcp.topic=app-name")) {
            define("definitions", DEFINITIONS.replace("shop.order.#", "shop.sale"));
            String byTag = "<134>1 - web1 shop.order - x - 7," + "D".repeat(80) + ",19.90";
            Commands.Outcome explained = Commands.run("explain", "--server", service.url(), byTag);
            assertThat(explained.exit()).isEqualTo(1);
            assertThat(explained.err()).isEqualTo("by the definitions in force at " + service.url() + "\n");
            assertThat(explained.out())
                    .contains("topic            shop.order, its APP-NAME\n")
                    .contains("row of Sales: none of its own, its key is longer than limits.key-bytes\n")
                    .endsWith("rejected (limit): the key of Sales is longer than limits.key-bytes=64\n");
            service.send((byTag + "\n").getBytes(StandardCharsets.UTF_8));
            service.awaitReceived(1);
            assertThat(service.pull("Sales", null).csv()).hasLineCount(1); // as explained: no row
            assertThat(Commands.run("topics", "--server", service.url(), "shop.order")
                            .exit())
                    .isZero();
            assertThat(Commands.run("topics", "--definitions", definitions.toString(), "shop.order")
                            .exit())
                    .isEqualTo(1);
            assertThat(Commands.run("check", "--server", service.url()).out())
                    .isEqualTo(service.url() + ": fine, 1 event type, 1 summary, 1 mapping\n");
        }
    }
}
