package io.summarizer.core.export;

import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * The compiled code of one query, which evaluates and writes a row; the offsets of cells are constants in it. Belongs
 * to one export, because a condition may have scratch memory.
 *
 * <p>{@code rows} holds a cursor for each level, from the top-level summary to the exported one. The last cursor is on
 * the row itself, and the other cursors are on the rows that enclose this row.
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

    /** Whether {@link #wants} may take so long that an export should offer to pause after each row. */
    public boolean takesLong() {
        return false;
    }

    /** Puts the columns to sort by into the key; puts nothing when the query has no order. */
    public void sortKey(RowCursor[] rows, SortKey key) {}

    /** Writes the row with its line end. */
    public abstract void write(RowCursor[] rows, CsvBuffer out) throws IOException;
}
