package io.summarizer.core.state;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the tables and columns of a file go in summaries of perhaps other definitions. Top-level summaries are found by
 * name, all else by field number: a renamed field keeps its data, an added one starts empty, a removed one is left out.
 *
 * <p>A key must have the same columns, in whatever order. Types may differ as far as every value can be held exactly:
 *
 * <table>
 *   <caption>Types that convert</caption>
 *   <tr><th>in the file</th><th>in the definitions</th></tr>
 *   <tr><td>key: int32</td><td>int64</td></tr>
 *   <tr><td>key: uint32</td><td>int64, uint64</td></tr>
 *   <tr><td>sumint32, sumint64, count</td><td>sumint32, sumint64</td></tr>
 *   <tr><td>sumfloat, sumdouble</td><td>sumfloat, sumdouble</td></tr>
 *   <tr><td>multiset64</td><td>multiset64 of the same or smaller log2m and regwidth</td></tr>
 * </table>
 *
 * <p>Immutable.
 */
final class LayoutMatch {
    private final List<List<@Nullable TableMatch>> tables = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /**
     * Where the rows of a table go.
     *
     * @param summary number of the top-level summary
     * @param path positions of nested summaries below it
     * @param keys for each key column there, which one of the file it is
     * @param values for each value column of the file, which one it is there, or -1
     */
    record TableMatch(SummaryLayout target, int summary, List<Integer> path, List<Integer> keys, List<Integer> values) {
        TableMatch {
            path = List.copyOf(path);
            keys = List.copyOf(keys);
            values = List.copyOf(values);
        }
    }

    private LayoutMatch() {}

    /**
     * Matches all layouts of a file.
     *
     * @throws StateException when something does not go together, of which it has all, or no summary is in both
     */
    static LayoutMatch of(String file, List<SummaryLayout> from, List<SummaryLayout> to) throws StateException {
        LayoutMatch match = new LayoutMatch();
        for (SummaryLayout layout : from) {
            List<Table> tables = Table.of(layout);
            @Nullable TableMatch[] found = new TableMatch[tables.size()];
            int summary = named(to, layout.name());
            if (summary < 0) {
                match.notes.add("summary " + layout.name() + " is not defined any more; its rows are left out");
            } else {
                match.table(tables, 0, to.get(summary), summary, List.of(), found);
            }
            match.tables.add(Arrays.asList(found));
        }
        if (!from.isEmpty() && from.stream().noneMatch(layout -> named(to, layout.name()) >= 0)) {
            throw new StateException(file + ": has none of the summaries of these definitions: it has " + names(from)
                    + "; they have " + (to.isEmpty() ? "none at all" : names(to)));
        }
        if (!match.problems.isEmpty()) {
            throw new StateException(
                    file + ": does not go together with these definitions:\n  "
                            + String.join("\n  ", match.problems)
                            + "\nload it with the definitions that it was made with, or give what changed a new name or number");
        }
        return match;
    }

    /** Where table {@code table} of summary {@code summary} of the file goes; null: nowhere. */
    @Nullable
    TableMatch table(int summary, int table) {
        return tables.get(summary).get(table);
    }

    /** What was left out. */
    List<String> notes() {
        return List.copyOf(notes);
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
                table(tables, child, target.nested().get(position), summary, append(path, position), found);
            } else if (valueNumbered(target, field) >= 0) {
                problems.add(table.path() + ": field " + field + " is the nested summary "
                        + nested.layout().name() + " in the file and a value in the definitions");
            } else {
                notes.add(nested.path() + " is not defined any more; its rows are left out");
            }
        }
    }

    private List<Integer> keys(Table table, SummaryLayout target) {
        List<KeyColumn> from = table.layout().keys();
        List<Integer> keys = new ArrayList<>();
        for (KeyColumn to : target.keys()) {
            int column = keyNumbered(table.layout(), to.number());
            if (column < 0) {
                problems.add(table.path() + ": key column " + to.number() + " (" + to.name()
                        + ") is not in the file; the columns of a key cannot change");
            } else if (!widens(from.get(column).type(), to.type())) {
                problems.add(table.path() + ": key column " + to.number() + " (" + to.name() + ") is "
                        + from.get(column).type().keyword() + " in the file and "
                        + to.type().keyword() + " in the definitions; keys of the one cannot become keys of the other");
            }
            keys.add(column);
        }
        for (KeyColumn column : from) {
            if (keyNumbered(target, column.number()) < 0) {
                problems.add(table.path() + ": key column " + column.number() + " (" + column.name()
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
            if (column < 0 && nestedNumbered(target, from.number()) >= 0) {
                problems.add(table.path() + ": field " + from.number() + " is the value " + from.name()
                        + " in the file and a nested summary in the definitions");
            } else if (column < 0) {
                notes.add(table.path() + ": field " + from.number() + " (" + from.name()
                        + ") is not defined any more; its values are left out");
            } else if (!converts(from, target.values().get(column))) {
                ValueColumn to = target.values().get(column);
                problems.add(table.path() + ": field " + to.number() + " (" + to.name() + ") is " + type(from)
                        + " in the file and " + type(to)
                        + " in the definitions; what the one holds cannot become what the other holds");
            }
        }
        return values;
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
