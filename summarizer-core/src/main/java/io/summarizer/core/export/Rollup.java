package io.summarizer.core.export;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table of groups. It has the columns of a summary or nested summary, but only some key columns. For a nested
 * summary, the keys of enclosing summaries are key columns, too. Immutable.
 *
 * @param layout layout of the table of groups; the table has the value columns of the summary
 * @param sources for each key column of the groups, the position of this column among the key columns of the summary
 * @param every the windows to group by; the first key column of the groups is then the start of the window. Null when
 *     rows are not grouped by windows
 */
record Rollup(
        SummaryLayout layout,
        List<Source> sources,
        @Nullable SummaryWindow every) {
    /** Maximum number of columns that an error names. */
    private static final int NAMES_MAX = 12;

    Rollup {
        sources = List.copyOf(sources);
    }

    /**
     * The place of a key column.
     *
     * @param level level of the summary that has the column; 0 for the top-level summary
     * @param position position among the key columns of this summary
     */
    record Source(int level, int position, KeyColumn column) {}

    /**
     * Checks the names of the key columns.
     *
     * @param path positions of nested summaries from the outermost on
     * @param grouping the columns and windows to group by; without columns and windows, there is a single group
     */
    static Rollup of(SummaryLayout summary, List<Integer> path, CsvQuery.Grouping grouping) throws CsvQueryException {
        if (summary.isKeyless()) {
            throw CsvQueryException.invalid(
                    "by: `" + summary.name() + "` is an overflow summary, which has one row; pull it without by=");
        }
        List<Source> keys = new ArrayList<>();
        SummaryLayout table = summary;
        StringBuilder name = new StringBuilder(summary.name());
        addKeys(keys, 0, summary);
        for (int level = 1; level <= path.size(); level++) {
            table = table.nested().get(path.get(level - 1));
            name.append('/').append(table.name());
            addKeys(keys, level, table);
        }
        List<Source> sources = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        SummaryWindow every = null;
        if (grouping.every() != null) {
            every = every(summary, grouping.every());
            Source window = keys.get(every.column());
            seen.add(window.column.name());
            sources.add(window);
        }
        for (String column : grouping.by()) {
            if (!seen.add(column)) {
                boolean isWindow =
                        every != null && keys.get(every.column()).column.name().equals(column);
                throw CsvQueryException.invalid("by: `" + column + "` "
                        + (isWindow ? "is there already, because of every=; leave it out of by=" : "is named twice"));
            }
            sources.add(find(column, keys, name));
        }
        if (sources.isEmpty() && table.values().isEmpty()) {
            throw CsvQueryException.invalid("by: `" + name + "` has no value columns; name key columns: by=a,b");
        }
        SummaryLayout layout = new SummaryLayout(
                name.toString(),
                0,
                sources.stream().map(Source::column).toList(),
                table.values(),
                List.of(),
                SummaryLimit.DEFAULT);
        return new Rollup(layout, sources, every);
    }

    /** Returns the windows to group by. Refuses windows that do not consist of whole windows of the summary. */
    private static SummaryWindow every(SummaryLayout summary, CsvQuery.Every every) throws CsvQueryException {
        SummaryWindow window = summary.window();
        if (window == null) {
            throw CsvQueryException.invalid("every=" + every + ": `" + summary.name() + "` has no time windows");
        }
        SummaryWindow wider = new SummaryWindow(window.column(), every.count(), every.unit(), window.zone());
        if (!every.unit().isOfDays() && !every.unit().dividesDay(every.count())) {
            throw CsvQueryException.invalid(
                    "every=" + every + ": a width in s, m or h divides a day; " + every + " does not");
        }
        boolean exists = !every.unit().isOfDays()
                || every.count() <= Long.MAX_VALUE / every.unit().micros();
        if (!exists || !window.isPartOf(wider)) {
            throw CsvQueryException.invalid("every=" + every + ": such windows do not consist of whole windows of `"
                    + summary.name() + "`, which are of " + window);
        }
        return wider;
    }

    private static void addKeys(List<Source> keys, int level, SummaryLayout layout) {
        for (int position = 0; position < layout.keys().size(); position++) {
            keys.add(new Source(level, position, layout.keys().get(position)));
        }
    }

    private static Source find(String column, List<Source> keys, CharSequence table) throws CsvQueryException {
        for (Source key : keys) {
            if (key.column.name().equals(column)) {
                return key;
            }
        }
        String shown = column.length() <= 100 ? column : column.substring(0, 100) + "...";
        String more = keys.size() > NAMES_MAX ? ", and " + (keys.size() - NAMES_MAX) + " more" : "";
        throw CsvQueryException.invalid("by: `" + table + "` has no key column `" + shown + "`\nhelp: it has "
                + keys.stream()
                        .limit(NAMES_MAX)
                        .map(key -> "`" + key.column.name() + "`")
                        .collect(Collectors.joining(", "))
                + more);
    }
}
