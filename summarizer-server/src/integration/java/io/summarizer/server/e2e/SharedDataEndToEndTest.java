package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.RejectReason;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.Example;
import io.summarizer.server.oracle.OracleTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries of recorded data: the results equal those that DuckDB computes from the raw files. */
class SharedDataEndToEndTest {
    private static final List<String> NO_ESTIMATES = List.of();

    @TempDir
    Path folder;

    /** Objects, lists of objects and absent fields of all kinds. */
    @Test
    void activityOnGitHub() throws Exception {
        Path file = SharedData.file("gharchive-2021-sample/2021-07-21-few-hours.json");
        try (DuckDbOracle oracle = Example.GITHUB.oracle(file);
                RunningService service = RunningService.start(
                        keptForever(Example.GITHUB), folder.resolve("data"), "pipeline.parse.workers=1")) {
            assertThat(oracle.number("SELECT sum((payload->>'$.size')::BIGINT) FROM events"))
                    .as("what is known of this file")
                    .isEqualTo(1_630);
            send(service, counted(file, "github"), 800);
            assertNothingRefused(service);
            compare(service, oracle, Example.GITHUB);
        }
    }

    /** Lists within lists make rows of their own; summaries nest three deep. */
    @Test
    void bidRequestsOfAnAdExchange() throws Exception {
        Path file = SharedData.file("adx-bid-requests/adxrequests-lines-0001-0600.ndjson");
        try (DuckDbOracle oracle = Example.ADS.oracle(file);
                RunningService service = started(Example.ADS)) {
            send(service, counted(file, "adx.bid.request"), 600);
            assertNothingRefused(service);
            compare(service, oracle, Example.ADS);
        }
    }

    /** Lines that regular expressions parse, one of them cut off. */
    @Test
    void requestsOfAWebServer() throws Exception {
        Path file = SharedData.file("apache-access/apache_logs");
        try (DuckDbOracle oracle = Example.WEB_LOGS.oracle(file);
                RunningService service = RunningService.start(keptForever(Example.WEB_LOGS), folder.resolve("data"))) {
            assertThat(oracle.number("SELECT count(*) FROM requests WHERE status = 404"))
                    .as("what is known of this file")
                    .isEqualTo(213);
            send(service, counted(file, "web.access"), 10_000);
            assertNothingRefused(service);
            compare(service, oracle, Example.WEB_LOGS);
        }
    }

