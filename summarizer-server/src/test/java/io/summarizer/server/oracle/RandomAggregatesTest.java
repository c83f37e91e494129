package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.server.oracle.RandomCondition.Text;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random definitions over random events, in CSV and JSON, make the same tables as SQL makes of the same events:
 * conditions, keys, sums, counts, bounds, nested rows, enums and a {@code oneof}.
 */
class RandomAggregatesTest {
    private static final String PROTO = """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            enum Shade { NONE = 0; RED = 1; GREEN = 5; }
            message E {
                int64 id = 1; string host = 2; google.protobuf.Timestamp seen = 3; uint64 big = 4; bool live = 5;
                int32 small = 6; int64 hits = 7; double cost = 8; double seconds = 9; string latest = 10;
                int64 least = 11; int64 users = 12; Shade shade = 13;
                oneof way { int64 lane = 14; string road = 15; }
            }
            """;
    private static final List<String> COLUMNS = List.of(
            "id", "host", "seen", "big", "live", "small", "hits", "cost", "seconds", "latest", "least", "users",
            "shade", "lane", "road");
    private static final List<String> SQL_TYPES = List.of(
            "BIGINT",
            "VARCHAR",
            "TIMESTAMPTZ",
            "UBIGINT",
            "BOOLEAN",
            "INTEGER",
            "BIGINT",
            "DECIMAL(18,6)",
            "DOUBLE",
            "VARCHAR",
            "BIGINT",
            "BIGINT",
            "VARCHAR",
            "BIGINT",
            "VARCHAR");
    /** Columns whose values are strings in JSON. */
    private static final List<String> STRINGS = List.of("host", "seen", "latest", "shade", "road");

    private static final List<String> HOSTS = List.of("web1", "Web1", "web2", "web3", "w\u00e9b", "");
    private static final List<String> TEXTS = List.of("a", "b", "bb", "", "c,d", "\u6f22", "q\"q");
    private static final List<String> SHADES = List.of("NONE", "RED", "GREEN", "0", "1", "5", "77");

    /** The parts of a key: a type, an expression and the same in SQL. */
    private record Key(String type, String summ, String sql) {}

    private static final List<Key> KEYS = List.of(
            new Key("string", "host", "host"),
            new Key("string", "lower(latest)", "lower(latest)"),
            new Key("bool", "live", "live"),
            new Key("int32", "small", "small"),
            new Key("int64", "least", "least"),
            new Key("int64", "id % 7", "id % 7"),
            new Key("string", "host + latest", "host || latest"),
            new Key(
                    "string",
                    "shade",
                    "CASE shade WHEN '0' THEN 'NONE' WHEN '1' THEN 'RED' WHEN '5' THEN 'GREEN' ELSE shade END"),
            new Key("int64", "lane", "CASE WHEN road IS NULL THEN lane END"),
            new Key("string", "road", "road"),
            new Key("bool", "has(lane)", "lane IS NOT NULL AND road IS NULL"),
            new Key(
                    "timestamp",
                    "bucket(seen, 1h)",
                    "strftime(date_trunc('hour', seen)::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%fZ')"));

    private @TempDir Path folder;

    @Test
    void comeToWhatSqlMakesOfTheEvents() throws IOException, SQLException, CsvQueryException {
        compare(4, 1_500);
    }

    @Test
    @Tag("long")
    void comeToWhatSqlMakesOfManyEvents() throws IOException, SQLException, CsvQueryException {
        compare(50, 8_200);
    }

    private void compare(int definitions, int events) throws IOException, SQLException, CsvQueryException {
        long seed = Seeds.first();
        Random seeds = new Random(seed);
        long rows = 0;
        try (DuckDbOracle oracle = new DuckDbOracle()) {
            oracle.execute("SET TimeZone = 'UTC'");
            for (int round = 0; round < definitions; round++) {
                rows += new Comparison(new Random(seeds.nextLong()), "seed " + seed + ", round " + round)
                        .run(oracle, events);
            }
        }
        assertThat(rows).as("seed %d", seed).isGreaterThanOrEqualTo(2L * definitions);
    }

    /** One set of definitions and its events. */
    private final class Comparison {
        private final Random random;
        private final String round;
        private final RandomCondition conditions;
        private final boolean json;
        private final StringBuilder summ = new StringBuilder();

        Comparison(Random random, String round) {
            this.random = random;
            this.round = round;
            conditions = new RandomCondition(random);
            json = random.nextBoolean();
        }

