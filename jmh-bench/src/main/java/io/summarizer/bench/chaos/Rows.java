package io.summarizer.bench.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * A parsed CSV of integers: the names of the columns, and the rows. Immutable; callers must not write to the arrays.
 */
record Rows(List<String> columns, List<long[]> rows) {
    /** Parses a pulled summary; an empty cell is 0. */
    static Rows parse(String csv) {
        int end = csv.indexOf('\n');
        List<String> columns = List.of(csv.substring(0, end).split(","));
        List<long[]> rows = new ArrayList<>();
        int at = end + 1;
        while (at < csv.length()) {
            long[] row = new long[columns.size()];
            for (int column = 0; column < row.length; column++) {
                long value = 0;
                char c;
                while ((c = csv.charAt(at++)) >= '0' && c <= '9') {
                    value = value * 10 + c - '0';
                }
                if (c != (column == row.length - 1 ? '\n' : ',')) {
                    throw new ChaosException("a row that is none, at character " + at + " of " + csv.length());
                }
                row[column] = value;
            }
            rows.add(row);
        }
        return new Rows(columns, rows);
    }

    /** Returns the index of a column. */
    int column(String name) {
        int column = columns.indexOf(name);
        if (column < 0) {
            throw new ChaosException("no column " + name + " among " + columns);
        }
        return column;
    }
}
