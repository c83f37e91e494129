package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.RowSources;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of a summary select and order the same rows as SQL does over all of its rows. */
class QueryOracleTest {
    private static final int ROWS = 4_000;
    private static final long NOON = 1_795_176_000_000_000L; // 2026-11-20T12:00:00Z

    private static final SummaryLayout CLICKS = new SummaryLayout(
            "clicks",
            3,
            List.of(new KeyColumn("action", 1, KeyType.STRING)),
            List.of(new ValueColumn("revenue", 1, AggregateType.SUMCURRENCY, 0, 0)),
            List.of());
    private static final SummaryLayout PAGES = new SummaryLayout(
            "Pages",
            0,
            List.of(
                    new KeyColumn("id", 1, KeyType.INT64),
                    new KeyColumn("host", 2, KeyType.STRING),
                    new KeyColumn("seen", 3, KeyType.TIMESTAMP),
                    new KeyColumn("big", 4, KeyType.UINT64),
                    new KeyColumn("live", 5, KeyType.BOOL),
                    new KeyColumn("small", 6, KeyType.INT32)),
            List.of(
                    new ValueColumn("hits", 1, AggregateType.SUMINT32, 0, 0),
                    new ValueColumn("cost", 2, AggregateType.SUMCURRENCY, 0, 0),
                    new ValueColumn("seconds", 3, AggregateType.SUMDOUBLE, 0, 0),
                    new ValueColumn("latest", 4, AggregateType.LASTSTRING, 0, 0),
                    new ValueColumn("least", 5, AggregateType.MININT64, 0, 0),
                    new ValueColumn("users", 6, AggregateType.MULTISET64, 11, 5)),
            List.of(CLICKS));

    /** A condition, and the same in SQL. */
    private record Condition(String summ, String sql) {
        static Condition same(String text) {
            return new Condition(text, text);
        }
    }

    private static final List<Condition> CONDITIONS = List.of(
            Condition.same("hits > 100"),
            Condition.same("hits >= 50 and not (hits > 60) or cost < -0.5"),
            new Condition("host == 'web3' or cost >= 12.5", "host = 'web3' or cost >= 12.5"),
            new Condition("not (latest == 'b')", "not (latest = 'b')"),
            new Condition("has(latest) and least != 7", "latest is not null and least <> 7"),
            new Condition("not has(host)", "host is null"),
            Condition.same("hits in (1, 2, 3, 5000)"),
            new Condition("lower(host) == 'web1' and len(latest) > 1", "lower(host) = 'web1' and length(latest) > 1"),
            new Condition("cost == 0.1 or cost == 0.100001", "cost = 0.1 or cost = 0.100001"),
            new Condition("seen >= timestamp('2026-11-20T12:00:00Z')", "seen >= timestamptz '2026-11-20 12:00:00+00'"),
            new Condition(
                    "bucket(seen, 1h) == timestamp('2026-11-20T12:00:00Z')",
                    "date_trunc('hour', seen) = timestamptz '2026-11-20 12:00:00+00'"),
            new Condition("big > 9223372036854775807", "big > 9223372036854775807"),
            new Condition("live and small < 0", "live and small < 0"),
            new Condition("-small > 0", "-small > 0"),
            new Condition("seconds / hits > 0.5", "seconds / nullif(hits, 0) > 0.5"),
            new Condition("users > 1", "users > 1"),
            new Condition("coalesce(latest, 'none') + host > 'bweb'", "coalesce(latest, 'none') || host > 'bweb'"),
            new Condition("null", "null"));

    private static final String KEYS =
            "'id':'BIGINT','host':'VARCHAR','seen':'TIMESTAMPTZ','big':'UBIGINT','live':'BOOLEAN','small':'INTEGER'";
    private static final String PAGES_COLUMNS = KEYS + ",'hits':'BIGINT','cost':'DECIMAL(28,6)','seconds':'DOUBLE',"
            + "'latest':'VARCHAR','least':'BIGINT','users':'BIGINT'";
    private static final String CLICKS_COLUMNS = KEYS + ",'action':'VARCHAR','revenue':'DECIMAL(28,6)'";

