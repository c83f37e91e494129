package io.summarizer.dsl.export;

import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.dsl.check.ColumnCondition;
import io.summarizer.dsl.diagnose.Suggestions;
import io.summarizer.dsl.model.Expression;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query whose names are resolved. Immutable.
 *
 * @param columns all columns
 * @param written the columns to write
 * @param text text of the condition
 * @param where the condition, or null for every row
 */
record CheckedQuery(
        Columns columns,
        List<Column> written,
        String text,
        @Nullable Expression where,
        List<Sorting> order,
        CsvProfile profile,
        ExportFormat format) {

    private static final String SET_SUFFIX = "_hll";

    CheckedQuery {
        written = List.copyOf(written);
        order = List.copyOf(order);
    }

    /** A column to sort by. */
    record Sorting(Column column, boolean descending) {}

    /**
     * Checks a query.
     *
     * @throws CsvQueryException when the query has an error; the message has the error and a guess of the intended name
     */
    static CheckedQuery of(Columns columns, CsvQuery query) throws CsvQueryException {
        List<Column> written = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name : query.columns()) {
            Column set = set(name, columns);
            written.add(set == null ? find("columns", name, columns) : set);
            if (!seen.add(name)) {
                throw CsvQueryException.invalid("columns: `" + name + "` is named twice");
            }
        }
        List<Sorting> order = new ArrayList<>();
        for (CsvQuery.Order by : query.orderBy()) {
            order.add(new Sorting(find("order_by", by.column(), columns), by.descending()));
        }
        Expression where = query.condition().isEmpty() ? null : condition(query, columns);
        List<Column> chosen = written.isEmpty() ? columns.all() : written;
        return new CheckedQuery(
                columns,
                withSets(chosen, query.distinct()),
                query.condition(),
                where,
                order,
                query.profile(),
                query.format());
    }

    /**
     * The multiset {@code NAME} to which the name {@code NAME_hll} refers. Null when there is no such multiset, or when
     * a column has the name {@code NAME_hll}.
     */
    private static @Nullable Column set(String name, Columns columns) {
        if (columns.find(name) != null || !name.endsWith(SET_SUFFIX)) {
            return null;
        }
        Column column = columns.find(name.substring(0, name.length() - SET_SUFFIX.length()));
        return column == null || column.type() != Column.Type.CARDINALITY ? null : column.asSet(name);
    }

    private static List<Column> withSets(List<Column> chosen, Distinct distinct) throws CsvQueryException {
        List<Column> written = new ArrayList<>();
        for (Column column : chosen) {
            if (column.type() != Column.Type.CARDINALITY || distinct == Distinct.ESTIMATE) {
                written.add(column);
            } else if (distinct == Distinct.HLL) {
                written.add(column.asSet(column.name()));
            } else {
                String name = column.name() + SET_SUFFIX;
                Column taken = chosen.stream()
                        .filter(other -> other.name().equals(name))
                        .findFirst()
                        .orElse(null);
                if (taken != null && taken.type() != Column.Type.SET) {
                    throw CsvQueryException.invalid("distinct=both: the set of `" + column.name()
                            + "` would be a second column `" + name + "`; name other columns=, or use distinct=hll");
                }
                written.add(column);
                if (taken == null) {
                    written.add(column.asSet(name));
                }
            }
        }
        return written;
    }

    private static Expression condition(CsvQuery query, Columns columns) throws CsvQueryException {
        ColumnCondition checked = ColumnCondition.check(
                query.conditionName(),
                query.condition(),
                columns.summary(),
                columns.all().stream()
                        .map(column -> new ColumnCondition.Column(
                                column.name(), column.type().kind()))
                        .toList());
        if (checked.condition() == null) {
            throw CsvQueryException.invalid(checked.errors().strip());
        }
        return checked.condition();
    }

    private static Column find(String parameter, String name, Columns columns) throws CsvQueryException {
        Column column = columns.find(name);
        if (column == null) {
            String shown = name.length() <= 100 ? name : name.substring(0, 100) + "...";
            List<String> help = Suggestions.help(name, columns.names(), "it has");
            throw CsvQueryException.invalid(parameter + ": `" + columns.summary() + "` has no column `" + shown + "`"
                    + (help.isEmpty() ? "" : "\nhelp: " + help.get(0)));
        }
        return column;
    }
}
