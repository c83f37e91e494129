package io.summarizer.bench.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * DuckDB as the yardstick. It computes the result of {@code schemas/ads.summ} from the same events, on all cores and in
 * memory, and writes the same CSV files. For v1, DuckDB's CSV reader reads the syslog lines themselves, with given
 * types of the columns. For v2, DuckDB reads a file of the JSON payloads, which is written before the clock starts.
 * These ways of reading were the fastest of those that were tried. For nested tables, DuckDB counts distinct users
 * exactly, because for few values that is faster than an estimate.
 *
 * <p>Used by one thread.
 */
public final class DuckDb {
    private static final String KEY = "campaign_id, inventory_id, creative_id, audience_attribute_id";

    /** The tables. Each has a name, columns that identify rows, sums, and a column of distinct users. */
    private static final List<Table> TABLES = List.of(
            new Table("CampaignDetails", KEY, List.of("impression_count", "media_cost", "data_cost"), "impression_uu"),
            new Table("CampaignDetails.interactions", KEY + ", action_id", List.of("count", "revenue"), "uu_count"),
            new Table(
                    "CampaignDetails.conversions",
                    KEY + ", model_id, type_id",
                    List.of("count", "revenue"),
                    "uu_count"));

    /** A text file as a table with the one column {@code line}. */
    private static final String LINES = """
            read_csv('%s', columns = {'line': 'VARCHAR'}, header = false, auto_detect = false, delim = '\\x01', quote = '',
                     escape = '')""";

    private static final List<String> V1 =
            List.of("""
            CREATE TABLE events AS
            SELECT CASE WHEN contains(envelope, ' ad.impression ') THEN 0
                        WHEN contains(envelope, ' ad.click ') THEN 1 ELSE 2 END::TINYINT AS kind,
                   * EXCLUDE (envelope)
            FROM read_csv('%s', header = false, auto_detect = false, delim = ',', quote = '', escape = '',
                          null_padding = true,
                          columns = {'envelope': 'VARCHAR', 'campaign_id': 'BIGINT', 'inventory_id': 'BIGINT',
                                     'creative_id': 'BIGINT', 'audience_attribute_id': 'BIGINT', 'user_id': 'BIGINT',
                                     'a': 'DECIMAL(18, 6)', 'b': 'DECIMAL(18, 6)', 'c': 'DECIMAL(18, 6)'})""", "SELECT " + KEY + """
            , count(*) FILTER (kind = 0) AS impression_count,
                   approx_count_distinct(user_id) FILTER (kind = 0) AS impression_uu,
                   coalesce(sum(a) FILTER (kind = 0), 0) AS media_cost, coalesce(sum(b) FILTER (kind = 0), 0) AS data_cost
            FROM events GROUP BY ALL""", "SELECT " + KEY + """
            , a::BIGINT AS action_id, count(*) AS count, count(DISTINCT user_id) AS uu_count, sum(b) AS revenue
            FROM events WHERE kind = 1 GROUP BY ALL""", "SELECT " + KEY + """
            , a::BIGINT AS model_id, b::BIGINT AS type_id, count(*) AS count, count(DISTINCT user_id) AS uu_count,
                   sum(c) AS revenue
            FROM events WHERE kind = 2 GROUP BY ALL""");

