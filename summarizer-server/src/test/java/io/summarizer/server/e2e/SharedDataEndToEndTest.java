package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.RejectReason;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.OracleTable;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions to data that others recorded: our answers are those that DuckDB reads out of the raw files. */
class SharedDataEndToEndTest {
    private static final List<String> NO_ESTIMATES = List.of();

    @TempDir
    Path folder;

    /** The type of event is in the topic; objects, lists of objects and absent fields of all kinds. */
    @Test
    void activityOnGitHub() throws Exception {
        Path file = SharedData.file("gharchive-2021-sample/2021-07-21-few-hours.json");
        byte[] messages = counted(file, 0, line -> "github." + textBetween(line, "\"type\":\"", "\""));
        try (DuckDbOracle oracle = oracle()) {
            oracle.execute("""
                    CREATE TABLE events AS
                    SELECT json->>'$.type' AS type, epoch_us((json->>'$.created_at')::TIMESTAMPTZ) AS us,
                           json->>'$.actor.login' AS actor, json->>'$.repo.name' AS repo, json->>'$.org.login' AS org,
                           json->'$.payload' AS payload
                    FROM read_ndjson_objects('%s')""".formatted(file));
            OracleTable types = new OracleTable(
                    "Types",
                    """
                    SELECT type, utc(us - us % 300000000) AS since, utc(min(us)) AS first_at, utc(max(us)) AS last_at,
                           count(*) AS events, count(org) AS with_org, count(DISTINCT actor) AS actors,
                           count(DISTINCT repo) AS repos
                    FROM events GROUP BY 1, 2""",
                    List.of("type", "since", "first_at", "last_at"),
                    List.of("events", "with_org", "actors", "repos"),
                    List.of("actors", "repos"));
            OracleTable pushes = new OracleTable(
                    "Pushes", """
                    SELECT repo, count(*) AS pushes, sum((payload->>'$.size')::BIGINT) AS size,
                           max((payload->>'$.size')::BIGINT) AS largest, count(DISTINCT actor) AS actors
                    FROM events WHERE type = 'PushEvent' GROUP BY 1""", List.of("repo"), List.of("pushes", "size", "largest", "actors"), List.of("actors"));
            OracleTable authors = new OracleTable(
                    "Pushes.authors",
                    """
                    SELECT repo, c->>'$.author.email' AS email, count(*) AS commits,
                           count(*) FILTER (c->>'$.distinct' = 'true') AS distinct_commits
                    FROM (SELECT repo, unnest(json_extract(payload, '$.commits[*]')) AS c
                          FROM events WHERE type = 'PushEvent') GROUP BY 1, 2""",
                    List.of("repo", "email"),
                    List.of("commits", "distinct_commits"),
                    NO_ESTIMATES);
            String pullRequests = """
                    (SELECT payload->>'$.action' AS action, (payload->>'$.pull_request.additions')::BIGINT AS additions,
                            (payload->>'$.pull_request.deletions')::BIGINT AS deletions,
                            payload->>'$.pull_request.base.repo.language' AS language
                     FROM events WHERE type = 'PullRequestEvent')""";
            OracleTable requests = new OracleTable(
                    "PullRequests",
                    "SELECT action, count(*) AS requests, sum(additions) AS additions, sum(deletions) AS deletions FROM "
                            + pullRequests + " GROUP BY 1",
                    List.of("action"),
                    List.of("requests", "additions", "deletions"),
                    NO_ESTIMATES);
            OracleTable languages = new OracleTable(
                    "PullRequests.languages",
                    "SELECT action, language, count(*) AS requests, min(additions) AS fewest_additions,"
                            + " max(additions) AS most_additions FROM " + pullRequests + " GROUP BY 1, 2",
                    List.of("action", "language"),
                    List.of("requests", "fewest_additions", "most_additions"),
                    NO_ESTIMATES);
            OracleTable organisations = new OracleTable(
                    "Orgs",
                    "SELECT org, count(*) AS events, count(DISTINCT actor) AS actors FROM events GROUP BY 1",
                    List.of("org"),
                    List.of("events", "actors"),
                    List.of("actors"));
            assertThat(oracle.number("SELECT sum((payload->>'$.size')::BIGINT) FROM events"))
                    .as("what is known of this file")
                    .isEqualTo(1_630);
            try (RunningService service = started("github")) {
                send(service, messages, 800);
                assertNothingRefused(service);
                compare(service, oracle, types, pushes, authors, requests, languages, organisations);
            }
        }
    }

