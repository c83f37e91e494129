package io.summarizer.server.oracle;

import io.summarizer.server.cli.ProjectHome;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/**
 * The folders of {@code schemas/examples}, and the tables that their definitions should make of a file, computed by
 * DuckDB from the file itself.
 */
public enum Example {
    /** Access logs in the combined format; topic {@code web.access}. */
    WEB_LOGS("web-logs") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute(lines(file));
            oracle.execute("""
                    CREATE TABLE requests AS
                    SELECT p.address AS address, p.request AS request, p.status::INT AS status,
                           TRY_CAST(p.bytes AS BIGINT) AS bytes,
                           epoch_us(strptime(p.time, '%d/%b/%Y:%H:%M:%S %z')) AS us,
                           nullif(regexp_extract(p.request, '^([A-Z]+) ', 1), '') AS method,
                           nullif(regexp_extract(p.request, '^[A-Z]+ ([^ ?]+)', 1), '') AS path
                    FROM (SELECT regexp_extract(line, '^(\\S+) .*?\\[([^\\]]*)\\] "(.*?)" (\\d{3}) (\\d+|-)',
                                                ['address', 'time', 'request', 'status', 'bytes']) AS p FROM lines)""");
        }

        @Override
        public List<OracleTable> tables() {
            return List.of(
                    new OracleTable(
                            "Statuses", """
                            SELECT status, count(*) AS requests, coalesce(sum(bytes), 0) AS bytes, max(bytes) AS largest
                            FROM requests GROUP BY 1""", List.of("status"), List.of("requests", "bytes", "largest"), NO_ESTIMATES),
                    new OracleTable(
                            "Statuses.methods",
                            """
                            SELECT status, method, count(*) AS requests, coalesce(sum(bytes), 0) AS bytes
                            FROM requests GROUP BY 1, 2""",
                            List.of("status", "method"),
                            List.of("requests", "bytes"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Pages",
                            """
                            SELECT path, count(*) AS requests, count(DISTINCT address) AS visitors,
                                   count(*) FILTER (status = 404) AS not_found
                            FROM requests GROUP BY 1""",
                            List.of("path"),
                            List.of("requests", "visitors", "not_found"),
                            List.of("visitors")),
                    new OracleTable(
                            "Hours",
                            """
                            SELECT utc(us - us % 3600000000) AS hour, count(*) AS requests,
                                   count(DISTINCT address) AS visitors, count(*) FILTER (status >= 500) AS errors,
                                   coalesce(sum(bytes), 0) AS bytes
                            FROM requests GROUP BY 1""",
                            List.of("hour"),
                            List.of("requests", "visitors", "errors", "bytes"),
                            List.of("visitors")));
        }
    },

    /** Access lines in JSON, with headers of RFC 3164 whose TAG is the topic {@code web.access}. */
    ACCESS_LOG("access-log") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute(lines(file));
            oracle.execute("""
                    CREATE TABLE requests AS
                    SELECT json->>'$.host' AS host, regexp_extract(json->>'$.uri', '^([^?]+)', 1) AS path,
                           json->>'$.remote_addr' AS address, json->>'$.user_agent' AS agent,
                           (json->>'$.bytes_sent')::BIGINT AS bytes, (json->>'$.request_time')::DECIMAL(18, 6) AS seconds,
                           (json->>'$.status')::INT AS status, json->>'$.referer' AS referer,
                           epoch_us((json->>'$.time')::TIMESTAMPTZ) AS us, json->>'$.method' AS method
                    FROM (SELECT regexp_extract(line, '^<190>\\w{3} \\d\\d [\\d:]{8} \\S+ web\\.access: (\\{.*\\})$', 1)::JSON AS json
                          FROM lines)""");
        }

        @Override
        public List<OracleTable> tables() {
            return List.of(
                    new OracleTable(
                            "Pages",
                            """
                            SELECT host, path, utc(max(us)) AS last_at, count(*) AS requests,
                                   count(DISTINCT (address, agent)) AS visitors, sum(bytes) AS bytes,
                                   sum(seconds) AS seconds, count(*) FILTER (status >= 500) AS errors,
                                   count(*) FILTER (referer = '-') AS direct
                            FROM requests GROUP BY 1, 2""",
                            List.of("host", "path", "last_at"),
                            List.of("requests", "visitors", "bytes", "seconds", "errors", "direct"),
                            List.of("visitors")),
                    new OracleTable(
                            "Pages.answers",
                            "SELECT host, path, status, method, count(*) AS requests FROM requests GROUP BY 1, 2, 3, 4",
                            List.of("host", "path", "status", "method"),
                            List.of("requests"),
                            NO_ESTIMATES));
        }
    },

    /** {@code auth.log}, whose times have no year: {@code --year 2026}. */
    SSHD("sshd") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute(lines(file));
            oracle.execute("""
                    CREATE TABLE messages AS
                    SELECT n, p.text AS text,
                           epoch_us(strptime('2026 ' || p.month || ' ' || p.day || ' ' || p.time, '%Y %b %d %H:%M:%S')) AS us,
                           coalesce(TRY_CAST(regexp_extract(p.text, '^message repeated (\\d+) times: ', 1) AS BIGINT), 1) AS times
                    FROM (SELECT n, regexp_extract(line, '^(\\w{3}) +(\\d+) ([\\d:]{8}) \\S+ sshd(?:-session)?\\[\\d+\\]: (.*)$',
                                                   ['month', 'day', 'time', 'text']) AS p FROM lines)
                    WHERE p.month <> ''""");
            oracle.execute("""
                    CREATE TABLE failures AS
                    SELECT p.address AS address, p.user_name AS "user", us, times
                    FROM (SELECT *, regexp_extract(text, 'Failed password for (?:invalid user )?(.*) from (\\S+) port',
                                                   ['user_name', 'address']) AS p FROM messages)
                    WHERE p.address <> ''""");
            oracle.execute("""
                    CREATE TABLE logins AS
                    SELECT p.user_name AS "user", p.method AS method, p.address AS address, us, n
                    FROM (SELECT *, regexp_extract(text, '^Accepted (\\S+) for (\\S+) from (\\S+) port',
                                                   ['method', 'user_name', 'address']) AS p FROM messages)
                    WHERE p.address <> ''""");
        }

        @Override
        public List<OracleTable> tables() {
            return List.of(
                    new OracleTable(
                            "Attackers",
                            """
                            SELECT address, utc(min(us)) AS first_at, utc(max(us)) AS last_at, sum(times) AS attempts,
                                   count(DISTINCT "user") AS users
                            FROM failures GROUP BY 1""",
                            List.of("address", "first_at", "last_at"),
                            List.of("attempts", "users"),
                            List.of("users")),
                    new OracleTable(
                            "Attackers.tried",
                            "SELECT address, \"user\", sum(times) AS attempts FROM failures GROUP BY 1, 2",
                            List.of("address", "user"),
                            List.of("attempts"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Logins",
                            """
                            SELECT "user", method, utc(max(us)) AS last_at, arg_max(address, n) AS last_address,
                                   count(*) AS logins, count(DISTINCT address) AS addresses
                            FROM logins GROUP BY 1, 2""",
                            List.of("user", "method", "last_at", "last_address"),
                            List.of("logins", "addresses"),
                            List.of("addresses")));
        }
    },

    /** Suricata's {@code eve.json}; topic {@code suricata}. */
    SURICATA("suricata") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute("""
                    CREATE TABLE records AS
                    SELECT json->>'$.event_type' AS event_type, json,
                           epoch_us(strptime(json->>'$.timestamp', '%%Y-%%m-%%dT%%H:%%M:%%S.%%f%%z')) AS us,
                           json->>'$.http.hostname' AS hostname, (json->>'$.fileinfo.size')::BIGINT AS size
                    FROM read_ndjson_objects('%s')""".formatted(file));
        }

        @Override
        public List<OracleTable> tables() {
            String files = " FROM records WHERE event_type = 'fileinfo' AND (json->'$.http') IS NOT NULL GROUP BY ";
            return List.of(
                    new OracleTable(
                            "Records",
                            "SELECT event_type, utc(min(us)) AS first_at, utc(max(us)) AS last_at, count(*) AS records"
                                    + " FROM records GROUP BY 1",
                            List.of("event_type", "first_at", "last_at"),
                            List.of("records"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Alerts",
                            """
                            SELECT json->>'$.alert.signature_id' AS signature_id, json->>'$.alert.signature' AS signature,
                                   utc(max(us)) AS last_at, count(*) AS alerts,
                                   min((json->>'$.alert.severity')::INT) AS severity,
                                   count(DISTINCT json->>'$.src_ip') AS sources,
                                   count(DISTINCT json->>'$.dest_ip') AS targets
                            FROM records WHERE event_type = 'alert' GROUP BY 1, 2""",
                            List.of("signature_id", "signature", "last_at"),
                            List.of("alerts", "severity", "sources", "targets"),
                            List.of("sources", "targets")),
                    new OracleTable(
                            "Hosts",
                            """
                            SELECT hostname, count(*) AS files, sum(size) AS bytes, max(size) AS largest,
                                   count(DISTINCT json->>'$.http.url') AS urls,
                                   count(DISTINCT json->>'$.http.http_user_agent') AS agents""" + files + "1",
                            List.of("hostname"),
                            List.of("files", "bytes", "largest", "urls", "agents"),
                            List.of("urls", "agents")),
                    new OracleTable(
                            "Hosts.statuses",
                            "SELECT hostname, json->>'$.http.status' AS status, count(*) AS files, sum(size) AS bytes"
                                    + files + "1, 2",
                            List.of("hostname", "status"),
                            List.of("files", "bytes"),
                            NO_ESTIMATES));
        }
    },

    /** Files of GH Archive; topic {@code github}. */
    GITHUB("github") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute("""
                    CREATE TABLE events AS
                    SELECT json->>'$.type' AS type, epoch_us((json->>'$.created_at')::TIMESTAMPTZ) AS us,
                           json->>'$.actor.login' AS actor, json->>'$.repo.name' AS repo, json->>'$.org.login' AS org,
                           json->'$.payload' AS payload
                    FROM read_ndjson_objects('%s')""".formatted(file));
        }

        @Override
        public List<OracleTable> tables() {
            String pullRequests = """
                    (SELECT payload->>'$.action' AS action, (payload->>'$.pull_request.additions')::BIGINT AS additions,
                            (payload->>'$.pull_request.deletions')::BIGINT AS deletions,
                            payload->>'$.pull_request.base.repo.language' AS language
                     FROM events WHERE type = 'PullRequestEvent')""";
            return List.of(
                    new OracleTable(
                            "Types",
                            """
                            SELECT type, utc(us - us % 300000000) AS since, utc(min(us)) AS first_at, utc(max(us)) AS last_at,
                                   count(*) AS events, count(org) AS with_org, count(DISTINCT actor) AS actors,
                                   count(DISTINCT repo) AS repos
                            FROM events GROUP BY 1, 2""",
                            List.of("type", "since", "first_at", "last_at"),
                            List.of("events", "with_org", "actors", "repos"),
                            List.of("actors", "repos")),
                    new OracleTable(
                            "Pushes",
                            """
                            SELECT repo, count(*) AS pushes, sum((payload->>'$.size')::BIGINT) AS size,
                                   max((payload->>'$.size')::BIGINT) AS largest, count(DISTINCT actor) AS actors
                            FROM events WHERE type = 'PushEvent' GROUP BY 1""",
                            List.of("repo"),
                            List.of("pushes", "size", "largest", "actors"),
                            List.of("actors")),
                    new OracleTable(
                            "Pushes.authors",
                            """
                            SELECT repo, c->>'$.author.email' AS email, count(*) AS commits,
                                   count(*) FILTER (c->>'$.distinct' = 'true') AS distinct_commits
                            FROM (SELECT repo, unnest(json_extract(payload, '$.commits[*]')) AS c
                                  FROM events WHERE type = 'PushEvent') GROUP BY 1, 2""",
                            List.of("repo", "email"),
                            List.of("commits", "distinct_commits"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "PullRequests",
                            "SELECT action, count(*) AS requests, sum(additions) AS additions,"
                                    + " sum(deletions) AS deletions FROM " + pullRequests + " GROUP BY 1",
                            List.of("action"),
                            List.of("requests", "additions", "deletions"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "PullRequests.languages",
                            "SELECT action, language, count(*) AS requests, min(additions) AS fewest_additions,"
                                    + " max(additions) AS most_additions FROM " + pullRequests + " GROUP BY 1, 2",
                            List.of("action", "language"),
                            List.of("requests", "fewest_additions", "most_additions"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Orgs",
                            "SELECT org, count(*) AS events, count(DISTINCT actor) AS actors FROM events GROUP BY 1",
                            List.of("org"),
                            List.of("events", "actors"),
                            List.of("actors")));
        }
    },

    /** Zeek's {@code dns.log} and {@code conn.log} as JSON, a record in each line, with or without a syslog header. */
    ZEEK("zeek") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute(lines(file));
            oracle.execute("""
                    CREATE TABLE records AS
                    SELECT n, json, json->>'$."id.orig_h"' AS client, json->>'$.query' AS query
                    FROM (SELECT n, regexp_extract(line, '\\{.*\\}$')::JSON AS json FROM lines)""");
            oracle.execute("""
                    CREATE TABLE lookups AS
                    SELECT *, json->>'$.qtype_name' AS type, json->>'$.rcode_name' AS code,
                           (json->>'$.rtt')::DECIMAL(18, 6) AS rtt, json->>'$.rtt' AS seconds,
                           json_extract_string(json, '$.answers[*]') AS answers
                    FROM records WHERE (json->'$.conn_state') IS NULL""");
        }

        @Override
        public List<OracleTable> tables() {
            return List.of(
                    new OracleTable(
                            "Lookups",
                            """
                            SELECT type, count(*) AS lookups, count(rtt) AS answered, count(DISTINCT query) AS names,
                                   count(DISTINCT client) AS clients, coalesce(sum(rtt), 0) AS rtt,
                                   arg_max(seconds, seconds::DOUBLE) AS rtt_max
                            FROM lookups GROUP BY 1""",
                            List.of("type"),
                            List.of("lookups", "answered", "names", "clients", "rtt", "rtt_max"),
                            List.of("names", "clients")),
                    new OracleTable(
                            "Clients",
                            "SELECT client, count(*) AS lookups, count(DISTINCT query) AS names FROM lookups GROUP BY 1",
                            List.of("client"),
                            List.of("lookups", "names"),
                            List.of("names")),
                    new OracleTable(
                            "Clients.codes",
                            "SELECT client, code, count(*) AS lookups, count(DISTINCT query) AS names FROM lookups"
                                    + " GROUP BY 1, 2",
                            List.of("client", "code"),
                            List.of("lookups", "names"),
                            List.of("names")),
                    new OracleTable(
                            "Names",
                            """
                            SELECT query, count(DISTINCT n) AS lookups, count(answer) AS answers,
                                   count(DISTINCT answer) AS distinct_answers
                            FROM (SELECT n, query, unnest(CASE len(answers) WHEN 0 THEN [NULL] ELSE answers END) AS answer
                                  FROM lookups)
                            GROUP BY 1""",
                            List.of("query"),
                            List.of("lookups", "answers", "distinct_answers"),
                            List.of("distinct_answers")),
                    new OracleTable(
                            "Services",
                            """
                            SELECT json->>'$."id.resp_h"' AS server, json->>'$."id.resp_p"' AS port, json->>'$.proto' AS proto,
                                   arg_max(json->>'$.service', n) AS service,
                                   utc(max(epoch_us((json->>'$.ts')::TIMESTAMPTZ))) AS last_at, count(*) AS connections,
                                   count(*) FILTER ((json->>'$.conn_state') = 'REJ') AS refused,
                                   count(DISTINCT client) AS clients,
                                   coalesce(sum((json->>'$.orig_bytes')::BIGINT), 0) AS sent,
                                   coalesce(sum((json->>'$.resp_bytes')::BIGINT), 0) AS received
                            FROM records WHERE (json->'$.conn_state') IS NOT NULL GROUP BY 1, 2, 3""",
                            List.of("server", "port", "proto", "service", "last_at"),
                            List.of("connections", "refused", "clients", "sent", "received"),
                            List.of("clients")));
        }
    },

    /** Impressions of the Open Bandit Dataset, without the line that names the columns; topic {@code obd.men}. */
    OBD("obd") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
            oracle.execute(lines(file));
            oracle.execute("""
                    CREATE TABLE shown AS
                    SELECT c[3]::BIGINT AS item_id, c[4]::INT AS "position", c[5]::INT AS click,
                           epoch_us(c[2]::TIMESTAMPTZ) AS us, c[6] AS score, c[8] AS user_feature_1, c[7:10] AS profile
                    FROM (SELECT string_split(line, ',') AS c FROM lines)""");
        }

        @Override
        public List<OracleTable> tables() {
            String hour = "utc(us - us % 3600000000) AS hour";
            return List.of(
                    new OracleTable(
                            "Items",
                            """
                            SELECT item_id, count(*) AS impressions, sum(click) AS clicks,
                                   sum(score::DECIMAL(18, 6)) AS propensity,
                                   arg_min(score, score::DOUBLE) AS propensity_min,
                                   arg_max(score, score::DOUBLE) AS propensity_max, count(DISTINCT profile) AS profiles
                            FROM shown GROUP BY 1""",
                            List.of("item_id"),
                            List.of(
                                    "impressions",
                                    "clicks",
                                    "propensity",
                                    "propensity_min",
                                    "propensity_max",
                                    "profiles"),
                            List.of("profiles")),
                    new OracleTable(
                            "Hours",
                            "SELECT " + hour + ", count(*) AS impressions, sum(click) AS clicks FROM shown GROUP BY 1",
                            List.of("hour"),
                            List.of("impressions", "clicks"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Hours.positions",
                            "SELECT " + hour + ", \"position\", count(*) AS impressions, sum(click) AS clicks"
                                    + " FROM shown GROUP BY 1, 2",
                            List.of("hour", "position"),
                            List.of("impressions", "clicks"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Profiles",
                            "SELECT user_feature_1, count(*) AS impressions, sum(click) AS clicks,"
                                    + " count(DISTINCT item_id) AS items FROM shown GROUP BY 1",
                            List.of("user_feature_1"),
                            List.of("impressions", "clicks", "items"),
                            List.of("items")));
        }
    },

    /** Bid requests in the form of OpenRTB; topic {@code adx.bid.request}. */
    ADS("ads") {
        @Override
        void load(DuckDbOracle oracle, Path file) throws SQLException {
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
        }

        @Override
        public List<OracleTable> tables() {
            return List.of(
                    new OracleTable(
                            "Apps",
                            """
                            SELECT app, count(DISTINCT n) AS requests, sum(floor) AS floor, max(floor) AS floor_max,
                                   count(DISTINCT ip) AS ips, count(DISTINCT model) AS models
                            FROM offers GROUP BY 1""",
                            List.of("app"),
                            List.of("requests", "floor", "floor_max", "ips", "models"),
                            List.of("ips", "models")),
                    new OracleTable(
                            "Apps.systems",
                            "SELECT app, os, count(*) AS requests, sum(floor) AS floor FROM offers GROUP BY 1, 2",
                            List.of("app", "os"),
                            List.of("requests", "floor"),
                            NO_ESTIMATES),
                    new OracleTable(
                            "Apps.systems.places",
                            "SELECT app, os, zip, count(*) AS requests, sum(floor) AS floor FROM offers GROUP BY 1, 2, 3",
                            List.of("app", "os", "zip"),
                            List.of("requests", "floor"),
                            NO_ESTIMATES),
                    new OracleTable(
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
                            List.of("apps")));
        }
    };

    private static final List<String> NO_ESTIMATES = List.of();

    private final String folder;

    Example(String folder) {
        this.folder = folder;
    }

    /** The folder of its definitions, its sample and its README. */
    public Path folder() {
        return ProjectHome.path().resolve("schemas/examples").resolve(folder);
    }

    /** Makes an oracle that has read the file. */
    public DuckDbOracle oracle(Path file) throws SQLException {
        DuckDbOracle oracle = new DuckDbOracle();
        try {
            oracle.execute("CREATE MACRO utc(us) AS strftime(make_timestamp(us::BIGINT), '%Y-%m-%dT%H:%M:%S.%fZ')");
            load(oracle, file);
            return oracle;
        } catch (SQLException e) {
            oracle.close();
            throw e;
        }
    }

    abstract void load(DuckDbOracle oracle, Path file) throws SQLException;

    /** All tables of the definitions, except overflows. */
    public abstract List<OracleTable> tables();

    /** Returns a table of all lines of a file, compressed or not, in their order. */
    private static String lines(Path file) {
        return """
                CREATE TABLE lines AS
                SELECT row_number() OVER () AS n, line
                FROM read_csv('%s', columns = {'line': 'VARCHAR'}, header = false, auto_detect = false,
                              delim = '\u0001', quote = '', escape = '')""".formatted(file);
    }
}