    private static final List<String> V2 = List.of(
            """
            CREATE TABLE events AS
            SELECT placement.campaign_id, placement.inventory_id, placement.creative_id, audience_attribute_id,
                   "user".id AS user_id, cost.media AS media, cost.data AS data, interactions, conversions
            FROM read_json('%s', format = 'newline_delimited',
                           columns = {'placement': 'STRUCT(campaign_id BIGINT, inventory_id BIGINT, creative_id BIGINT)',
                                      'audience_attribute_id': 'BIGINT', 'user': 'STRUCT(id BIGINT)',
                                      'cost': 'STRUCT(media DECIMAL(18, 6), data DECIMAL(18, 6))',
                                      'interactions': 'STRUCT(action_id BIGINT, revenue DECIMAL(18, 6))[]',
                                      'conversions': 'STRUCT(model_id BIGINT, type_id BIGINT, revenue DECIMAL(18, 6))[]'})""",
            "SELECT " + KEY + """
            , count(*) AS impression_count, approx_count_distinct(user_id) AS impression_uu, sum(media) AS media_cost,
                   sum(data) AS data_cost
            FROM events GROUP BY ALL""",
            "SELECT " + KEY + ", i.action_id, count(*) AS count, count(DISTINCT user_id) AS uu_count,"
                    + " sum(i.revenue) AS revenue FROM (SELECT * EXCLUDE (interactions, conversions),"
                    + " unnest(interactions) AS i FROM events) GROUP BY ALL",
            "SELECT " + KEY + ", c.model_id, c.type_id, count(*) AS count, count(DISTINCT user_id) AS uu_count,"
                    + " sum(c.revenue) AS revenue FROM (SELECT * EXCLUDE (interactions, conversions),"
                    + " unnest(conversions) AS c FROM events) GROUP BY ALL");

    /** Statements that make a table of the v1 events, a table of the v2 events, and then the rows of both. */
    private static final List<String> BOTH = List.of(
            V1.get(0).replace("TABLE events", "TABLE flat"),
            V2.get(0).replace("TABLE events", "TABLE nested"),
            "SELECT " + KEY + """
            , count(media) AS impression_count, approx_count_distinct(user_id) FILTER (media IS NOT NULL) AS impression_uu,
                   coalesce(sum(media), 0) AS media_cost, coalesce(sum(data), 0) AS data_cost
            FROM (SELECT %1$s, user_id, CASE kind WHEN 0 THEN a END AS media, CASE kind WHEN 0 THEN b END AS data FROM flat
                  UNION ALL SELECT %1$s, user_id, media, data FROM nested) GROUP BY ALL""".formatted(KEY),
            "SELECT " + KEY + """
            , action_id, count(*) AS count, count(DISTINCT user_id) AS uu_count, sum(revenue) AS revenue
            FROM (SELECT %1$s, user_id, a::BIGINT AS action_id, b AS revenue FROM flat WHERE kind = 1
                  UNION ALL SELECT %1$s, user_id, i.action_id, i.revenue
                  FROM (SELECT * EXCLUDE (interactions, conversions), unnest(interactions) AS i FROM nested))
            GROUP BY ALL""".formatted(KEY),
            "SELECT " + KEY + """
            , model_id, type_id, count(*) AS count, count(DISTINCT user_id) AS uu_count, sum(revenue) AS revenue
            FROM (SELECT %1$s, user_id, a::BIGINT AS model_id, b::BIGINT AS type_id, c AS revenue FROM flat WHERE kind = 2
                  UNION ALL SELECT %1$s, user_id, c.model_id, c.type_id, c.revenue
                  FROM (SELECT * EXCLUDE (interactions, conversions), unnest(conversions) AS c FROM nested))
            GROUP BY ALL""".formatted(KEY));

    /** Largest relative difference of two sums of estimates. */
    private static final double ESTIMATES_DIFFER = 0.01;

    private final Path results;
    /** Statements that load the events. */
    private final List<String> loads;
    /** A query for each table. */
    private final List<String> queries;

    private record Table(String name, String key, List<String> sums, String distinct) {
        Path csv(Path folder) {
            return folder.resolve(name + ".csv");
        }
    }

    /**
     * Prepares.
     *
     * @param workload v1 or v2
     * @param lines syslog lines of that workload
     * @param folder an empty folder, for its files
     */
    public DuckDb(String workload, Path lines, Path folder) throws IOException {
        boolean flat = workload.equals("v1");
        List<String> all = flat ? V1 : V2;
        results = folder;
        loads = List.of(all.get(0).formatted(flat ? lines : payloads(lines, folder)));
        queries = all.subList(1, all.size());
    }