    /** Lists within lists make rows of their own; summaries nest three deep. */
    @Test
    void bidRequestsOfAnAdExchange() throws Exception {
        Path file = SharedData.file("adx-bid-requests/adxrequests-lines-0001-0600.ndjson");
        byte[] messages = counted(file, 0, line -> "adx.bid.request");
        try (DuckDbOracle oracle = oracle()) {
            oracle.execute("""
                    CREATE TABLE requests AS
                    SELECT row_number() OVER () AS n, json->>'$.app.name' AS app, json->>'$.device.os' AS os,
                           json->>'$.device.geo.zip' AS zip, json->>'$.device.ip' AS ip,
                           json->>'$.device.model' AS model, json
                    FROM read_ndjson_objects('%s')""".formatted(file));
            oracle.execute("""
                    CREATE TABLE offers AS
                    SELECT *, (imp->>'$.bidfloor')::DECIMAL(18, 6) AS floor
                    FROM (SELECT *, unnest(json_extract(json, '$.imp[*]')) AS imp FROM requests)
                    """);
            OracleTable apps = new OracleTable(
                    "Apps",
                    """
                    SELECT app, count(DISTINCT n) AS requests, sum(floor) AS floor, max(floor) AS floor_max,
                           count(DISTINCT ip) AS ips, count(DISTINCT model) AS models
                    FROM offers GROUP BY 1""",
                    List.of("app"),
                    List.of("requests", "floor", "floor_max", "ips", "models"),
                    List.of("ips", "models"));
            OracleTable systems = new OracleTable(
                    "Apps.systems",
                    "SELECT app, os, count(*) AS requests, sum(floor) AS floor FROM offers GROUP BY 1, 2",
                    List.of("app", "os"),
                    List.of("requests", "floor"),
                    NO_ESTIMATES);
            OracleTable places = new OracleTable(
                    "Apps.systems.places",
                    "SELECT app, os, zip, count(*) AS requests, sum(floor) AS floor FROM offers GROUP BY 1, 2, 3",
                    List.of("app", "os", "zip"),
                    List.of("requests", "floor"),
                    NO_ESTIMATES);
            OracleTable categories = new OracleTable(
                    "Categories",
                    """
                    SELECT category, sum(impression) AS impressions, sum(1 - impression) AS requests,
                           count(DISTINCT app) AS apps
                    FROM (SELECT unnest(json_extract(imp, '$.bcat[*]'))::BIGINT AS category, 1 AS impression, app
                          FROM offers
                          UNION ALL
                          SELECT unnest(json_extract(json, '$.bcat[*]'))::BIGINT, 0, app FROM requests) GROUP BY 1""",
                    List.of("category"),
                    List.of("impressions", "requests", "apps"),
                    List.of("apps"));
            try (RunningService service = started("adx")) {
                send(service, messages, 600);
                assertNothingRefused(service);
                compare(service, oracle, apps, systems, places, categories);
            }
        }
    }

    /** A capture of RFC 5424 messages, sent as it is: what their envelopes say. */
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

    /** The same capture to definitions that want JSON: what is none is refused, and kept. */
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