        /** Compares; returns the number of rows that agree. */
        long run(DuckDbOracle oracle, int events) throws IOException, SQLException, CsvQueryException {
            List<Key> keys = someOf(KEYS);
            List<Key> inner = someOf(KEYS);
            byte[] messages = makeEvents(oracle, events);
            Text where = holding(oracle, "true");
            Text innerWhere = holding(oracle, where.sql());
            List<String> names = new ArrayList<>();
            List<String> aggregates = new ArrayList<>();
            List<String> innerAggregates = new ArrayList<>();
            StringBuilder fields = new StringBuilder();
            StringBuilder innerFields = new StringBuilder();
            StringBuilder updates = new StringBuilder();
            StringBuilder innerUpdates = new StringBuilder();
            for (int i = 0; i < 2 + random.nextInt(4); i++) {
                names.add("v" + i);
                aggregates.add(aggregate(i, fields, updates));
                innerAggregates.add(aggregate(i, innerFields, innerUpdates));
            }
            summ.append("import \"e.proto\";\nevent E on \"e\" as ")
                    .append(json ? "json" : "csv")
                    .append(";\nsummary S {\n")
                    .append(keyFields("k", keys))
                    .append("value {\n")
                    .append(fields)
                    .append("summary N {\n")
                    .append(keyFields("n", inner))
                    .append("value {\n")
                    .append(innerFields)
                    .append("} }\nrepeated N n = 100; } }\nmap E into S where ")
                    .append(where.summ())
                    .append(" {\nkey { ")
                    .append(given("k", keys, "; "))
                    .append("; }\n")
                    .append(updates)
                    .append("n[")
                    .append(given("n", inner, ", "))
                    .append("] where ")
                    .append(innerWhere.summ())
                    .append(" {\n")
                    .append(innerUpdates)
                    .append("} }\n");
            CheckResult checked = DefinitionsCompiler.check(Map.of("e.proto", PROTO, "s.summ", summ.toString()));
            assertThat(checked.definitions())
                    .as(round + "\n" + summ + checked.render())
                    .isPresent();
            SingleThread path =
                    new SingleThread(PlanCompiler.compile(checked.definitions().orElseThrow()));
            path.receive(messages, 64 * 1024);
            assertThat(path.good()).as(round + "\n" + summ).isEqualTo(events);
            List<Key> both = new ArrayList<>(keys);
            both.addAll(inner);
            List<String> ownNames = numbered("k", keys.size());
            List<String> bothNames = new ArrayList<>(ownNames);
            bothNames.addAll(numbered("n", inner.size()));
            return agreed(oracle, path, List.of(), select("S", ownNames, keys, names, aggregates, where.sql()))
                    + agreed(
                            oracle,
                            path,
                            List.of("n"),
                            select(
                                    "S.n",
                                    bothNames,
                                    both,
                                    names,
                                    innerAggregates,
                                    where.sql() + " AND " + innerWhere.sql()));
        }

        /** Makes a condition that holds for some of the events for which another one does. */
        private Text holding(DuckDbOracle oracle, String beside) throws SQLException {
            for (int tries = 0; tries < 100; tries++) {
                Text condition = conditions.next();
                if (oracle.number("SELECT count(*) FROM events WHERE " + beside + " AND " + condition.sql()) > 0) {
                    return condition;
                }
            }
            return Text.same("true");
        }

        private <T> List<T> someOf(List<T> all) {
            List<T> shuffled = new ArrayList<>(all);
            Collections.shuffle(shuffled, random);
            return List.copyOf(shuffled.subList(0, 1 + random.nextInt(3)));
        }