    /** A file as syslogd wrote it: times without a year, lines of other programs, and repetitions that it merged. */
    @Test
    void loginsBySsh() throws Exception {
        Path file = SharedData.file("syslog-auth/auth.log");
        Path out = folder.resolve("out");
        Commands.Outcome outcome = Commands.run(
                "run",
                "--definitions",
                Example.SSHD.folder().toString(),
                "--year",
                "2026",
                "--out",
                out.toString(),
                file.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        try (DuckDbOracle oracle = Example.SSHD.oracle(file)) {
            assertThat(oracle.number("SELECT count(*) FROM failures"))
                    .as("what is known of this file")
                    .isEqualTo(713);
            compare(oracle, Example.SSHD.tables(), out);
        }
    }

    /** Objects four levels deep, used and unused. */
    @Test
    void recordsOfSuricata() throws Exception {
        Path file = SharedData.file("suricata-fileinfo/eve.json");
        try (DuckDbOracle oracle = Example.SURICATA.oracle(file);
                RunningService service = started(Example.SURICATA)) {
            assertThat(oracle.number("SELECT sum(size) FROM records WHERE hostname = '192.168.27.225'"))
                    .as("what is known of this file")
                    .isEqualTo(19_744_515);
            send(service, counted(file, "suricata"), 5_000);
            assertNothingRefused(service);
            compare(service, oracle, Example.SURICATA);
        }
    }

    /** Member names with dots, lists of texts, and numbers that are often absent; gzip. */
    @Test
    void lookupsThatZeekSaw() throws Exception {
        Path file = SharedData.file("zeek-dns/dns.json.gz");
        Path out = folder.resolve("out");
        Commands.Outcome outcome = Commands.run(
                "run",
                "--definitions",
                Example.ZEEK.folder().toString(),
                "--topic",
                "zeek.dns",
                "--out",
                out.toString(),
                file.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        try (DuckDbOracle oracle = Example.ZEEK.oracle(file)) {
            assertThat(oracle.number("SELECT count(DISTINCT client) FROM lookups"))
                    .as("what is known of this file")
                    .isEqualTo(77);
            List<OracleTable> ofDns = Example.ZEEK.tables().stream()
                    .filter(table -> !table.name().equals("Services"))
                    .toList();
            compare(oracle, ofDns, out);
        }
    }

    /** A capture of RFC 5424 messages, sent unchanged: the content of their envelopes. */
    @Test
    void messagesOfWindowsHosts() throws Exception {
        Path file = SharedData.file("zeek-syslog/syslog-rfc5424.log");
        try (DuckDbOracle oracle = oracle()) {
            loadCapture(oracle, file);
            OracleTable levels = new OracleTable(
                    "Levels",
                    """
                    SELECT pri // 8 AS facility, pri % 8 AS severity, count(*) AS messages,
                           count(DISTINCT text) AS texts, count(DISTINCT host) AS hosts
                    FROM messages GROUP BY 1, 2""",
                    List.of("facility", "severity"),
                    List.of("messages", "texts", "hosts"),
                    List.of("texts", "hosts"));
            OracleTable hosts = new OracleTable(
                    "Hosts",
                    """
                    SELECT host, utc(min(us)) AS first_at, utc(max(us)) AS last_at, 'EvntSLog' AS app,
                           count(*) AS messages, sum(strlen(text)) AS bytes, min(length(text)) AS shortest,
                           max(length(text)) AS longest, 0 AS with_msg_id
                    FROM messages GROUP BY 1""",
                    List.of("host", "first_at", "last_at", "app"),
                    List.of("messages", "bytes", "shortest", "longest", "with_msg_id"),
                    NO_ESTIMATES);
            OracleTable events =
                    new OracleTable("Hosts.events", """
                    SELECT host, regexp_extract(text, '"id": "([0-9]+)"', 1) AS id, count(*) AS messages
                    FROM messages WHERE regexp_matches(text, '"id": "[0-9]+"') GROUP BY 1, 2""", List.of("host", "id"), List.of("messages"), NO_ESTIMATES);
            try (RunningService service = started("zeek-text")) {
                send(service, Files.readAllBytes(file), 2_378);
                assertNothingRefused(service);
                compare(service, oracle, levels, hosts, events);
            }
        }
    }

    /** The same capture to definitions for JSON: other messages are rejected, and kept. */
    @Test
    void jsonBehindACookieAmongPlainText() throws Exception {
        Path file = SharedData.file("zeek-syslog/syslog-rfc5424.log");
        try (DuckDbOracle oracle = oracle()) {
            loadCapture(oracle, file);
            oracle.execute("""
                    CREATE TABLE windows AS
                    SELECT text->>'$.sourceproc' AS sourceproc, (text->>'$.id')::BIGINT AS id, text->>'$.user' AS user_name,
                           text->>'$.level' AS level
                    FROM messages WHERE starts_with(text, '{')""");
            OracleTable sources = new OracleTable(
                    "Sources", """
                    SELECT sourceproc, count(*) AS events, count(DISTINCT user_name) AS users
                    FROM windows GROUP BY 1""", List.of("sourceproc"), List.of("events", "users"), List.of("users"));
            OracleTable ids = new OracleTable(
                    "Sources.ids",
                    """
                    SELECT sourceproc, id, count(*) AS events, count(*) FILTER (level = 'Information') AS informational,
                           count(DISTINCT user_name) AS users
                    FROM windows GROUP BY 1, 2""",
                    List.of("sourceproc", "id"),
                    List.of("events", "informational", "users"),
                    List.of("users"));
            try (RunningService service = started("zeek-json")) {
                send(service, Files.readAllBytes(file), 2_378);
                assertThat(service.rejected()).isEqualTo(Map.of(RejectReason.PAYLOAD, 2_378L - 290));
                assertThat(service.updates("Sources", null)).isEqualTo(290);
                compare(service, oracle, sources, ids);
            }
        }
        List<String> plain = Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                .filter(line -> !line.contains("@cee: {"))
                .sorted()
                .toList();
        assertThat(RejectFiles.frames(folder.resolve("data/rejects"), "payload"))
                .isEqualTo(plain);
    }

    /** CSV with 44 columns, of which ten are used. */
    @Test
    void impressionsAndClicksInAFashionShop() throws Exception {
        Path named = SharedData.file("obd-bts-men/men.csv");
        List<String> lines = Files.readAllLines(named);
        Path file = Files.write(folder.resolve("men.csv"), lines.subList(1, lines.size()));
        try (DuckDbOracle oracle = Example.OBD.oracle(file);
                RunningService service = started(Example.OBD)) {
            assertThat(oracle.number("SELECT sum(click) FROM shown"))
                    .as("what is known of this file")
                    .isEqualTo(69);
            send(service, counted(file, "obd.men"), 10_000);
            assertNothingRefused(service);
            compare(service, oracle, Example.OBD);
        }
    }

    private static DuckDbOracle oracle() throws Exception {
        DuckDbOracle oracle = new DuckDbOracle();
        oracle.execute("CREATE MACRO utc(us) AS strftime(make_timestamp(us::BIGINT), '%Y-%m-%dT%H:%M:%S.%fZ')");
        return oracle;
    }

    /** Parses the capture with regular expressions. */
    private static void loadCapture(DuckDbOracle oracle, Path file) throws Exception {
        oracle.execute("""
                CREATE TABLE messages AS
                SELECT p.pri::INT AS pri, epoch_us(p.time::TIMESTAMPTZ) AS us, p.host AS host,
                       CASE WHEN starts_with(p.msg, '@cee: {') THEN substring(p.msg, 7) ELSE p.msg END AS text
                FROM (SELECT regexp_extract(line, '^<(\\d+)>1 (\\S+) (\\S+) EvntSLog - - - (.*)$',
                                            ['pri', 'time', 'host', 'msg']) AS p
                      FROM read_csv('%s', columns = {'line': 'VARCHAR'}, header = false, auto_detect = false,
                                    delim = '\u0001', quote = '', escape = ''))""".formatted(file));
    }

    /** Returns a copy of the example whose windows are kept: the service would delete those of an old file at once. */
    private Path keptForever(Example example) throws IOException {
        Path copy = Files.createDirectory(folder.resolve("definitions"));
        try (Stream<Path> files = Files.list(example.folder())) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                Files.writeString(
                        copy.resolve(file.getFileName().toString()),
                        text.replaceAll("(close after \\w+) keep \\w+;", "$1;"));
            }
        }
        return copy;
    }

