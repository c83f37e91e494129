package io.summarizer.server.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a table in a database. Immutable.
 *
 * @param schema null for a table that PostgreSQL finds by its search path
 */
public record TableName(@Nullable String schema, String name) {
    /** Maximum length of a name. PostgreSQL cuts off longer names, without an error. */
    private static final int BYTES_MAX = 63;

    private static final String PART = "([\\p{L}_][\\p{L}\\p{Nd}_$]*|\"(?:[^\"\\x00]|\"\")+\")";
    private static final Pattern NAME = Pattern.compile("(?:" + PART + "\\.)?" + PART);

    /**
     * Reads a name in the syntax of SQL: {@code details}, {@code stats.details}, {@code "My Details"}. Without quotes,
     * capital letters become small letters.
     */
    public static TableName of(String text) throws PostgresException {
        Matcher matcher = NAME.matcher(text);
        if (!matcher.matches()) {
            throw PostgresException.wrong(
                    "--table: a table is named as in SQL: details, stats.details, \"My Details\"");
        }
        return new TableName(matcher.group(1) == null ? null : part(matcher.group(1)), part(matcher.group(2)));
    }

    /**
     * The default table for the rows of a summary or nested summary.
     *
     * @param path {@code NAME} or {@code NAME/FIELD}
     */
    public static TableName ofSummary(String path) throws PostgresException {
        return new TableName(null, part(path.replace('/', '_').replace('.', '_')));
    }

    private static String part(String text) throws PostgresException {
        String part = text.startsWith("\"")
                ? text.substring(1, text.length() - 1).replace("\"\"", "\"")
                : text.toLowerCase(Locale.ROOT);
        if (isTooLong(part)) {
            throw PostgresException.wrong("--table: names in PostgreSQL have at most " + BYTES_MAX + " bytes: " + part);
        }
        return part;
    }

    static boolean isTooLong(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX;
    }

    /** The name in SQL. */
    String sql() {
        return schema == null ? quoted(name) : quoted(schema) + "." + quoted(name);
    }

    /** A name in SQL, in quotes, so that each character stands for itself. */
    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** The name for messages. */
    @Override
    public String toString() {
        return schema == null ? name : schema + "." + name;
    }
}