        private static List<String> numbered(String prefix, int count) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                names.add(prefix + i);
            }
            return names;
        }

        private static String keyFields(String prefix, List<Key> keys) {
            StringBuilder text = new StringBuilder("key {");
            for (int i = 0; i < keys.size(); i++) {
                text.append(String.format(" %s %s%d = %d;", keys.get(i).type(), prefix, i, i + 1));
            }
            return text.append(" }\n").toString();
        }

        private static String given(String prefix, List<Key> keys, String separator) {
            List<String> given = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                given.add(prefix + i + " = " + keys.get(i).summ());
            }
            return String.join(separator, given);
        }

        /** Declares and updates column {@code number}; returns the equivalent aggregate of SQL. */
        private String aggregate(int number, StringBuilder fields, StringBuilder updates) {
            Text operand = conditions.integer(1);
            Text where = random.nextBoolean() ? conditions.next() : Text.same("true");
            String type;
            String sql;
            switch (random.nextInt(7)) {
                case 0 -> {
                    type = "count";
                    sql = "count(%s) FILTER (%s)";
                }
                case 1 -> {
                    type = "minint64";
                    sql = "min(%s) FILTER (%s)";
                }
                case 2 -> {
                    type = "maxint64";
                    sql = "max(%s) FILTER (%s)";
                }
                case 3 -> {
                    type = "sumcurrency";
                    operand = Text.same("cost");
                    sql = "coalesce(sum(%s) FILTER (%s), 0)";
                }
                case 4 -> {
                    type = random.nextBoolean() ? "mindouble" : "maxdouble";
                    operand = conditions.fraction();
                    sql = type.substring(0, 3) + "(%s) FILTER (%s)";
                }
                default -> {
                    type = random.nextBoolean() ? "sumint64" : "sumint32";
                    sql = "coalesce(sum(%s) FILTER (%s), 0)";
                }
            }
            fields.append(String.format("%s v%d = %d;%n", type, number, number + 1));
            updates.append(String.format("v%d += %s where %s;%n", number, operand.summ(), where.summ()));
            return String.format(sql, operand.sql(), "WHERE " + where.sql());
        }

        private static OracleTable select(
                String name,
                List<String> keyNames,
                List<Key> keys,
                List<String> names,
                List<String> aggregates,
                String where) {
            List<String> columns = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                columns.add(keys.get(i).sql() + " AS " + keyNames.get(i));
            }
            for (int i = 0; i < names.size(); i++) {
                columns.add(aggregates.get(i) + " AS " + names.get(i));
            }
            return new OracleTable(
                    name,
                    "SELECT " + String.join(", ", columns) + " FROM events WHERE " + where + " GROUP BY ALL",
                    keyNames,
                    names,
                    List.of());
        }

        private long agreed(DuckDbOracle oracle, SingleThread source, List<String> nested, OracleTable table)
                throws IOException, SQLException, CsvQueryException {
            Path file = folder.resolve("actual.csv");
            try (OutputStream out = Files.newOutputStream(file)) {
                source.export(0, nested, out);
            }
            CsvComparison comparison = CsvComparison.compare(oracle, table, file);
            assertThat(comparison.problems())
                    .as(round + "\n" + summ + table.sql())
                    .isEmpty();
            return comparison.rows();
        }

        /** Inserts events into the table and returns their messages. */
        private byte[] makeEvents(DuckDbOracle oracle, int count) throws IOException, SQLException {
            ByteArrayOutputStream stream = new ByteArrayOutputStream();
            StringBuilder table = new StringBuilder();
            for (int id = 0; id < count; id++) {
                List<String> values = values(id);
                String line = csv(values);
                table.append(line).append('\n');
                String message = "<13>1 - - - - e - " + (json ? object(values) : line) + "\n";
                stream.writeBytes(message.getBytes(StandardCharsets.UTF_8));
            }
            Path file = Files.writeString(folder.resolve("events.csv"), table);
            List<String> columns = new ArrayList<>();
            for (int i = 0; i < COLUMNS.size(); i++) {
                columns.add("'" + COLUMNS.get(i) + "': '" + SQL_TYPES.get(i) + "'");
            }
            oracle.execute("CREATE OR REPLACE TABLE events AS SELECT * FROM read_csv('" + file
                    + "', header = false, auto_detect = false, delim = ',', quote = '\"', escape = '\"',"
                    + " nullstr = '', allow_quoted_nulls = false, columns = {" + String.join(", ", columns) + "})");
            return stream.toByteArray();
        }

        /** The columns of an event as text; null for an absent value. */
        private List<String> values(int id) {
            List<String> values = new ArrayList<>();
            values.add(Integer.toString(id));
            values.add(some(HOSTS));
            values.add(String.format("2026-11-20T%02d:%02d:10.5Z", 10 + random.nextInt(4), random.nextInt(60)));
            values.add(Long.toUnsignedString(random.nextLong()));
            values.add(Boolean.toString(random.nextBoolean()));
            values.add(Integer.toString(random.nextInt(20) - 10));
            values.add(Integer.toString(random.nextInt(200)));
            values.add(random.nextInt(40) + "." + random.nextInt(1_000_000));
            values.add(random.nextInt(100) + ".25");
            values.add(some(TEXTS));
            values.add(Integer.toString(random.nextInt(10)));
            values.add(Integer.toString(random.nextInt(4)));
            values.add(some(SHADES));
            values.add(Integer.toString(random.nextInt(3)));
            values.add(random.nextInt(3) == 0 ? some(TEXTS) : NOTHING);
            for (int i = 1; i < values.size(); i++) {
                if (random.nextInt(8) == 0) {
                    values.set(i, NOTHING);
                }
            }
            return values;
        }

        private String some(List<String> texts) {
            return texts.get(random.nextInt(texts.size()));
        }

        private static String csv(List<String> values) {
            List<String> columns = new ArrayList<>();
            for (String value : values) {
                boolean quoted = value.isEmpty() || value.contains(",") || value.contains("\"");
                columns.add(value.equals(NOTHING) ? "" : quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
            }
            return String.join(",", columns);
        }

        private String object(List<String> values) {
            List<String> members = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                String name = '"' + COLUMNS.get(i) + "\":";
                String value = values.get(i);
                if (value.equals(NOTHING)) {
                    if (random.nextBoolean()) {
                        members.add(name + "null");
                    }
                    continue;
                }
                if (random.nextInt(30) == 0) {
                    members.add(name + "[\"overridden\"]");
                }
                boolean text = STRINGS.contains(COLUMNS.get(i));
                members.add(name + (text ? '"' + value.replace("\"", "\\\"") + '"' : value));
            }
            return "{" + String.join(",", members) + "}";
        }
    }

    /** Represents an absent value among texts. */
    private static final String NOTHING = "\0";
}
