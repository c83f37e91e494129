package io.summarizer.server.cli;

import io.summarizer.core.export.ExportFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of commands that write one table. They have the names of HTTP's query parameters, with dashes in place of
 * underscores.
 */
final class QueryOptions {
    @Option(names = "--columns", paramLabel = "A,B", description = "Columns to write, in this order. Default: all.")
    private @Nullable String columns;

    @Option(
            names = "--where",
            paramLabel = "CONDITION",
            description = "Write only rows that meet this condition on columns, with the syntax of definitions.")
    private @Nullable String where;

    @Option(names = "--order-by", paramLabel = "A [desc],B", description = "Columns to sort by. Default: no order.")
    private @Nullable String orderBy;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Largest number of rows to write; with --order-by, the first rows in that order.")
    private @Nullable String limit;

    @Option(
            names = "--profile",
            paramLabel = "rfc4180|excel|pg",
            description =
                    "Dialect of the CSV: rfc4180 for most readers, excel for spreadsheets, pg for PostgreSQL. Default: rfc4180.")
    private @Nullable String profile;

    @Option(
            names = "--distinct",
            paramLabel = "estimate|hll|both",
            description = "The form of a multiset: its estimate, the set (hll), or both. Default: estimate.")
    private @Nullable String distinct;

    @Option(
            names = "--by",
            paramLabel = "A,B",
            description =
                    "Key columns to group by. Rows with equal values in these columns are merged into one row. --by= gives a single row. Default: no groups.")
    private @Nullable String by;

    @Option(
            names = "--every",
            paramLabel = "1h",
            description =
                    "Group by windows of this width, alone or with --by. The width must be a whole number of windows of the summary. Default: no groups.")
    private @Nullable String every;

    @Option(
            names = "--having",
            paramLabel = "CONDITION",
            description = "With --by or --every: write only groups that meet this condition on the columns of groups.")
    private @Nullable String having;

    @Option(
            names = "--format",
            paramLabel = "csv|ndjson",
            description = "Format of the rows: CSV, or a JSON object in each line. Default: csv.")
    private @Nullable ExportFormat format;

    @Option(
            names = "--from",
            paramLabel = "T",
            description =
                    "Write only rows of time windows that start at this time or later, in ISO 8601. Default: all.")
    private @Nullable String from;

    @Option(
            names = "--until",
            paramLabel = "T",
            description = "Write only rows of time windows that start before this time, in ISO 8601. Default: all.")
    private @Nullable String until;

    @Option(
            names = "--closed",
            paramLabel = "yes|no|only",
            description =
                    "Rows of closed windows: write them, too (yes), leave them out (no), or write no other rows (only). Default: yes.")
    private @Nullable String closed;

    /** Whether the user gave an option that applies to a single table only. */
    boolean areOfOneTable() {
        return columns != null
                || where != null
                || orderBy != null
                || limit != null
                || by != null
                || every != null
                || having != null;
    }

    /** The format of the rows. */
    ExportFormat format() {
        return format == null ? ExportFormat.CSV : format;
    }

    /** The given options, by the names of the query parameters. */
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        put("columns", columns, parameters);
        put("where", where, parameters);
        put("order_by", orderBy, parameters);
        put("limit", limit, parameters);
        put("profile", profile, parameters);
        put("distinct", distinct, parameters);
        put("by", by, parameters);
        put("every", every, parameters);
        put("having", having, parameters);
        put("from", from, parameters);
        put("until", until, parameters);
        put("closed", closed, parameters);
        put("format", format == null ? null : format.word(), parameters);
        return parameters;
    }

    private static void put(String name, @Nullable String value, Map<String, String> parameters) {
        if (value != null) {
            parameters.put(name, value);
        }
    }
}
