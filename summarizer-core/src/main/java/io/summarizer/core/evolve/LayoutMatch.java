package io.summarizer.core.evolve;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Matches former summaries to the summaries of other definitions. The former summaries are in a state file, or in a
 * pipeline whose definitions are replaced. Top-level summaries are matched by name. Nested summaries and columns are
 * matched by field number. So a renamed field keeps its data, an added field starts empty, and a removed field is left
 * out.
 *
 * <p>A key must have the same columns, in any order. A type may change if the new type holds every value exactly:
 *
 * <table>
 *   <caption>Types that convert</caption>
 *   <tr><th>before</th><th>in the definitions</th></tr>
 *   <tr><td>key: int32</td><td>int64</td></tr>
 *   <tr><td>key: uint32</td><td>int64, uint64</td></tr>
 *   <tr><td>sumint32, sumint64, count</td><td>sumint32, sumint64</td></tr>
 *   <tr><td>sumfloat, sumdouble</td><td>sumfloat, sumdouble</td></tr>
 *   <tr><td>multiset64</td><td>multiset64 of the same or smaller log2m and regwidth</td></tr>
 * </table>
 *
 * <p>Each row contains the start of its window. So the length, unit and zone of windows must not change while there are
 * rows or files of closed windows. The settings for when windows close, and how long they are kept, may change.
 *
 * <p>Immutable.
 *
 * <p>This class has more than 500 lines, because the rules for keys, columns and nested summaries form one set of
 * rules, which says what may change.
 */
public final class LayoutMatch {
    private final List<SummaryLayout> from;
    /** Number of rows of each table of {@link #from}, at the time of the match. */
    private final long[][] rows;
    /** For each summary of {@link #from}, whether there are files of closed windows, at the time of the match. */
    private final boolean[] files;

    private final List<SummaryLayout> to;
    /** A phrase that messages use for the place of the former summaries, such as "in the file". */
    private final String place;

    private final List<List<@Nullable TableMatch>> tables = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /** The numbers of rows of former summaries. */
    @FunctionalInterface
    public interface RowCounts {
        /**
         * The number of rows of a former summary, or of a summary nested in it. For a nested summary, the number
         * includes the rows under all parent rows.
         *
         * @param path positions of nested summaries, from the outermost on; empty for the summary itself
         */
        long of(int summary, List<Integer> path);

        /** Whether a former summary has closed windows in files. */
        default boolean hasFiles(int summary) {
            return false;
        }
    }

    /** The outcome of the match for a defined summary. */
    public enum Outcome {
        /** The summary starts empty, because no former summary has its name. */
        NEW,
        /** The rows stay unchanged; names may change. */
        KEPT,
        /** The layout of the rows changes, because fields were added, removed, moved or made wider. */
        REBUILT
    }

    /** The kind of change of a summary, nested summary or field. */
    public enum Kind {
        /** It is new and starts empty. */
        NEW,
        /** It has another name, and keeps its data. */
        RENAMED,
        /** It has another type, and keeps its data. */
        CONVERTED,
        /** It is no longer defined, and its data are dropped. */
        LEFT_OUT,
        /** It cannot be converted to the definitions. */
        REFUSED
    }

    /**
     * A difference.
     *
     * @param table path of the table: names from the top-level summary on, separated by slashes
     * @param what a description of the difference in the table, or in one of its fields
     */
    public record Change(Kind kind, String table, boolean ofField, String what) {
        /** The top-level summary. */
        public String summary() {
            int slash = table.indexOf('/');
            return slash < 0 ? table : table.substring(0, slash);
        }

        @Override
        public String toString() {
            return (ofField ? table + ": " : table.contains("/") ? table + " " : "summary " + table + " ") + what;
        }
    }

    /**
     * The destination of the rows of a former table.
     *
     * @param summary number of the top-level summary
     * @param path positions of nested summaries below it
     * @param keys for each key column of the destination, the position of this column in the source
     * @param values for each value column of the source, the position of this column in the destination, or -1
     */
    record TableMatch(SummaryLayout target, int summary, List<Integer> path, List<Integer> keys, List<Integer> values) {
        TableMatch {
            path = List.copyOf(path);
            keys = List.copyOf(keys);
            values = List.copyOf(values);
        }
    }