    private RunningService started(Example example) throws Exception {
        return RunningService.start(example.folder(), folder.resolve("data"));
    }

    private RunningService started(String definitions) throws Exception {
        Path classes = Path.of(
                SharedDataEndToEndTest.class.getResource("/e2e/" + definitions).toURI());
        return RunningService.start(classes, folder.resolve("data"));
    }

    private static void send(RunningService service, byte[] messages, long count) throws Exception {
        service.send(messages);
        service.awaitReceived(count);
        assertThat(service.metric("summarizer_received_total")).isEqualTo(count);
    }

    private static void assertNothingRefused(RunningService service) throws Exception {
        assertThat(service.rejected()).isEmpty();
        assertThat(service.metric("summarizer_unmatched_total")).isZero();
    }

    private void compare(RunningService service, DuckDbOracle oracle, Example example) throws Exception {
        compare(service, oracle, example.tables().toArray(OracleTable[]::new));
    }

    private void compare(RunningService service, DuckDbOracle oracle, OracleTable... tables) throws Exception {
        String[] names = new String[tables.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = tables[i].name().replace('.', '/');
        }
        compare(oracle, List.of(tables), service.pullAll(folder.resolve("pulled"), names));
    }

    private static void compare(DuckDbOracle oracle, List<OracleTable> tables, Path csv) throws Exception {
        for (OracleTable table : tables) {
            CsvComparison.compare(oracle, table, csv.resolve(table.name() + ".csv"))
                    .assertAgrees();
        }
    }

    /**
     * Returns lines as octet-counted RFC 5424 messages without MSGID, so that APP-NAME, which may be longer, is the
     * topic.
     */
    private static byte[] counted(Path file, String topic) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String line : Files.readAllLines(file)) {
            byte[] message =
                    ("<134>1 2026-11-20T00:00:00Z host " + topic + " - - - " + line).getBytes(StandardCharsets.UTF_8);
            out.write((message.length + " ").getBytes(StandardCharsets.US_ASCII));
            out.write(message);
        }
        return out.toByteArray();
    }
}
