package io.summarizer.core.evolve;

import java.util.List;

/**
 * Rows of one table, unpacked into columns: first keys, then values. In a nested table, the ordinals of the parent rows
 * come before the keys. One thread.
 */
public final class RowBlock {
    private static final int ROWS_MAX = 4096;
    /** Most values of a block, unless 64 rows have more values. */
    private static final int VALUES_MAX = 1 << 16;

    /** The columns, whose first {@link #rows} entries are set. */
    public final List<Column> columns;

    private final int rowsMax;
    private int rows;

    /** An empty block of rows of a table. */
    public RowBlock(Table table) {
        int count = (table.isNested() ? 1 : 0)
                + table.layout().keys().size()
                + table.layout().values().size();
        rowsMax = Math.max(64, Math.min(ROWS_MAX, VALUES_MAX / count));
        columns = Column.of(table, rowsMax);
    }

    /** Most rows of a block, up to 4,096. */
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