    private LayoutMatch(List<SummaryLayout> from, RowCounts rows, List<SummaryLayout> to, String place) {
        this.from = List.copyOf(from);
        this.rows = IntStream.range(0, from.size())
                .mapToObj(summary -> Table.of(from.get(summary)).stream()
                        .mapToLong(table -> rows.of(summary, table.positions()))
                        .toArray())
                .toArray(long[][]::new);
        files = new boolean[from.size()];
        for (int summary = 0; summary < files.length; summary++) {
            files[summary] = rows.hasFiles(summary);
        }
        this.to = List.copyOf(to);
        this.place = place;
    }

    /**
     * Matches all summaries. Callers then check {@link #refusals}.
     *
     * @param rows the numbers of rows of the summaries in {@code from} and of their nested summaries
     * @param place a phrase that messages use for the place of {@code from}, such as "in the file"
     */
    public static LayoutMatch of(List<SummaryLayout> from, RowCounts rows, List<SummaryLayout> to, String place) {
        LayoutMatch match = new LayoutMatch(from, rows, to, place);
        for (SummaryLayout layout : from) {
            List<Table> tables = Table.of(layout);
            @Nullable TableMatch[] found = new TableMatch[tables.size()];
            int summary = SummaryLayout.indexOf(to, layout.name());
            if (summary < 0) {
                match.leftOut(layout.name(), false, "is not defined any more; its rows are left out");
            } else {
                match.windows(match.tables.size(), to.get(summary));
                match.table(tables, 0, to.get(summary), summary, List.of(), found);
            }
            match.tables.add(Arrays.asList(found));
        }
        for (SummaryLayout layout : to) {
            if (SummaryLayout.indexOf(from, layout.name()) < 0) {
                match.changes.add(new Change(Kind.NEW, layout.name(), false, "is new and starts empty"));
            }
        }
        return match;
    }

    /** The former summaries. */
    public List<SummaryLayout> from() {
        return from;
    }

    /** Number of rows of the former summary {@code name}, without nested rows; 0 when there was no such summary. */
    public long rows(String name) {
        int summary = SummaryLayout.indexOf(from, name);
        return summary < 0 ? 0 : rows[summary][0];
    }

    /**
     * Number of former rows that a table of the defined summary {@code summary} takes over.
     *
     * @param path positions of the defined nested summaries, from the outermost on; empty for the summary itself
     */
    public long rows(int summary, List<Integer> path) {
        int source = source(summary);
        if (source < 0) {
            return 0;
        }
        return IntStream.range(0, rows[source].length)
                .filter(table -> isAt(table(source, table), path))
                .mapToLong(table -> rows[source][table])
                .sum();
    }

    /**
     * Whether the rows of table {@code table} of a former summary go to the table with the path {@code path} in the
     * defined summary.
     *
     * @param table number of the former table, see {@link Table}
     * @param path positions of the defined nested summaries, from the outermost on; empty for the summary itself
     */
    public boolean isInto(int summary, int table, List<Integer> path) {
        return isAt(table(summary, table), path);
    }

    private static boolean isAt(@Nullable TableMatch table, List<Integer> path) {
        return table != null && table.path().equals(path);
    }

    /** The defined summaries. */
    public List<SummaryLayout> to() {
        return to;
    }

    /**
     * All differences: first the differences of the former summaries, in the order of these summaries, then the new
     * summaries.
     */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /** The incompatible changes, as text. If there are any, the definitions must not be applied. */
    public List<String> refusals() {
        List<String> refusals = texts(Kind.REFUSED);
        return refusals.isEmpty() && isDisjoint()
                ? List.of("none of the summaries " + place + " is defined: there " + (from.size() == 1 ? "is " : "are ")
                        + names(from) + "; defined " + (to.size() == 1 ? "is " : "are ")
                        + (to.isEmpty() ? "none at all" : names(to)))
                : refusals;
    }