    private static SummaryView view;
    private static Connection duckDb;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void makeRowsAndTables() throws IOException, SQLException, CsvQueryException {
        Random random = new Random(11);
        SummaryStore[] stores = new SummaryStore[2];
        RowLimit limit = RowLimit.of(PAGES, Long.MAX_VALUE);
        for (int i = 0; i < stores.length; i++) {
            stores[i] = new SummaryStore(PAGES, RowSources.compile(PAGES), limit);
        }
        String[] hosts = {"web1", "Web1", "web2", "web3", "w\u00e9b", ""};
        String[] texts = {"a", "b", "bb", "", "c,d", "\u6f22"};
        UpdateBatch batch = new UpdateBatch(256);
        for (int row = 0; row < ROWS; row++) {
            KeyBuffer key = new KeyBuffer(new KeyLayout(PAGES.keys()));
            key.reset();
            key.setLong(0, row);
            text(key, 1, row % 7 == 6 ? null : hosts[random.nextInt(hosts.length)]);
            key.setLong(2, NOON + (random.nextLong() % 7_200_000_000L));
            key.setLong(3, random.nextLong());
            key.setLong(4, random.nextInt(2));
            key.setLong(5, random.nextInt(20) - 10);
            batch.clear();
            batch.beginRow(0, key, key.hash(), row);
            batch.addLong(0, random.nextInt(200));
            batch.addLong(1, row % 10 == 0 ? 100_000 + row % 3 : random.nextInt(40_000_000) - 1_000_000);
            batch.addLong(2, Double.doubleToRawLongBits(random.nextInt(400) / 4.0));
            if (random.nextBoolean()) {
                byte[] utf8 = texts[random.nextInt(texts.length)].getBytes(StandardCharsets.UTF_8);
                batch.addString(3, utf8, 0, utf8.length);
                batch.addLong(4, random.nextInt(10));
            }
            for (int user = random.nextInt(4); user > 0; user--) {
                batch.addLong(5, random.nextLong());
            }
            for (int click = random.nextInt(3); click > 0; click--) {
                KeyBuffer inner = new KeyBuffer(new KeyLayout(CLICKS.keys()));
                inner.reset();
                text(inner, 0, "action" + click);
                batch.enter(0, inner, inner.hash());
                batch.addLong(0, random.nextInt(1_000_000));
                batch.leave();
            }
            batch.endRow();
            stores[row % 2].apply(batch.bytes(), 0);
        }
        view = new SummaryView(PAGES, List.of(stores[0].freeze(), stores[1].freeze()), 0);
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
        load("pages", List.of(), PAGES_COLUMNS);
        load("clicks", List.of("clicks"), CLICKS_COLUMNS);
    }

    private static void text(KeyBuffer key, int column, @Nullable String text) {
        if (text == null) {
            key.setNull(column);
        } else {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            key.setString(column, utf8, 0, utf8.length);
        }
    }

    private static void load(String table, List<String> path, String columns)
            throws IOException, SQLException, CsvQueryException {
        Path file = write(path, CsvQuery.ALL);
        try (Statement statement = duckDb.createStatement()) {
            statement.execute("set threads = 1");
            statement.execute("set TimeZone = 'UTC'");
            statement.execute("create table " + table + " as select * from read_csv('" + file + "', header=true,"
                    + " delim=',', quote='\"', escape='\"', nullstr='', allow_quoted_nulls=false, columns={" + columns
                    + "})");
        }
    }

    private static Path write(List<String> path, CsvQuery query) throws IOException, CsvQueryException {
        Path file = folder.resolve("rows." + query.format().word());
        try (OutputStream out = Files.newOutputStream(file)) {
            CsvExporter.of(view, path, query, CsvQueryCompiler.of(List.of())).writeTo(out);
        }
        return file;
    }

    @AfterAll
    static void close() throws SQLException {
        duckDb.close();
    }

    private static List<String> ids(List<String> path, Map<String, String> parameters)
            throws IOException, CsvQueryException {
        List<String> lines = Files.readAllLines(write(path, CsvQuery.parse(parameters)));
        return lines.subList(1, lines.size());
    }

