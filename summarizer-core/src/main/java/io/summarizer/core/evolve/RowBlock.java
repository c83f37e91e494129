package io.summarizer.core.evolve;

import java.util.List;

/**
 * Rows of one table, unpacked into columns. The keys come first, then the values. In a nested table, a column with the
 * ordinals of the parent rows precedes the keys. Not thread-safe.
 */
public final class RowBlock {
    private static final int ROWS_MAX = 4096;
    /**
     * Maximum number of values of a block with more than 64 rows. Every block may have 64 rows, so a block of a wide
     * table may have more values.
     */
    private static final int VALUES_MAX = 1 << 16;

    /** The columns, whose first {@link #rows} entries are set. */
    public final List<Column> columns;

    private final int rowsMax;
    private int rows;

    /** An empty block of rows of a table. */
    public RowBlock(Table table) {
        this(table, Integer.MAX_VALUE);
    }

    /** An empty block of a table that has {@code rows} rows in all. */
    RowBlock(Table table, int rows) {
        int count = (table.isNested() ? 1 : 0)
                + table.layout().keys().size()
                + table.layout().values().size();
        rowsMax = Math.min(Math.max(1, rows), Math.max(64, Math.min(ROWS_MAX, VALUES_MAX / count)));
        columns = Column.of(table, rowsMax);
    }

    /** Maximum number of rows of this block; at most 4,096. */
    public int rowsMax() {
        return rowsMax;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** Sets the number of rows in the columns. */
    public void rows(int rows) {
        this.rows = rows;
    }
}