    /** Whether there are rows, but no former summary is defined any more. This is probably a mistake. */
    private boolean isDisjoint() {
        return Arrays.stream(rows).anyMatch(tables -> tables[0] > 0)
                && from.stream().noneMatch(layout -> SummaryLayout.indexOf(to, layout.name()) >= 0);
    }

    /** Data that are left out, as text. */
    public List<String> leftOut() {
        return texts(Kind.LEFT_OUT);
    }

    private List<String> texts(Kind kind) {
        return changes.stream()
                .filter(change -> change.kind() == kind)
                .map(Change::toString)
                .toList();
    }

    /** The position of the defined summary {@code summary} among the former summaries, or -1. */
    public int source(int summary) {
        return SummaryLayout.indexOf(from, to.get(summary).name());
    }

    /** The position of the former summary {@code summary} among the defined summaries, or -1. */
    public int target(int summary) {
        return SummaryLayout.indexOf(to, from.get(summary).name());
    }

    /** The outcome for the defined summary {@code summary}. */
    public Outcome outcome(int summary) {
        int source = source(summary);
        return source < 0
                ? Outcome.NEW
                : haveSameRows(from.get(source), to.get(summary)) ? Outcome.KEPT : Outcome.REBUILT;
    }

    /** Whether the windows of a summary change. The match allows such a change only if the summary has no rows. */
    public boolean changesWindows() {
        return IntStream.range(0, to.size())
                .anyMatch(summary ->
                        source(summary) >= 0 && !haveSameWindows(from.get(source(summary)), to.get(summary)));
    }

    /** Whether the limit of a summary changes, or that of a summary nested in it. */
    public boolean changesLimits() {
        return IntStream.range(0, to.size())
                .anyMatch(summary -> source(summary) >= 0
                        && !limits(from.get(source(summary))).equals(limits(to.get(summary))));
    }

    private static List<SummaryLimit> limits(SummaryLayout layout) {
        return Stream.concat(
                        Stream.of(layout.limit()), layout.nested().stream().flatMap(nested -> limits(nested).stream()))
                .toList();
    }

    /** Whether the rows of both summaries have the same encoding and are in the same windows. */
    private static boolean haveSameRows(SummaryLayout a, SummaryLayout b) {
        return a.number() == b.number()
                && haveSameWindows(a, b)
                && all(a.keys(), b.keys(), (x, y) -> x.number() == y.number() && x.type() == y.type())
                && all(
                        a.values(),
                        b.values(),
                        (x, y) -> x.number() == y.number()
                                && x.type() == y.type()
                                && x.log2m() == y.log2m()
                                && x.regwidth() == y.regwidth())
                && all(a.nested(), b.nested(), LayoutMatch::haveSameRows);
    }

    /** Whether both summaries have windows of the same width and zone, by the same key field, or none. */
    public static boolean haveSameWindows(SummaryLayout a, SummaryLayout b) {
        SummaryWindow before = a.window();
        SummaryWindow after = b.window();
        if (before == null || after == null) {
            return before == null && after == null;
        }
        return before.isSameCalendar(after)
                && a.keys().get(before.column()).number()
                        == b.keys().get(after.column()).number();
    }

    private static <T> boolean all(List<T> a, List<T> b, BiPredicate<T, T> test) {
        return a.size() == b.size() && IntStream.range(0, a.size()).allMatch(i -> test.test(a.get(i), b.get(i)));
    }

    /** The destination of table {@code table} of summary {@code summary}; null when the table has no destination. */
    @Nullable
    TableMatch table(int summary, int table) {
        return tables.get(summary).get(table);
    }

    private void leftOut(String table, boolean ofField, String what) {
        changes.add(new Change(Kind.LEFT_OUT, table, ofField, what));
    }

    private void refused(String table, String what) {
        changes.add(new Change(Kind.REFUSED, table, true, what));
    }

