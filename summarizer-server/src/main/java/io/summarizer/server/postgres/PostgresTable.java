package io.summarizer.server.postgres;

import io.summarizer.server.postgres.PostgresColumn.Type;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table into which rows are loaded. The table exists and has all columns of the rows. The type of each column holds
 * every value unchanged. A unique index on the key columns treats nulls as equal. Immutable.
 *
 * @param name the name with its schema
 * @param created whether the table was created just now
 */
record PostgresTable(TableName name, List<PostgresColumn> columns, boolean created) {
    /** The first version with {@code NULLS NOT DISTINCT}. */
    private static final int VERSION_MIN = 150_000;

    private static final int KEY_COLUMNS_MAX = 32;

    /** Stands for the key columns when rows have none. This key is the same for all rows, so the table has one row. */
    private static final String NO_KEY = "(true)";

    private static final Pattern NUMERIC = Pattern.compile("numeric\\(\\d+,(-?\\d+)\\)");
    private static final Pattern PARAMETERS = Pattern.compile("\\(.*\\)$");

    /**
     * A column of an existing table.
     *
     * @param type name of the type without its schema and parameters
     * @param format the type in SQL
     * @param exact whether texts in the column are equal only if all their bytes are equal
     */
    private record Present(String type, String format, boolean exact) {}

    /**
     * Finds the table, or creates it.
     *
     * @throws PostgresException when the table cannot take the rows; the exception has statements that would make the
     *     table fit
     */
    static PostgresTable ready(Connection connection, TableName asked, List<PostgresColumn> columns)
            throws SQLException, PostgresException {
        List<String> keys = keys(columns);
        if (keys.size() > KEY_COLUMNS_MAX) {
            throw PostgresException.wrong("an index of PostgreSQL has at most " + KEY_COLUMNS_MAX
                    + " columns, and the key has " + keys.size() + "; --by unites rows by fewer columns");
        }
        checkVersion(connection);
        String hll = columns.stream().anyMatch(PostgresColumn::isSet) ? hll(connection) : "";
        TableName found = find(connection, asked);
        if (found != null) {
            check(connection, found, columns, hll);
            return new PostgresTable(found, columns, false);
        }
        execute(
                connection,
                "CREATE TABLE " + asked.sql() + " ("
                        + columns.stream()
                                .map(column -> column.sql() + " " + column.type(hll))
                                .collect(Collectors.joining(", "))
                        + ")");
        execute(connection, index(asked, columns));
        TableName created = find(connection, asked);
        return new PostgresTable(created == null ? asked : created, columns, true);
    }

    /** The key columns as text for {@code ON CONFLICT} and for the index. */
    String conflict() {
        return conflict(columns);
    }

    private static String conflict(List<PostgresColumn> columns) {
        List<String> keys = keys(columns);
        return keys.isEmpty() ? NO_KEY : keys.stream().map(TableName::quoted).collect(Collectors.joining(", "));
    }

    private static List<String> keys(List<PostgresColumn> columns) {
        return columns.stream()
                .filter(PostgresColumn::key)
                .map(PostgresColumn::name)
                .toList();
    }

    private static String index(TableName table, List<PostgresColumn> columns) {
        return "CREATE UNIQUE INDEX ON " + table.sql() + " (" + conflict(columns) + ") NULLS NOT DISTINCT";
    }

    private static void checkVersion(Connection connection) throws SQLException, PostgresException {
        String version = strings(connection, "SELECT current_setting('server_version_num')")
                .get(0);
        if (Integer.parseInt(version) < VERSION_MIN) {
            throw PostgresException.failed("the server is PostgreSQL " + Integer.parseInt(version) / 10_000
                    + ", and 15 is the first that takes nulls of a key for equal (NULLS NOT DISTINCT)");
        }
    }

    /** The type of the extension, with its schema. */
    private static String hll(Connection connection) throws SQLException, PostgresException {
        List<String> schemas = strings(
                connection,
                "SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace"
                        + " WHERE e.extname = 'hll'");
        if (schemas.isEmpty()) {
            throw PostgresException.misfit(
                    "the database has no extension hll for the sets of distinct values; an administrator creates it with"
                            + " this statement, after the installation of a package such as postgresql-15-hll."
                            + " --distinct estimate loads numbers instead",
                    "CREATE EXTENSION hll;");
        }
        return TableName.quoted(schemas.get(0)) + ".hll";
    }

