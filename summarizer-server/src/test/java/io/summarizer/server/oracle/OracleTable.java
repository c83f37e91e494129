package io.summarizer.server.oracle;

import java.util.ArrayList;
import java.util.List;

/**
 * The expected content of one CSV, as a query: its columns in the order of the CSV, each under the CSV's name.
 *
 * @param name in messages
 * @param sql a SELECT with exactly the columns below; sums as DECIMAL with at most 6 places
 * @param keys key columns, which identify rows; compared as text
 * @param values value columns in their order
 * @param distinct the value columns that are estimates of a number of distinct values; the others must agree exactly
 */
public record OracleTable(String name, String sql, List<String> keys, List<String> values, List<String> distinct) {
    public OracleTable {
        keys = List.copyOf(keys);
        values = List.copyOf(values);
        distinct = List.copyOf(distinct);
        if (!values.containsAll(distinct)) {
            throw new IllegalArgumentException("distinct=" + distinct + " are not all among values=" + values);
        }
    }

    /** All columns, in the order of the CSV. */
    public List<String> columns() {
        List<String> columns = new ArrayList<>(keys);
        columns.addAll(values);
        return columns;
    }

    /** Value columns that must agree exactly. */
    public List<String> exact() {
        return values.stream().filter(value -> !distinct.contains(value)).toList();
    }
}