    private void windows(int source, SummaryLayout target) {
        SummaryLayout former = from.get(source);
        if (haveSameWindows(former, target)) {
            return;
        }
        boolean hasRows = rows[source][0] > 0;
        String windows =
                "windows are " + windows(former) + " " + place + " and " + windows(target) + " in the definitions";
        if (hasRows || files[source]) {
            refused(
                    target.name(),
                    windows + "; they cannot change while there are "
                            + (!files[source] ? "rows" : (hasRows ? "rows and " : "") + "files of closed windows"));
        } else {
            changes.add(new Change(Kind.CONVERTED, target.name(), true, windows));
        }
    }

    /** The windows of a summary as text: the width, the zone unless it is UTC, and the key column. */
    private static String windows(SummaryLayout layout) {
        SummaryWindow window = layout.window();
        return window == null
                ? "none"
                : window.every() + window.unit().suffix()
                        + (window.zone().equals(ZoneOffset.UTC) ? "" : " in zone " + window.zone()) + " by "
                        + layout.keys().get(window.column()).name();
    }

    private void table(
            List<Table> tables,
            int number,
            SummaryLayout target,
            int summary,
            List<Integer> path,
            @Nullable TableMatch[] found) {
        Table table = tables.get(number);
        found[number] = new TableMatch(target, summary, path, keys(table, target), values(table, target));
        for (int child = number + 1; child < tables.size(); child++) {
            Table nested = tables.get(child);
            if (nested.parent() != number) {
                continue;
            }
            int field = nested.layout().number();
            int position = nestedNumbered(target, field);
            if (position >= 0) {
                SummaryLayout below = target.nested().get(position);
                if (!below.name().equals(nested.layout().name())) {
                    changes.add(new Change(Kind.RENAMED, nested.path(), false, "is called " + below.name() + " now"));
                }
                table(tables, child, below, summary, append(path, position), found);
            } else if (valueNumbered(target, field) >= 0) {
                refused(
                        table.path(),
                        "field " + field + " is the nested summary "
                                + nested.layout().name() + " " + place + " and a value in the definitions");
            } else {
                leftOut(nested.path(), false, "is not defined any more; its rows are left out");
            }
        }
        for (SummaryLayout below : target.nested()) {
            if (nestedNumbered(table.layout(), below.number()) < 0
                    && valueNumbered(table.layout(), below.number()) < 0) {
                changes.add(new Change(Kind.NEW, table.path() + "/" + below.name(), false, "is new and starts empty"));
            }
        }
    }

    private List<Integer> keys(Table table, SummaryLayout target) {
        List<KeyColumn> from = table.layout().keys();
        List<Integer> keys = new ArrayList<>();
        for (KeyColumn to : target.keys()) {
            int column = keyNumbered(table.layout(), to.number());
            keys.add(column);
            String name = "key column " + to.number() + " (" + to.name() + ")";
            if (column < 0) {
                refused(table.path(), name + " is not " + place + "; the columns of a key cannot change");
                continue;
            }
            KeyColumn before = from.get(column);
            if (!widens(before.type(), to.type())) {
                refused(
                        table.path(),
                        name + " is " + before.type().keyword() + " " + place + " and "
                                + to.type().keyword()
                                + " in the definitions; keys of the one cannot become keys of the other");
            } else if (before.type() != to.type()) {
                converted(table.path(), name, before.type().keyword(), to.type().keyword());
            }
            renamed(table.path(), "key column " + to.number(), before.name(), to.name());
        }
        for (KeyColumn column : from) {
            if (keyNumbered(target, column.number()) < 0) {
                refused(
                        table.path(),
                        "key column " + column.number() + " (" + column.name()
                                + ") is not in the definitions any more; the columns of a key cannot change");
            }
        }
        return keys;
    }