    /** The table with its schema; null when the database has no such table. */
    private static @Nullable TableName find(Connection connection, TableName asked)
            throws SQLException, PostgresException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT n.nspname, c.relname, c.relkind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                        + " WHERE c.oid = to_regclass(?)")) {
            statement.setString(1, asked.sql());
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return null;
                }
                TableName name = new TableName(rows.getString(1), rows.getString(2));
                if (!Set.of("r", "p").contains(rows.getString(3))) {
                    throw PostgresException.wrong("--table: " + name + " is not a table");
                }
                return name;
            }
        }
    }

    private static void check(Connection connection, TableName table, List<PostgresColumn> columns, String hll)
            throws SQLException, PostgresException {
        Map<String, Present> present = present(connection, table);
        List<String> problems = new ArrayList<>();
        List<String> statements = new ArrayList<>();
        String alter = "ALTER TABLE " + table.sql() + " ";
        for (PostgresColumn column : columns) {
            Present there = present.get(column.name());
            String add = alter + "ADD COLUMN " + column.sql() + " " + column.type(hll);
            if (there == null) {
                problems.add("it has no column " + column.name());
                statements.add(add);
            } else if (!holds(there, column)) {
                problems.add("its column " + column.name() + " is " + there.format
                        + (there.exact ? "" : " with a collation that takes different texts for equal")
                        + ", not " + column.type(hll));
                if (column.isSet()) {
                    statements.add(alter + "RENAME COLUMN " + column.sql() + " TO "
                            + TableName.quoted(column.name() + "_before"));
                    statements.add(add);
                } else {
                    statements.add(alter + "ALTER COLUMN " + column.sql() + " TYPE " + converted(there, column, hll));
                }
            }
        }
        if (!hasIndex(connection, table, columns)) {
            problems.add(
                    "it has no unique index on the key, in which nulls are equal: a row replaces the row with the same key");
            statements.add(index(table, columns));
        }
        if (!problems.isEmpty()) {
            throw PostgresException.misfit(
                    "the table " + table + " cannot take these rows, so nothing was loaded: "
                            + String.join("; ", problems) + ". The statements above change the table",
                    String.join(";\n", statements) + ";");
        }
    }

    /**
     * The end of a statement that changes the type of a column: the type, its collation, and the conversion of values.
     */
    private static String converted(Present there, PostgresColumn column, String hll) {
        String type = column.type(hll);
        String value = column.sql() + "::" + type;
        if (column.type() == Type.TIMESTAMP && !there.type.equals("timestamptz")) {
            value = column.sql() + "::timestamp AT TIME ZONE 'UTC'";
        }
        return type + (there.exact ? "" : " COLLATE \"C\"") + " USING " + value;
    }

    private static Map<String, Present> present(Connection connection, TableName table) throws SQLException {
        Map<String, Present> present = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT a.attname, t.typname, format_type(a.atttypid, a.atttypmod), coalesce(c.collisdeterministic, true)"
                        + " FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
                        + " LEFT JOIN pg_collation c ON c.oid = a.attcollation"
                        + " WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped")) {
            statement.setString(1, table.sql());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    present.put(
                            rows.getString(1), new Present(rows.getString(2), rows.getString(3), rows.getBoolean(4)));
                }
            }
        }
        return present;
    }

    /**
     * Whether a column is usable. A usable column never changes a value, for example by rounding. It may refuse values
     * that are too large.
     */
    private static boolean holds(Present there, PostgresColumn column) {
        return switch (column.type()) {
            case INT32 -> there.type.equals("int4") || there.type.equals("int8") || hasPlaces(there, 0);
            case INT64, UINT64, SUM -> there.type.equals("int8") || hasPlaces(there, 0);
            case CURRENCY -> hasPlaces(there, 6);
            case DOUBLE -> there.type.equals("float8");
            case BOOL -> there.type.equals("bool");
            case TEXT -> there.exact && Set.of("text", "character varying").contains(there.format);
            case TIMESTAMP ->
                Set.of("timestamp with time zone", "timestamp(6) with time zone")
                        .contains(there.format);
            case SET -> {
                Matcher parameters = PARAMETERS.matcher(there.format);
                yield there.type.equals("hll")
                        && (!parameters.find() || parameters.group().equals(column.sketch()));
            }
        };
    }

    /** Whether the type is numeric, with at least this number of decimal places. */
    private static boolean hasPlaces(Present there, int places) {
        Matcher numeric = NUMERIC.matcher(there.format);
        return there.format.equals("numeric") || (numeric.matches() && Integer.parseInt(numeric.group(1)) >= places);
    }

    private static boolean hasIndex(Connection connection, TableName table, List<PostgresColumn> columns)
            throws SQLException {
        Set<String> keys = new HashSet<>(keys(columns));
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT array_agg(a.attname::text), coalesce(pg_get_expr(i.indexprs, i.indrelid), '')"
                        + " FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY k (attnum, place)"
                        + " LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum"
                        + " WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indisvalid AND i.indimmediate"
                        + " AND i.indpred IS NULL AND k.place <= i.indnkeyatts"
                        + " GROUP BY i.indexrelid, i.indnullsnotdistinct, i.indexprs, i.indrelid"
                        + " HAVING i.indnullsnotdistinct OR bool_and(coalesce(a.attnotnull, true))")) {
            statement.setString(1, table.sql());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    Set<String> indexed = new HashSet<>();
                    for (Object name : (Object[]) rows.getArray(1).getArray()) {
                        if (name != null) {
                            indexed.add((String) name);
                        }
                    }
                    String expression = rows.getString(2);
                    if (indexed.equals(keys) && expression.equals(keys.isEmpty() ? "true" : "")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static List<String> strings(Connection connection, String query) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
        }
        return strings;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.execute();
        }
    }
}
