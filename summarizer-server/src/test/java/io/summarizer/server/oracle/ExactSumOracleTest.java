package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.Commands;
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
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sums beyond 64 bits, from lines to CSV, state files, merges and conditions, equal those of DuckDB's HUGEINT and
 * DECIMAL.
 */
class ExactSumOracleTest {
    private static final int LINES = 6_000;
    private static final int KEYS = 60;

    private static final String DEFINITIONS = """
            import "t.proto";
            event Row on "row" as csv;
            summary S {
                key { int64 k = 1; }
                value {
                    sumint32 a = 1;
                    sumint64 b = 2;
                    sumcurrency c = 3;
                    sumcurrency n = 4;
                    count rows = 5;
                }
            }
            map Row into S { key { k; } a += i; b += i; c += d; n += -(i * 1); rows += 1; }
            """;
    private static final String EVENTS = "syntax = \"proto3\"; message Row { int64 k = 1; int64 i = 2; string d = 3; }";

    /** Conditions that are valid in both languages. */
    private static final List<String> CONDITIONS = List.of(
            "b > 9223372036854775807",
            "b >= 9223372036854775807",
            "b < -9223372036854775807",
            "a <= 9223372036854775807 and a >= -9223372036854775807",
            "b > 0",
            "not (b > 0)",
            "b > a - 1 or a <> 0",
            "a = b",
            "b <> a or c > 9300000000000.5",
            "b > 1e19",
            "b < -1e19",
            "1e19 < b",
            "rows < b",
            "not (b in (1, 2, 3))",
            "k in (1, 2, 3) and b <> 17",
            "c > 0 and n < 0");

    @TempDir
    private Path folder;

    private final List<List<String>> rows = new ArrayList<>();

    private static String integer(Random random) {
        long value = switch (random.nextInt(5)) {
            case 0 -> Long.MAX_VALUE - random.nextInt(2);
            case 1 -> Long.MIN_VALUE + random.nextInt(2);
            default -> random.nextLong() >> random.nextInt(64);
        };
        return Long.toString(value);
    }

    private static String amount(Random random) {
        String sign = random.nextInt(3) == 0 ? "-" : "";
        return switch (random.nextInt(6)) {
            case 0 -> sign + "9223372036854.775807";
            case 1 -> sign + "9223372036854.775808"; // no room for it
            default ->
                sign + (random.nextLong() >>> (21 + random.nextInt(40))) + "."
                        + (100_000_000 + random.nextInt(900_000_000));
        };
    }

    private Path lines(int from, int to) throws IOException {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows.subList(from, to)) {
            text.append("<134>1 2026-11-20T00:00:00Z h a - row - ")
                    .append(String.join(",", row))
                    .append('\n');
        }
        return Files.writeString(folder.resolve(from + ".log"), text);
    }

    private static String command(String... arguments) {
        Commands.Outcome outcome = Commands.run(arguments);
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome.out();
    }

    private Path state(String name, int from, int to) throws IOException {
        Path state = folder.resolve(name + ".state");
        var unused = command(
                "run",
                "--definitions",
                folder.toString(),
                "--out",
                folder.resolve(name).toString(),
                "--state",
                state.toString(),
                lines(from, to).toString());
        return state;
    }

    private static List<String> sql(Statement statement, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getString(i));
                }
                found.add(String.join(",", row));
            }
        }
        return found;
    }

    @Test
    void sumsAreThoseOfDuckDbWhereverTheyAreSeen() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Files.writeString(folder.resolve("t.summ"), DEFINITIONS);
        Files.writeString(folder.resolve("t.proto"), EVENTS);
        for (int i = 0; i < LINES; i++) {
            rows.add(List.of(Integer.toString(random.nextInt(KEYS)), integer(random), amount(random)));
        }
        Path csv = Files.write(
                folder.resolve("rows.csv"),
                rows.stream().map(row -> String.join(",", row)).toList());
        Path whole = state("whole", 0, LINES);
        Path first = state("first", 0, LINES / 3);
        Path second = state("second", LINES / 3, LINES);
        Path merged = folder.resolve("merged.state");
        Path other = folder.resolve("other.state");
        assertThat(command("merge", merged.toString(), first.toString(), second.toString()))
                .isEmpty();
        assertThat(command("merge", other.toString(), second.toString(), first.toString()))
                .isEmpty();
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement duckDb = connection.createStatement()) {
            duckDb.execute("set threads = 1");
            duckDb.execute("create table s as select k, sum(i)::hugeint as a, sum(i)::hugeint as b,"
                    + " coalesce(sum(case when abs(d) < 9223372036854.7758075 then round(d, 6) end), 0)::decimal(38, 6) as c,"
                    + " coalesce(sum(case when abs(i) <= 9223372036854 then -i end), 0)::decimal(38, 6) as n,"
                    + " count(*) as rows from read_csv('" + csv + "', header=false,"
                    + " columns={'k':'BIGINT','i':'HUGEINT','d':'DECIMAL(38,9)'}) group by k");
            List<String> expected = sql(duckDb, "select k, a, b, c, n, rows from s order by k");
            assertThat(expected).hasSize(KEYS);
            for (Path state : List.of(whole, merged, other)) {
                assertThat(command("state", state.toString(), "S", "--order-by", "k")
                                .lines()
                                .skip(1))
                        .as("seed %d, %s", seed, state)
                        .containsExactlyElementsOf(expected);
            }
            assertThat(Files.readAllLines(folder.resolve("whole/S.csv")).stream()
                            .skip(1)
                            .sorted())
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(expected.stream().sorted().toList());
            int chosen = 0;
            for (String condition : CONDITIONS) {
                String where = condition.replace("<>", "!=").replaceAll("(?<![<>!]) = ", " == ");
                List<String> keys = sql(duckDb, "select k from s where " + condition + " order by b desc, c, k");
                assertThat(command(
                                        "state",
                                        whole.toString(),
                                        "S",
                                        "--columns",
                                        "k",
                                        "--where",
                                        where,
                                        "--order-by",
                                        "b desc,c,k")
                                .lines()
                                .skip(1))
                        .as("seed %d, %s", seed, where)
                        .containsExactlyElementsOf(keys);
                chosen += keys.isEmpty() || keys.size() == KEYS ? 0 : 1;
            }
            assertThat(chosen).as("seed %d", seed).isGreaterThan(CONDITIONS.size() / 2);
            List<String> wide = sql(duckDb, "select b from s where abs(b) > 9223372036854775807 order by b limit 1");
            assertThat(command("state", whole.toString(), "S", "--profile", "excel"))
                    .as("seed %d", seed)
                    .contains(",\"=\"\"" + wide.get(0) + "\"\"\",");
        }
    }
}
