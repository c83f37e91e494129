package io.summarizer.server.oracle;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The comparison of a CSV of the Summarizer with the {@link OracleTable} that it should equal; DuckDB reads it, so that
 * it must be CSV for other programs, too. Rows may come in any order. Keys, counts and sums must agree exactly, and no
 * row may be missing, extra or there twice.
 *
 * <p>Distinct counts are estimates, which must keep what theory promises. Up to {@link #EXACT_MAX} they are exact,
 * except that two users whose hashes agree in 26 bits count as one: the number of such losses must be within chance.
 * Above that they are within {@link #WITHIN_ERRORS} standard errors of 1.04 / sqrt(2048); three rows in a thousand may
 * be outside, but none beyond {@link #NEVER_BEYOND_ERRORS}.
 */
public final class CsvComparison {
    /** Largest number of distinct values that a set counts exactly. */
    public static final int EXACT_MAX = 300;
    /** Standard errors within which estimates lie. */
    public static final int WITHIN_ERRORS = 3;
    /** Standard errors beyond which no estimate lies, even of very many rows. */
    public static final int NEVER_BEYOND_ERRORS = 6;

    private static final double STANDARD_ERROR = 1.04 / Math.sqrt(2048);
    private static final double SHARE_BEYOND = 0.003;
    private static final int EXAMPLES_MAX = 10;

    private final DuckDbOracle oracle;
    private final OracleTable table;
    private final List<String> problems = new ArrayList<>();
    private long rows;

    private CsvComparison(DuckDbOracle oracle, OracleTable table) {
        this.oracle = oracle;
        this.table = table;
    }

    /** Compares the CSV in {@code file} with {@code table}, evaluated over the events of {@code oracle}. */
    public static CsvComparison compare(DuckDbOracle oracle, OracleTable table, Path file)
            throws IOException, SQLException {
        CsvComparison comparison = new CsvComparison(oracle, table);
        if (comparison.hasHeader(file)) {
            comparison.run(file);
        }
        return comparison;
    }

    /** Number of expected rows; a comparison without rows proves nothing. */
    public long rows() {
        return rows;
    }

    /** The differences, for people; empty when there are none. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Fails with all problems when there are any, or when there were no rows to compare. */
    public void assertAgrees() {
        if (!problems.isEmpty()) {
            throw new AssertionError(table.name() + ".csv differs from DuckDB (expected rows=" + rows + "):\n  "
                    + String.join("\n  ", problems));
        }
        if (rows == 0) {
            throw new AssertionError(table.name() + ": no rows were expected, so nothing was compared");
        }
    }

    private boolean hasHeader(Path file) throws IOException {
        String expected = String.join(",", table.columns());
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String header = reader.readLine();
            if (expected.equals(header)) {
                return true;
            }
            problems.add("header is <" + header + ">, expected <" + expected + ">");
            return false;
        }
    }

    private void run(Path file) throws SQLException {
        String columns = table.columns().stream()
                .map(column -> DuckDbOracle.literal(column) + ": 'VARCHAR'")
                .collect(Collectors.joining(", "));
        oracle.execute("CREATE OR REPLACE TEMP TABLE expected AS " + table.sql());
        oracle.execute("CREATE OR REPLACE TEMP TABLE actual AS SELECT * FROM read_csv("
                + DuckDbOracle.literal(file.toString()) + ", columns = {" + columns
                + "}, header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"', new_line = '\\n',"
                + " allow_quoted_nulls = false)");
        rows = oracle.number("SELECT count(*) FROM expected");
        report("row there more than once", keyList("a"), "actual a GROUP BY ALL HAVING count(*) > 1");
        String same = table.keys().stream()
                .map(key -> "e." + quoted(key) + "::VARCHAR IS NOT DISTINCT FROM a." + quoted(key))
                .collect(Collectors.joining(" AND "));
        report("row is missing", keyList("e"), "expected e ANTI JOIN actual a ON " + same);
        report("row should not be there", keyList("a"), "actual a ANTI JOIN expected e ON " + same);
        oracle.execute("CREATE OR REPLACE TEMP TABLE pairs AS SELECT " + keyList("e")
                + table.values().stream()
                        .map(value -> ", e." + quoted(value) + " AS " + quoted("expected " + value) + ", a."
                                + quoted(value) + " AS " + quoted("actual " + value))
                        .collect(Collectors.joining())
                + " FROM expected e JOIN actual a ON " + same);
        for (String value : table.exact()) {
            report(
                    value + " differs",
                    keyList("p") + both(value),
                    "pairs p WHERE TRY_CAST(" + actual(value) + " AS DECIMAL(38, 6)) IS DISTINCT FROM "
                            + expected(value) + "::DECIMAL(38, 6)");
        }
        for (String value : table.distinct()) {
            compareEstimates(value);
        }
    }

    private void compareEstimates(String value) throws SQLException {
        String estimate = "TRY_CAST(" + actual(value) + " AS BIGINT)";
        String truth = expected(value);
        report(value + " is no integer", keyList("p") + both(value), "pairs p WHERE " + estimate + " IS NULL");

        String small = truth + " <= " + EXACT_MAX;
        report(
                value + " is not exact",
                keyList("p") + both(value),
                "pairs p WHERE " + small + " AND " + truth + " - " + estimate + " NOT IN (0, 1)");
        // Pairs of equal 26-bit values among n are n² / 2^27 on average; more than four deviations above that are not
        // chance.
        double collisions =
                oracle.number("SELECT coalesce(sum(" + truth + " * " + truth + "), 0) FROM pairs WHERE " + small)
                        / (double) (1 << 27);
        long allowed = (long) Math.ceil(collisions + 4 * Math.sqrt(collisions));
        long lost = oracle.number(
                "SELECT count(*) FROM pairs WHERE " + small + " AND " + truth + " - " + estimate + " = 1");
        if (lost > allowed) {
            problems.add(value + " is one too few in " + lost + " rows, by chance in at most " + allowed);
        }

        String deviation = "abs(" + estimate + " - " + truth + ") / (" + truth + " * " + STANDARD_ERROR + ")";
        String large = "pairs p WHERE " + truth + " > " + EXACT_MAX;
        report(
                value + " is off by more than " + NEVER_BEYOND_ERRORS + " standard errors",
                keyList("p") + both(value),
                large + " AND " + deviation + " > " + NEVER_BEYOND_ERRORS);
        double few = oracle.number("SELECT count(*) FROM " + large) * SHARE_BEYOND;
        long beyondMax = (long) (few + 4 * Math.sqrt(few));
        String beyond = large + " AND " + deviation + " > " + WITHIN_ERRORS + " AND " + deviation + " <= "
                + NEVER_BEYOND_ERRORS;
        if (oracle.number("SELECT count(*) FROM " + beyond) > beyondMax) {
            report(
                    value + " is off by more than " + WITHIN_ERRORS + " standard errors (allowed in rows=" + beyondMax
                            + ")",
                    keyList("p") + both(value),
                    beyond);
        }
    }

    /** Adds a problem with some examples if {@code from} has rows. */
    private void report(String what, String columns, String from) throws SQLException {
        long count = oracle.number("SELECT count(*) FROM (SELECT " + columns + " FROM " + from + ")");
        if (count == 0) {
            return;
        }
        StringBuilder text = new StringBuilder(what + ": rows=" + count + ", such as");
        try (Statement statement = oracle.connection().createStatement();
                ResultSet examples = statement.executeQuery(
                        "SELECT " + columns + " FROM " + from + " ORDER BY ALL LIMIT " + EXAMPLES_MAX)) {
            int width = examples.getMetaData().getColumnCount();
            while (examples.next()) {
                text.append("\n   ");
                for (int i = 1; i <= width; i++) {
                    text.append(' ')
                            .append(examples.getMetaData().getColumnLabel(i))
                            .append('=')
                            .append(examples.getString(i));
                }
            }
        }
        problems.add(text.toString());
    }

    private String keyList(String alias) {
        return table.keys().stream().map(key -> alias + "." + quoted(key)).collect(Collectors.joining(", "));
    }

    private static String both(String value) {
        return ", " + expected(value) + ", " + actual(value);
    }

    private static String expected(String value) {
        return quoted("expected " + value);
    }

    private static String actual(String value) {
        return quoted("actual " + value);
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
