package io.summarizer.core.export;

import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * The compiled code of one query. It evaluates and writes a row, and contains the offsets of cells as constants. Each
 * object belongs to one export, because a condition may have scratch memory.
 *
 * <p>The array {@code rows} has a cursor for each level, from the top-level summary to the exported one. The last
 * cursor is on the row itself. The other cursors are on the enclosing rows.
 */
public abstract class CsvRowWriter {
    /**
     * Whether the condition holds for the row.
     *
     * @throws CsvQueryException when the evaluation takes too much work
     */
    public boolean wants(RowCursor[] rows) throws CsvQueryException {
        return true;
    }

    /** Whether {@link #wants} may take long. If so, an export should allow a pause after each row. */
    public boolean takesLong() {
        return false;
    }

    /**
     * Puts into the key the values of the columns by which the query sorts. Puts nothing when the query has no order.
     */
    public void sortKey(RowCursor[] rows, SortKey key) {}

    /** Writes the row with its line end. */
    public abstract void write(RowCursor[] rows, CsvBuffer out) throws IOException;
}
