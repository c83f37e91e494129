package io.summarizer.core.evolve;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where the tables and columns of summaries go in those of perhaps other definitions: of a state file, or of a pipeline
 * whose definitions are replaced. Top-level summaries are found by name, all else by field number: a renamed field keeps
 * its data, an added one starts empty, a removed one is left out.
 *
 * <p>A key must have the same columns, in whatever order. Types may differ as far as every value can be held exactly:
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
 * <p>Immutable.
 */
public final class LayoutMatch {
    private final List<SummaryLayout> from;
    /** Of each of these summaries. */
    private final long[] rows;

    private final List<SummaryLayout> to;
    /** Where the summaries are that are matched: "in the file". */
    private final String place;

    private final List<List<@Nullable TableMatch>> tables = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /** What becomes of a summary that is defined. */
    public enum Outcome {
        /** There was none of this name: it starts empty. */
        NEW,
        /** Its rows stay as they are, though names may be others. */
        KEPT,
        /** Its rows are laid out anew: fields were added, removed, moved or made wider. */
        REBUILT
    }

    /** What becomes of a summary, nested summary or field. */
    public enum Kind {
        /** It starts empty. */
        NEW,
        /** It has another name, and keeps its data. */
        RENAMED,
        /** It has another type, and keeps its data. */
        CONVERTED,
        /** It is not defined any more; its data go. */
        LEFT_OUT,
        /** It cannot become what the definitions want. */
        REFUSED
    }

    /**
     * A difference.
     *
     * @param table the summary that it is of: names from the top-level one on, with slashes
     * @param what in words; of the table as a whole, or of a field that it names
     */
    public record Change(Kind kind, String table, boolean ofField, String what) {
        /** The summary at the top. */
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
     * Where the rows of a table go.
     *
     * @param summary number of the top-level summary
     * @param path positions of nested summaries below it
     * @param keys for each key column there, which one of the source it is
     * @param values for each value column of the source, which one it is there, or -1
     */
    record TableMatch(SummaryLayout target, int summary, List<Integer> path, List<Integer> keys, List<Integer> values) {
        TableMatch {
            path = List.copyOf(path);
            keys = List.copyOf(keys);
            values = List.copyOf(values);
        }
    }

    private LayoutMatch(List<SummaryLayout> from, IntToLongFunction rows, List<SummaryLayout> to, String place) {
        this.from = List.copyOf(from);
        this.rows = IntStream.range(0, from.size()).mapToLong(rows).toArray();
        this.to = List.copyOf(to);
        this.place = place;
    }

    /**
     * Matches all summaries. Whether they go together is then to be asked: {@link #refusals}.
     *
     * @param rows of the summary at each position of {@code from}, nested rows not counted
     * @param place where {@code from} is, for people: "in the file"
     */
    public static LayoutMatch of(
            List<SummaryLayout> from, IntToLongFunction rows, List<SummaryLayout> to, String place) {
        LayoutMatch match = new LayoutMatch(from, rows, to, place);
        for (SummaryLayout layout : from) {
            List<Table> tables = Table.of(layout);
            @Nullable TableMatch[] found = new TableMatch[tables.size()];
            int summary = named(to, layout.name());
            if (summary < 0) {
                match.leftOut(layout.name(), false, "is not defined any more; its rows are left out");
            } else {
                match.table(tables, 0, to.get(summary), summary, List.of(), found);
            }
            match.tables.add(Arrays.asList(found));
        }
        for (SummaryLayout layout : to) {
            if (named(from, layout.name()) < 0) {
                match.changes.add(new Change(Kind.NEW, layout.name(), false, "is new and starts empty"));
            }
        }
        return match;
    }

    /** The summaries that there were. */
    public List<SummaryLayout> from() {
        return from;
    }

    /** Rows that the summary {@code name} had when this was made; 0 when there was none of that name. */
    public long rows(String name) {
        int summary = named(from, name);
        return summary < 0 ? 0 : rows[summary];
    }

    /** The summaries that are defined. */
    public List<SummaryLayout> to() {
        return to;
    }

    /** All differences, in the order of the summaries that there were; then new summaries. */
    public List<Change> changes() {
        return List.copyOf(changes);
    }

    /** What does not go together, in words; nothing may be done when there is any. */
    public List<String> refusals() {
        List<String> refusals = texts(Kind.REFUSED);
        return refusals.isEmpty() && isDisjoint()
                ? List.of("none of the summaries " + place + " is defined: there " + (from.size() == 1 ? "is " : "are ")
                        + names(from) + "; defined " + (to.size() == 1 ? "is " : "are ")
                        + (to.isEmpty() ? "none at all" : names(to)))
                : refusals;
    }

    /** Whether there are rows, and none of the summaries is defined: hardly what anybody wants. */
    private boolean isDisjoint() {
        return Arrays.stream(rows).anyMatch(count -> count > 0)
                && from.stream().noneMatch(layout -> named(to, layout.name()) >= 0);
    }

    /** What was left out, in words. */
    public List<String> leftOut() {
        return texts(Kind.LEFT_OUT);
    }

    private List<String> texts(Kind kind) {
        return changes.stream()
                .filter(change -> change.kind() == kind)
                .map(Change::toString)
                .toList();
    }

    /** Which summary of those that there were the defined one {@code summary} is, or -1. */
    public int source(int summary) {
        return named(from, to.get(summary).name());
    }

    /** Which defined summary the one {@code summary} of those that there were is, or -1. */
    public int target(int summary) {
        return named(to, from.get(summary).name());
    }

    /** What becomes of the defined summary {@code summary}. */
    public Outcome outcome(int summary) {
        int source = source(summary);
        return source < 0
                ? Outcome.NEW
                : haveSameRows(from.get(source), to.get(summary)) ? Outcome.KEPT : Outcome.REBUILT;
    }

    /** Whether rows of the one are rows of the other, byte for byte. */
    private static boolean haveSameRows(SummaryLayout a, SummaryLayout b) {
        return a.number() == b.number()
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

    private static <T> boolean all(List<T> a, List<T> b, BiPredicate<T, T> test) {
        return a.size() == b.size() && IntStream.range(0, a.size()).allMatch(i -> test.test(a.get(i), b.get(i)));
    }

    /** Where table {@code table} of summary {@code summary} of the file goes; null: nowhere. */
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

    private static int named(List<SummaryLayout> layouts, String name) {
        for (int i = 0; i < layouts.size(); i++) {
            if (layouts.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private static String names(List<SummaryLayout> layouts) {
        return layouts.stream().map(SummaryLayout::name).collect(Collectors.joining(", "));
    }

    private static int keyNumbered(SummaryLayout layout, int number) {
        for (int i = 0; i < layout.keys().size(); i++) {
            if (layout.keys().get(i).number() == number) {
                return i;
            }
        }
        return -1;
    }

    private static int valueNumbered(SummaryLayout layout, int number) {
        for (int i = 0; i < layout.values().size(); i++) {
            if (layout.values().get(i).number() == number) {
                return i;
            }
        }
        return -1;
    }

    private static int nestedNumbered(SummaryLayout layout, int number) {
        for (int i = 0; i < layout.nested().size(); i++) {
            if (layout.nested().get(i).number() == number) {
                return i;
            }
        }
        return -1;
    }

    private static List<Integer> append(List<Integer> list, int last) {
        List<Integer> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }
}
