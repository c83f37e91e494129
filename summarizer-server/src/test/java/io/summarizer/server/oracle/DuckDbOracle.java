package io.summarizer.server.oracle;

import io.summarizer.server.workload.AdEvent;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * The events of the reference workload in an in-memory DuckDB, and the tables that {@code schemas/ads.summ} should make
 * of them, by GROUP BY, exact DECIMAL sums and COUNT(DISTINCT). It loads typed events, or the lines themselves, which
 * DuckDB then parses with its own CSV and JSON functions and no code of the Summarizer. Loads accumulate.
 *
 * <p>For other data: make tables with {@link #execute} and describe the expected CSV with an {@link OracleTable}.
 */
public final class DuckDbOracle implements AutoCloseable {
    private static final List<String> KEYS =
            List.of("campaign_id", "inventory_id", "creative_id", "audience_attribute_id");
    private static final String KEY_LIST = String.join(", ", KEYS);

    /** {@code CampaignDetails.csv}: a row for every key of any event. */
    public static final OracleTable CAMPAIGN_DETAILS = new OracleTable(
            "CampaignDetails",
            """
            SELECT %1$s, coalesce(impression_count, 0) AS impression_count, coalesce(impression_uu, 0) AS impression_uu,
                   coalesce(media_cost, 0) AS media_cost, coalesce(data_cost, 0) AS data_cost
            FROM (SELECT %1$s FROM impressions UNION SELECT %1$s FROM interactions UNION SELECT %1$s FROM conversions)
            LEFT JOIN (
                SELECT %1$s, count(*) AS impression_count, count(DISTINCT user_id) AS impression_uu,
                       sum(media_cost) AS media_cost, sum(data_cost) AS data_cost
                FROM impressions GROUP BY ALL) USING (%1$s)
            """.formatted(KEY_LIST),
            KEYS,
            List.of("impression_count", "impression_uu", "media_cost", "data_cost"),
            List.of("impression_uu"));

    /** {@code CampaignDetails.interactions.csv}. */
    public static final OracleTable INTERACTIONS = nested("interactions", List.of("action_id"));

    /** {@code CampaignDetails.conversions.csv}. */
    public static final OracleTable CONVERSIONS = nested("conversions", List.of("model_id", "type_id"));

    private static OracleTable nested(String table, List<String> ownKeys) {
        List<String> keys = Stream.concat(KEYS.stream(), ownKeys.stream()).toList();
        return new OracleTable(
                "CampaignDetails." + table,
                "SELECT " + String.join(", ", keys) + ", count(*) AS \"count\", count(DISTINCT user_id) AS uu_count,"
                        + " sum(revenue) AS revenue FROM " + table + " GROUP BY ALL",
                keys,
                List.of("count", "uu_count", "revenue"),
                List.of("uu_count"));
    }

    private final DuckDBConnection connection;

    public DuckDbOracle() throws SQLException {
        Connection opened = DriverManager.getConnection("jdbc:duckdb:");
        connection = opened.unwrap(DuckDBConnection.class);
        execute("SET threads = 2");
        String keys = String.join(" BIGINT, ", KEYS) + " BIGINT, user_id BIGINT";
        String money = " DECIMAL(18, 6)";
        execute("CREATE TABLE impressions (" + keys + ", media_cost" + money + ", data_cost" + money + ")");
        execute("CREATE TABLE interactions (" + keys + ", action_id BIGINT, revenue" + money + ")");
        execute("CREATE TABLE conversions (" + keys + ", model_id BIGINT, type_id BIGINT, revenue" + money + ")");
    }

    /** The connection, for other queries of a test. */
    public Connection connection() {
        return connection;
    }

    /** Runs one statement. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the first column of the first row. */
    public long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Loads the events of {@code source}: {@code sink -> AdsWorkload.v1(1).forEach(1_000, sink)}. */
    public void loadEvents(Consumer<Consumer<AdEvent>> source) throws SQLException {
        execute("CREATE TABLE staged (kind TINYINT, " + String.join(" BIGINT, ", KEYS)
                + " BIGINT, user_id BIGINT, id BIGINT, other_id BIGINT, micros BIGINT, other_micros BIGINT)");
        try (DuckDBAppender appender = connection.createAppender("main", "staged")) {
            source.accept(event -> stage(event, appender));
        }
        String shared = " SELECT " + KEY_LIST + ", user_id, ";
        String money = "micros::DECIMAL(18, 0) * 0.000001::DECIMAL(7, 6)";
        String otherMoney = "other_" + money;
        execute("INSERT INTO impressions" + shared + money + ", " + otherMoney + " FROM staged WHERE kind = 0");
        execute("INSERT INTO interactions" + shared + "id, " + money + " FROM staged WHERE kind = 1");
        execute("INSERT INTO conversions" + shared + "id, other_id, " + money + " FROM staged WHERE kind = 2");
        execute("DROP TABLE staged");
    }

    /** Whether the event is an impression, with or without interactions and conversions. */
    static boolean isImpression(AdEvent event) {
        return event.kind == AdEvent.Kind.IMPRESSION || event.kind == AdEvent.Kind.AUCTION;
    }

    private static void stage(AdEvent event, DuckDBAppender appender) {
        try {
            if (isImpression(event)) {
                stage(event, appender, 0, 0, 0, event.mediaCostMicros, event.dataCostMicros);
            }
            for (int i = 0; i < event.interactions; i++) {
                stage(event, appender, 1, event.actionId[i], 0, event.interactionRevenueMicros[i], 0);
            }
            for (int i = 0; i < event.conversions; i++) {
                stage(event, appender, 2, event.modelId[i], event.typeId[i], event.conversionRevenueMicros[i], 0);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stage(
            AdEvent event, DuckDBAppender appender, int kind, long id, long otherId, long micros, long otherMicros)
            throws SQLException {
        appender.beginRow();
        appender.append((byte) kind)
                .append(event.campaignId)
                .append(event.inventoryId)
                .append(event.creativeId)
                .append(event.audienceId)
                .append(event.userId)
                .append(id)
                .append(otherId)
                .append(micros)
                .append(otherMicros);
        appender.endRow();
    }

    /** Loads a file of good lines, v1 and v2 in any order. */
    public void loadLines(Path file) throws SQLException {
        execute("""
                CREATE TABLE staged AS
                SELECT split_part(line, ' ', 6) AS topic, substring(line, instr(line, ' - ') + 3) AS payload
                FROM read_csv(%s, columns = {'line': 'VARCHAR'}, header = false, auto_detect = false,
                              delim = '\u0001', quote = '', escape = '')
                """.formatted(literal(file.toString())));
        String flat = """
                SELECT f[2]::BIGINT, f[3]::BIGINT, f[4]::BIGINT, f[5]::BIGINT, f[6]::BIGINT, %s
                FROM (SELECT string_split(payload, ',') AS f FROM staged WHERE topic = '%s')
                """;
        String money = "::DECIMAL(18, 6)";
        execute("INSERT INTO impressions "
                + flat.formatted("f[7]" + money + ", f[8]" + money, AdEvent.Kind.IMPRESSION.topic()));
        execute("INSERT INTO interactions " + flat.formatted("f[7]::BIGINT, f[8]" + money, AdEvent.Kind.CLICK.topic()));
        execute("INSERT INTO conversions "
                + flat.formatted("f[7]::BIGINT, f[8]::BIGINT, f[9]" + money, AdEvent.Kind.CONVERSION.topic()));
        execute("""
                CREATE TABLE auctions AS
                SELECT json_extract_string(payload, '$.placement.campaign_id')::BIGINT AS campaign_id,
                       json_extract_string(payload, '$.placement.inventory_id')::BIGINT AS inventory_id,
                       json_extract_string(payload, '$.placement.creative_id')::BIGINT AS creative_id,
                       json_extract_string(payload, '$.audience_attribute_id')::BIGINT AS audience_attribute_id,
                       json_extract_string(payload, '$.user.id')::BIGINT AS user_id,
                       payload
                FROM staged WHERE topic = '%s'
                """.formatted(AdEvent.Kind.AUCTION.topic()));
        String shared = "SELECT " + KEY_LIST + ", user_id, ";
        execute("INSERT INTO impressions " + shared + text("payload", "cost.media") + money + ", "
                + text("payload", "cost.data") + money + " FROM auctions");
        String elements = "FROM (SELECT *, unnest(json_extract(payload, '$.%s[*]')) AS e FROM auctions)";
        execute("INSERT INTO interactions " + shared + text("e", "action_id") + "::BIGINT, " + text("e", "revenue")
                + money + " " + elements.formatted("interactions"));
        execute("INSERT INTO conversions " + shared + text("e", "model_id") + "::BIGINT, " + text("e", "type_id")
                + "::BIGINT, " + text("e", "revenue") + money + " " + elements.formatted("conversions"));
        execute("DROP TABLE auctions");
        execute("DROP TABLE staged");
    }

    private static String text(String json, String path) {
        return "json_extract_string(" + json + ", '$." + path + "')";
    }

    /** Returns a string literal of SQL. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