    private static List<String> sql(String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = duckDb.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            while (found.next()) {
                StringBuilder row = new StringBuilder(found.getString(1));
                for (int i = 2; i <= found.getMetaData().getColumnCount(); i++) {
                    row.append(',').append(found.getString(i));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    @Test
    void conditionsChooseTheRowsThatSqlChooses() throws IOException, SQLException, CsvQueryException {
        int chosen = 0;
        for (Condition condition : CONDITIONS) {
            List<String> expected = sql("select id from pages where " + condition.sql() + " order by id");
            List<String> actual = ids(List.of(), Map.of("columns", "id", "where", condition.summ(), "order_by", "id"));
            assertThat(actual).as(condition.summ()).isEqualTo(expected);
            chosen += expected.isEmpty() || expected.size() == ROWS ? 0 : 1;
        }
        assertThat(chosen).isGreaterThan(CONDITIONS.size() - 3);
    }

    @Test
    void randomQueriesAnswerWhatSqlAnswers() throws IOException, SQLException, CsvQueryException {
        compareQueries(150);
    }

    @Test
    @Tag("long")
    void manyRandomQueriesAnswerWhatSqlAnswers() throws IOException, SQLException, CsvQueryException {
        compareQueries(1_000);
    }

    /** Compares queries with columns, an order and a limit, most with a condition. */
    private static void compareQueries(int count) throws IOException, SQLException, CsvQueryException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        RandomCondition conditions = new RandomCondition(random);
        List<String> names = new ArrayList<>(
                List.of("host", "seen", "big", "live", "small", "hits", "cost", "seconds", "latest", "least", "users"));
        int chosen = 0;
        for (int i = 0; i < count; i++) {
            List<String> order = new ArrayList<>();
            List<String> sqlOrder = new ArrayList<>();
            for (int n = random.nextInt(3); n >= 0; n--) {
                String column = names.get(random.nextInt(names.size()));
                String direction = random.nextBoolean() ? " desc" : "";
                order.add(column + direction);
                sqlOrder.add(column + direction + " nulls last");
            }
            Collections.shuffle(names, random);
            List<String> columns = new ArrayList<>(names.subList(0, random.nextInt(5)));
            columns.add(random.nextInt(columns.size() + 1), "id");
            Map<String, String> parameters = new HashMap<>();
            parameters.put("columns", String.join(",", columns));
            parameters.put("order_by", String.join(",", order) + ",id");
            int limit = random.nextInt(3) == 0 ? ROWS : random.nextInt(200);
            parameters.put("limit", Integer.toString(limit));
            String where = "";
            if (random.nextInt(4) != 0) {
                RandomCondition.Text condition = conditions.next();
                parameters.put("where", condition.summ());
                where = " where " + condition.sql();
            }
            List<String> printed = columns.stream().map(QueryOracleTest::asCsv).toList();
            List<String> expected = sql("select " + String.join(", ", printed) + " from pages" + where + " order by "
                    + String.join(", ", sqlOrder) + ", id limit " + limit);
            assertThat(ids(List.of(), parameters))
                    .as("seed %d: %s", seed, parameters)
                    .isEqualTo(expected);
            chosen += expected.isEmpty() ? 0 : 1;
        }
        assertThat(chosen).as("seed %d", seed).isGreaterThan(count / 2);
    }

    /** The value of a column as in the CSV. */
    private static String asCsv(String column) {
        return switch (column) {
            case "seen" -> "coalesce(strftime(seen::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%fZ'), '')";
            case "seconds" -> "coalesce(seconds::VARCHAR, '')";
            case "host", "latest" ->
                "case when " + column + " is null then '' when " + column + " = '' or contains(" + column
                        + ", ',') then '\"' || " + column + " || '\"' else " + column + " end";
            default -> "coalesce(" + column + "::VARCHAR, '')";
        };
    }

    /** Compares with the table that DuckDB read from CSV. */
    @ParameterizedTest
    @CsvSource({"pages,''", "clicks,clicks"})
    void duckDbReadsTheSameTableFromNdjson(String table, String path)
            throws IOException, SQLException, CsvQueryException {
        List<String> fields = path.isEmpty() ? List.of() : List.of(path);
        Path file = write(fields, CsvQuery.ALL.withFormat(ExportFormat.NDJSON));
        String columns = path.isEmpty() ? PAGES_COLUMNS : CLICKS_COLUMNS;
        String ndjson = "select * from read_ndjson('" + file + "', columns={" + columns + "})";
        List<String> count = sql("select count(*) from " + table);
        assertThat(sql("select count(*) from (" + ndjson + ")")).isEqualTo(count);
        assertThat(sql("select count(*) from (" + ndjson + " intersect all from " + table + ")"))
                .isEqualTo(count);
    }

    @Test
    void nestedRowsAreChosenByTheirParentsKeysToo() throws IOException, SQLException, CsvQueryException {
        assertThat(ids(
                        List.of("clicks"),
                        Map.of(
                                "columns", "id,action",
                                "where", "small > 3 and host != 'web2' and revenue > 0.5 and action == 'action2'",
                                "order_by", "revenue desc,id",
                                "limit", "50")))
                .isEqualTo(sql("select id, action from clicks where small > 3 and host <> 'web2' and revenue > 0.5"
                        + " and action = 'action2' order by revenue desc, id limit 50"));
    }

    @Test
    void groupsAreThoseOfSql() throws IOException, SQLException, CsvQueryException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        RandomCondition conditions = new RandomCondition(random);
        List<String> keys = new ArrayList<>(List.of("host", "live", "small", "seen"));
        int several = 0;
        for (int i = 0; i < 60; i++) {
            Collections.shuffle(keys, random);
            List<String> by = List.copyOf(keys.subList(0, random.nextInt(3)));
            Map<String, String> parameters = new HashMap<>();
            parameters.put("by", String.join(",", by));
            parameters.put(
                    "columns",
                    String.join(",", by) + (by.isEmpty() ? "" : ",") + "hits,cost,seconds,latest,least,users");
            String where = "";
            if (random.nextBoolean()) {
                RandomCondition.Text condition = conditions.next();
                parameters.put("where", condition.summ());
                where = " where " + condition.sql();
            }
            long bound = random.nextInt(2_000);
            parameters.put("having", "hits > " + bound);
            String order = by.isEmpty() ? "hits" : String.join(" nulls last, ", by) + " nulls last";
            parameters.put("order_by", by.isEmpty() ? "hits" : String.join(",", by));
            List<String> printed =
                    new ArrayList<>(by.stream().map(QueryOracleTest::asCsv).toList());
            for (String column : List.of("hits", "cost", "seconds", "latest", "least")) {
                printed.add(asCsv(column));
            }
            String groups = "select "
                    + String.join("", by.stream().map(key -> key + ", ").toList())
                    + "sum(hits) as hits, sum(cost) as cost, sum(seconds) as seconds,"
                    + " arg_max(latest, id) as latest, min(least) as least from pages" + where
                    + (by.isEmpty() ? "" : " group by " + String.join(", ", by));
            List<String> expected = sql("select " + String.join(", ", printed) + " from (" + groups + ") where hits > "
                    + bound + " order by " + order);
            List<String> actual = ids(List.of(), parameters).stream()
                    .map(line -> line.substring(0, line.lastIndexOf(',')))
                    .toList();
            assertThat(actual).as("seed %d: %s", seed, parameters).isEqualTo(expected);
            several += expected.size() > 1 ? 1 : 0;
        }
        assertThat(several).as("seed %d", seed).isGreaterThan(10);
    }

    @Test
    void nestedRowsAreGroupedByKeysOfTheirParentsToo() throws IOException, SQLException, CsvQueryException {
        assertThat(ids(
                        List.of("clicks"),
                        Map.of(
                                "by", "action,live",
                                "where", "small > 3",
                                "having", "revenue > 1",
                                "order_by", "revenue desc")))
                .isEqualTo(sql("select action, live, sum(revenue) from clicks where small > 3 group by action, live"
                        + " having sum(revenue) > 1 order by 3 desc"));
    }
}