    /** CSV with 44 columns of which ten are looked at. */
    @Test
    void impressionsAndClicksInAFashionShop() throws Exception {
        Path file = SharedData.file("obd-bts-men/men.csv");
        byte[] messages = counted(file, 1, line -> "obd.men");
        try (DuckDbOracle oracle = oracle()) {
            oracle.execute("""
                    CREATE TABLE shown AS
                    SELECT item_id::BIGINT AS item_id, "position"::INT AS "position", click::INT AS click,
                           epoch_us("timestamp"::TIMESTAMPTZ) AS us, propensity_score AS score,
                           user_feature_0, user_feature_1, user_feature_2, user_feature_3
                    FROM read_csv('%s', header = true, all_varchar = true)""".formatted(file));
            OracleTable items = new OracleTable(
                    "Items",
                    """
                    SELECT item_id, count(*) AS impressions, sum(click) AS clicks,
                           sum(score::DECIMAL(18, 6)) AS propensity, arg_min(score, score::DOUBLE) AS propensity_min,
                           arg_max(score, score::DOUBLE) AS propensity_max,
                           count(DISTINCT (user_feature_0, user_feature_1, user_feature_2, user_feature_3)) AS profiles
                    FROM shown GROUP BY 1""",
                    List.of("item_id"),
                    List.of("impressions", "clicks", "propensity", "propensity_min", "propensity_max", "profiles"),
                    List.of("profiles"));
            String hour = "utc(us - us % 3600000000) AS hour";
            OracleTable hours = new OracleTable(
                    "Hours",
                    "SELECT " + hour + ", count(*) AS impressions, sum(click) AS clicks FROM shown GROUP BY 1",
                    List.of("hour"),
                    List.of("impressions", "clicks"),
                    NO_ESTIMATES);
            OracleTable positions = new OracleTable(
                    "Hours.positions",
                    "SELECT " + hour + ", \"position\", count(*) AS impressions, sum(click) AS clicks FROM shown"
                            + " GROUP BY 1, 2",
                    List.of("hour", "position"),
                    List.of("impressions", "clicks"),
                    NO_ESTIMATES);
            OracleTable profiles = new OracleTable(
                    "Profiles",
                    "SELECT user_feature_1, count(*) AS impressions, sum(click) AS clicks,"
                            + " count(DISTINCT item_id) AS items FROM shown GROUP BY 1",
                    List.of("user_feature_1"),
                    List.of("impressions", "clicks", "items"),
                    List.of("items"));
            assertThat(oracle.number("SELECT sum(click) FROM shown"))
                    .as("what is known of this file")
                    .isEqualTo(69);
            try (RunningService service = started("obd")) {
                send(service, messages, 10_000);
                assertNothingRefused(service);
                compare(service, oracle, items, hours, positions, profiles);
            }
        }
    }

    private static DuckDbOracle oracle() throws Exception {
        DuckDbOracle oracle = new DuckDbOracle();
        oracle.execute("CREATE MACRO utc(us) AS strftime(make_timestamp(us::BIGINT), '%Y-%m-%dT%H:%M:%S.%fZ')");
        return oracle;
    }

    /** Takes the capture apart with regular expressions. */
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

    private void compare(RunningService service, DuckDbOracle oracle, OracleTable... tables) throws Exception {
        String[] names = new String[tables.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = tables[i].name().replace('.', '/');
        }
        Path pulled = service.pullAll(folder.resolve("pulled"), names);
        for (OracleTable table : tables) {
            CsvComparison.compare(oracle, table, pulled.resolve(table.name() + ".csv"))
                    .assertAgrees();
        }
    }

    /** Lines as octet-counted RFC 5424 messages without MSGID, so that APP-NAME, which may be longer, is the topic. */
    private static byte[] counted(Path file, int skip, Function<String, String> topic) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<String> lines = Files.readAllLines(file);
        for (String line : lines.subList(skip, lines.size())) {
            byte[] message = ("<134>1 2026-11-20T00:00:00Z host " + topic.apply(line) + " - - - " + line)
                    .getBytes(StandardCharsets.UTF_8);
            out.write((message.length + " ").getBytes(StandardCharsets.US_ASCII));
            out.write(message);
        }
        return out.toByteArray();
    }

    private static String textBetween(String text, String before, String after) {
        int from = text.indexOf(before) + before.length();
        return text.substring(from, text.indexOf(after, from));
    }
}