    /**
     * Prepares for events of both workloads, which update the same rows.
     *
     * @param v1 syslog lines of v1
     * @param v2 syslog lines of v2
     * @param folder an empty folder, for its files
     */
    public DuckDb(Path v1, Path v2, Path folder) throws IOException {
        results = folder;
        loads = List.of(BOTH.get(0).formatted(v1), BOTH.get(1).formatted(payloads(v2, folder)));
        queries = BOTH.subList(2, BOTH.size());
    }

    private static Path payloads(Path lines, Path folder) throws IOException {
        Path payloads = folder.resolve("payloads.json");
        run(List.of("COPY (SELECT substring(line, instr(line, ' - ') + 3) FROM " + LINES.formatted(lines) + ") TO '"
                + payloads + "' (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIM '\\x01')"));
        return payloads;
    }

    /** Name and version, a word. */
    public static String version() throws IOException {
        return "duckdb-" + query("SELECT version()").get(0);
    }

    /** Computes the result, and returns the duration in seconds, from the file to the CSV files. */
    public double seconds() throws IOException {
        List<String> all = new ArrayList<>();
        all.add("SET preserve_insertion_order = false");
        all.addAll(loads);
        for (int i = 0; i < TABLES.size(); i++) {
            all.add("COPY (" + queries.get(i) + ") TO '" + TABLES.get(i).csv(results) + "' (HEADER)");
        }
        long start = System.nanoTime();
        run(all);
        return (System.nanoTime() - start) / 1e9;
    }

    /**
     * Compares every row of the last result with the CSV files of a Summarizer. The numbers of distinct users may be
     * estimates, so only their sums are compared.
     *
     * @param passes number of times that the Summarizer got the events
     * @throws IOException also when the results differ
     */
    public void check(Path ours, int passes) throws IOException {
        for (Table table : TABLES) {
            String sums = String.join(", ", table.sums);
            String times = String.join(" * " + passes + ", ", table.sums) + " * " + passes;
            List<String> answer = query("""
                    WITH ours AS (FROM %1$s), theirs AS (FROM %2$s)
                    SELECT (SELECT count(*) FROM ours), (SELECT count(*) FROM theirs),
                           (SELECT count(*) FROM (SELECT %3$s, %4$s FROM theirs EXCEPT SELECT %3$s, %5$s FROM ours)),
                           (SELECT sum(%6$s) FROM ours) / (SELECT sum(%6$s) FROM theirs)
                    """.formatted(
                            csv(table.csv(ours)), csv(table.csv(results)), table.key, times, sums, table.distinct));
            if (!answer.get(0).equals(answer.get(1)) || !answer.get(2).equals("0")) {
                throw new IOException(table.name + ": " + answer.get(0) + " rows, DuckDB " + answer.get(1)
                        + " rows, of which " + answer.get(2) + " are not among ours");
            }
            if (Math.abs(Double.parseDouble(answer.get(3)) - 1) > ESTIMATES_DIFFER) {
                throw new IOException(
                        table.name + "." + table.distinct + ": " + answer.get(3) + " times the sum of DuckDB");
            }
        }
    }

    private static String csv(Path file) throws IOException {
        List<String> types = new ArrayList<>();
        try (var lines = Files.lines(file)) {
            for (String column : lines.findFirst().orElse("").split(",")) {
                boolean money = column.endsWith("cost") || column.equals("revenue");
                types.add("'" + column + "': '" + (money ? "DECIMAL(38, 6)" : "BIGINT") + "'");
            }
        }
        return "read_csv('" + file + "', header = true, columns = {" + String.join(", ", types) + "})";
    }

    /** Runs statements in a new database. */
    private static void run(List<String> all) throws IOException {
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement()) {
            for (String sql : all) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    /** The columns of the first row, as text. */
    private static List<String> query(String sql) throws IOException {
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            List<String> columns = new ArrayList<>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                columns.add(String.valueOf(rows.getString(i)));
            }
            return columns;
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
