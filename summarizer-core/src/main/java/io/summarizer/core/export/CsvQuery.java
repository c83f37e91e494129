package io.summarizer.core.export;

import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.CalendarUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rows and columns of a summary to write, and their format. Immutable; equal queries are equal objects. The
 * {@link CsvCompiler} checks names and the condition.
 *
 * @param columns names of the key and value columns to write, in this order, possibly with columns of enclosing
 *     summaries; empty for all columns
 * @param where a condition on the rows, in the language of definitions; with a grouping, it selects the rows to group;
 *     empty for every row
 * @param orderBy columns to sort by, the most important first; empty for no defined order
 * @param limit maximum number of rows to write, {@link Long#MAX_VALUE} for all
 * @param profile the kind of program that will read the CSV; {@link CsvProfile#RFC4180} if the format is not CSV
 * @param distinct the form of a {@code multiset64}
 * @param grouping the grouping of the rows; the columns, the order and the limit then apply to the groups; null for no
 *     grouping
 * @param format the format of the rows
 * @param windows the windows whose rows are read
 */
public record CsvQuery(
        List<String> columns,
        String where,
        List<Order> orderBy,
        long limit,
        CsvProfile profile,
        Distinct distinct,
        @Nullable Grouping grouping,
        ExportFormat format,
        WindowRange windows) {
    /** Maximum number of column names in a query. */
    public static final int COLUMNS_MAX = 2_000;
    /** Maximum number of characters in a condition. */
    public static final int WHERE_CHARS_MAX = 4_000;
    /** Maximum number of columns to sort by. */
    public static final int ORDER_MAX = 16;

    /** Everything, in the form of RFC 4180. */
    public static final CsvQuery ALL = new CsvQuery(
            List.of(), "", List.of(), Long.MAX_VALUE, CsvProfile.RFC4180, Distinct.ESTIMATE, null, ExportFormat.CSV);

    /** Names of the parameters that {@link #parse} reads. */
    public static final List<String> PARAMETERS = List.of(
            "columns",
            "where",
            "order_by",
            "limit",
            "profile",
            "distinct",
            "by",
            "every",
            "having",
            "format",
            "from",
            "until",
            "closed");

    private static final char QUOTE = '`';
    private static final Pattern EVERY = Pattern.compile("(\\d{1,9}) ?([a-z]{1,2})");

    public CsvQuery {
        columns = List.copyOf(columns);
        orderBy = List.copyOf(orderBy);
        if (limit < 0) {
            throw new IllegalArgumentException("limit=" + limit);
        }
        if (format != ExportFormat.CSV && profile != CsvProfile.RFC4180) {
            throw new IllegalArgumentException(profile + " of " + format);
        }
    }

    /** A query of all windows. */
    public CsvQuery(
            List<String> columns,
            String where,
            List<Order> orderBy,
            long limit,
            CsvProfile profile,
            Distinct distinct,
            @Nullable Grouping grouping,
            ExportFormat format) {
        this(columns, where, orderBy, limit, profile, distinct, grouping, format, WindowRange.ALL);
    }

    /** A column to sort by. Nulls come last, whether the order is ascending or descending. */
    public record Order(String column, boolean descending) {}

    /**
     * A grouping: rows with equal values in some key columns become one group. The value columns of a group's rows are
     * merged.
     *
     * @param by names of the key columns to group by; empty for a single group of all rows
     * @param having a condition over the columns of the groups, empty for every group
     * @param every the windows to group by, in addition to {@code by}; null for none
     */
    public record Grouping(
            List<String> by, String having, @Nullable Every every) {
        public Grouping {
            by = List.copyOf(by);
        }

        /** A grouping by key columns. */
        public Grouping(List<String> by, String having) {
            this(by, having, null);
        }
    }

    /**
     * The width of windows to group by. Such a window consists of whole windows of the summary, and has the same time
     * zone.
     */
    public record Every(int count, CalendarUnit unit) {
        @Override
        public String toString() {
            return count + unit.suffix();
        }
    }

    /** The same query for another profile. */
    public CsvQuery withProfile(CsvProfile profile) {
        return new CsvQuery(columns, where, orderBy, limit, profile, distinct, grouping, format, windows);
    }

    /** The same query with another form of multisets. */
    public CsvQuery withDistinct(Distinct distinct) {
        return new CsvQuery(columns, where, orderBy, limit, profile, distinct, grouping, format, windows);
    }

    /** The same query with another format. */
    public CsvQuery withFormat(ExportFormat format) {
        return new CsvQuery(columns, where, orderBy, limit, profile, distinct, grouping, format, windows);
    }

    /** A query that has only this query's condition on rows, and writes one column. */
    CsvQuery ofRows(String column) {
        return new CsvQuery(
                List.of(column),
                where,
                List.of(),
                Long.MAX_VALUE,
                CsvProfile.RFC4180,
                Distinct.ESTIMATE,
                null,
                ExportFormat.CSV);
    }

    /** This query, rewritten for the table of groups. It has neither a limit nor a condition on the rows to group. */
    CsvQuery ofGroups() {
        return new CsvQuery(columns, "", orderBy, Long.MAX_VALUE, profile, distinct, grouping, format);
    }

    /** The name of the parameter with the condition on written rows. */
    public String conditionName() {
        return grouping == null ? "where" : "having";
    }

    /** Number of characters of all conditions. */
    public int conditionLength() {
        return where.length() + (grouping == null ? 0 : grouping.having.length());
    }

    /**
     * The condition on the rows to write; with a grouping, the condition on the groups. Empty when every row or group
     * is written.
     */
    public String condition() {
        return grouping == null ? where : grouping.having;
    }

    /**
     * This query without its limit and its range of windows. Programs are compiled for such a query, because a program
     * contains neither the limit nor the windows.
     */
    public CsvQuery withoutLimit() {
        return limit == Long.MAX_VALUE && windows.isAll()
                ? this
                : new CsvQuery(columns, where, orderBy, Long.MAX_VALUE, profile, distinct, grouping, format);
    }

    /**
     * Reads the {@link #PARAMETERS} that are present. The values come from a URL, already percent-decoded: {@code
     * columns=a,b}, {@code where=a > 1}, {@code order_by=a desc,b}, {@code limit=10}, {@code profile=excel}, {@code
     * distinct=both}, {@code by=a,b}, {@code every=1h}, {@code having=n > 1}, {@code format=ndjson}, {@code
     * from=2026-11-20T00:00:00Z}, {@code until=2026-11-21}, {@code closed=only}. Names with commas or spaces stand in
     * backquotes.
     *
     * @throws CsvQueryException when a parameter is malformed or too long
     */
    public static CsvQuery parse(Map<String, String> parameters) throws CsvQueryException {
        ExportFormat format = word("format", parameters.get("format"), ExportFormat.values(), ExportFormat.CSV);
        String profile = parameters.get("profile");
        if (format != ExportFormat.CSV && profile != null) {
            throw CsvQueryException.invalid("profile=" + shown(profile)
                    + ": a profile is a dialect of CSV; with format=" + format.word() + " there is none");
        }
        return new CsvQuery(
                names("columns", parameters.get("columns")),
                condition("where", parameters.get("where")),
                orderBy(parameters.get("order_by")),
                limit(parameters.get("limit")),
                word("profile", profile, CsvProfile.values(), CsvProfile.RFC4180),
                word("distinct", parameters.get("distinct"), Distinct.values(), Distinct.ESTIMATE),
                grouping(parameters.get("by"), parameters.get("every"), parameters.get("having")),
                format,
                windows(parameters.get("from"), parameters.get("until"), parameters.get("closed")));
    }

    private static WindowRange windows(@Nullable String from, @Nullable String until, @Nullable String closed)
            throws CsvQueryException {
        WindowRange range = new WindowRange(
                from == null ? Long.MIN_VALUE : time("from", from),
                until == null ? Long.MAX_VALUE : time("until", until),
                word("closed", closed, WindowRange.Closed.values(), WindowRange.Closed.YES));
        if (from != null && until != null && range.from() > range.until()) {
            throw CsvQueryException.invalid("from=" + shown(from) + " is after until=" + shown(until)
                    + ": windows start at from or later, and before until");
        }
        return range;
    }

    private static List<String> names(String parameter, @Nullable String text) throws CsvQueryException {
        if (text == null) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        for (String item : items(parameter, text, COLUMNS_MAX)) {
            String name = unquoted(item);
            if (name.isEmpty()) {
                throw CsvQueryException.invalid(
                        parameter + "=" + shown(text) + ": a name is missing; as in " + parameter + "=a,b");
            }
            names.add(name);
        }
        return names;
    }

    private static @Nullable Grouping grouping(@Nullable String by, @Nullable String every, @Nullable String having)
            throws CsvQueryException {
        if (by != null || every != null) {
            return new Grouping(
                    by == null || by.isBlank() ? List.of() : names("by", by),
                    condition("having", having),
                    every == null ? null : every(every.strip()));
        }
        if (having != null) {
            throw CsvQueryException.invalid(
                    "having is a condition on groups, and needs by= or every=; use where= for rows");
        }
        return null;
    }

    private static Every every(String text) throws CsvQueryException {
        Matcher width = EVERY.matcher(text);
        if (width.matches()) {
            int count = Integer.parseInt(width.group(1));
            for (CalendarUnit unit : CalendarUnit.values()) {
                if (unit != CalendarUnit.MILLISECOND && unit.suffix().equals(width.group(2)) && count > 0) {
                    return new Every(count, unit);
                }
            }
        }
        throw CsvQueryException.invalid(
                "every=" + shown(text) + ": a number and a unit, s, m, h, d, w, mo or y; as in every=1h");
    }

    /**
     * Reads a time of a window, in µs since the epoch.
     *
     * @param parameter name of the parameter, for the message
     */
    public static long time(String parameter, String text) throws CsvQueryException {
        long time = time(text);
        if (time == TimestampText.INVALID) {
            boolean isPlusLost = time(text.strip().replace(' ', '+')) != TimestampText.INVALID;
            throw CsvQueryException.invalid(parameter + "=" + shown(text)
                    + ": a time in ISO 8601, which is UTC unless it has an offset; as in " + parameter
                    + "=2026-11-20T00:00:00Z"
                    + (isPlusLost ? ". In a URL, write %2B for +, which stands for a space" : ""));
        }
        return time;
    }

    private static long time(String text) {
        return TimestampText.parse(text.strip());
    }

    private static String condition(String parameter, @Nullable String text) throws CsvQueryException {
        if (text == null) {
            return "";
        }
        if (text.length() > WHERE_CHARS_MAX) {
            throw CsvQueryException.invalid(
                    parameter + ": " + text.length() + " characters; at most " + WHERE_CHARS_MAX);
        }
        if (text.isBlank()) {
            throw CsvQueryException.invalid(
                    parameter + ": the condition is missing; as in " + parameter + "=clicks > 10");
        }
        return text.strip();
    }

    private static List<Order> orderBy(@Nullable String text) throws CsvQueryException {
        if (text == null) {
            return List.of();
        }
        List<Order> order = new ArrayList<>();
        for (String item : items("order_by", text, ORDER_MAX)) {
            int end = item.startsWith("`") ? item.indexOf(QUOTE, 1) + 1 : item.indexOf(' ');
            String name = unquoted(end > 0 ? item.substring(0, end) : item);
            String direction = end > 0 ? item.substring(end).strip().toLowerCase(Locale.ROOT) : "";
            boolean known = direction.isEmpty() || direction.equals("asc") || direction.equals("desc");
            if (name.isEmpty() || !known) {
                throw CsvQueryException.invalid("order_by=" + shown(text)
                        + ": each column is followed by `asc`, `desc` or nothing; as in order_by=clicks desc,name");
            }
            order.add(new Order(name, direction.equals("desc")));
        }
        return order;
    }

    private static long limit(@Nullable String text) throws CsvQueryException {
        if (text == null) {
            return Long.MAX_VALUE;
        }
        try {
            long limit = Long.parseLong(text.strip());
            if (limit >= 0) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw CsvQueryException.invalid("limit=" + shown(text) + ": a number of rows, from 0 to " + Long.MAX_VALUE);
    }

    private static <E extends Enum<E>> E word(String parameter, @Nullable String text, E[] values, E otherwise)
            throws CsvQueryException {
        if (text == null) {
            return otherwise;
        }
        for (E value : values) {
            if (value.name().equalsIgnoreCase(text.strip())) {
                return value;
            }
        }
        throw CsvQueryException.invalid(parameter + "=" + shown(text) + ": there are "
                + Arrays.stream(values)
                        .map(value -> value.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", ")));
    }

    /** Splits a text at commas outside backquotes. Returns the items without surrounding spaces. */
    private static List<String> items(String parameter, String text, int max) throws CsvQueryException {
        List<String> items = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            if (c == QUOTE) {
                quoted = !quoted;
            } else if (i == text.length() || (c == ',' && !quoted)) {
                if (items.size() == max) {
                    throw CsvQueryException.invalid(parameter + ": too many columns; at most " + max);
                }
                items.add(text.substring(from, i).strip());
                from = i + 1;
            }
        }
        if (quoted) {
            throw CsvQueryException.invalid(parameter + "=" + shown(text) + ": a closing backquote is missing");
        }
        return items;
    }

    private static String unquoted(String name) {
        boolean quoted = name.length() >= 2 && name.charAt(0) == QUOTE && name.charAt(name.length() - 1) == QUOTE;
        return quoted ? name.substring(1, name.length() - 1) : name;
    }

    /** The text of a parameter for an error message; a long text is cut off. */
    private static String shown(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }
}