    private List<Integer> values(Table table, SummaryLayout target) {
        List<Integer> values = new ArrayList<>();
        for (ValueColumn from : table.layout().values()) {
            int column = valueNumbered(target, from.number());
            values.add(column);
            if (column >= 0) {
                value(table, from, target.values().get(column));
            } else if (nestedNumbered(target, from.number()) >= 0) {
                refused(
                        table.path(),
                        "field " + from.number() + " is the value " + from.name() + " " + place
                                + " and a nested summary in the definitions");
            } else {
                leftOut(
                        table.path(),
                        true,
                        "field " + from.number() + " (" + from.name()
                                + ") is not defined any more; its values are left out");
            }
        }
        for (ValueColumn to : target.values()) {
            if (valueNumbered(table.layout(), to.number()) < 0 && nestedNumbered(table.layout(), to.number()) < 0) {
                changes.add(new Change(
                        Kind.NEW,
                        table.path(),
                        true,
                        "field " + to.number() + " (" + to.name() + ") is new and starts empty"));
            }
        }
        return values;
    }

    private void value(Table table, ValueColumn from, ValueColumn to) {
        String name = "field " + to.number() + " (" + to.name() + ")";
        if (!converts(from, to)) {
            refused(
                    table.path(),
                    name + " is " + type(from) + " " + place + " and " + type(to)
                            + " in the definitions; what the one holds cannot become what the other holds");
        } else if (!type(from).equals(type(to))) {
            converted(table.path(), name, type(from), type(to));
        }
        renamed(table.path(), "field " + to.number(), from.name(), to.name());
    }

    private void converted(String table, String field, String from, String to) {
        changes.add(new Change(
                Kind.CONVERTED, table, true, field + " becomes " + to + " of " + from + " and keeps its data"));
    }

    private void renamed(String table, String field, String from, String to) {
        if (!from.equals(to)) {
            changes.add(new Change(
                    Kind.RENAMED,
                    table,
                    true,
                    field + " is renamed from " + from + " to " + to + " and keeps its data"));
        }
    }

    static boolean widens(KeyType from, KeyType to) {
        return from == to
                || (to == KeyType.INT64 && (from == KeyType.INT32 || from == KeyType.UINT32))
                || (to == KeyType.UINT64 && from == KeyType.UINT32);
    }

    static boolean converts(ValueColumn from, ValueColumn to) {
        return switch (from.type()) {
            case SUMINT32, SUMINT64 -> to.type() == AggregateType.SUMINT32 || to.type() == AggregateType.SUMINT64;
            case COUNT ->
                to.type() == AggregateType.COUNT
                        || to.type() == AggregateType.SUMINT32
                        || to.type() == AggregateType.SUMINT64;
            case SUMFLOAT, SUMDOUBLE -> to.type() == AggregateType.SUMFLOAT || to.type() == AggregateType.SUMDOUBLE;
            case MULTISET64 ->
                to.type() == AggregateType.MULTISET64 && to.log2m() <= from.log2m() && to.regwidth() <= from.regwidth();
            default -> from.type() == to.type();
        };
    }

    private static String type(ValueColumn column) {
        return column.type() == AggregateType.MULTISET64
                ? "multiset64(log2m=" + column.log2m() + ", regwidth=" + column.regwidth() + ")"
                : column.type().keyword();
    }

    /** The position of the first element that fits, or -1. */
    private static <T> int position(List<T> list, Predicate<T> fits) {
        return IntStream.range(0, list.size())
                .filter(i -> fits.test(list.get(i)))
                .findFirst()
                .orElse(-1);
    }

    private static String names(List<SummaryLayout> layouts) {
        return layouts.stream().map(SummaryLayout::name).collect(Collectors.joining(", "));
    }

    private static int keyNumbered(SummaryLayout layout, int number) {
        return position(layout.keys(), key -> key.number() == number);
    }

    private static int valueNumbered(SummaryLayout layout, int number) {
        return position(layout.values(), value -> value.number() == number);
    }

    private static int nestedNumbered(SummaryLayout layout, int number) {
        return position(layout.nested(), nested -> nested.number() == number);
    }

    private static List<Integer> append(List<Integer> list, int last) {
        List<Integer> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }
}
