package io.summarizer.core.store;

import java.util.List;

/**
 * The operations of {@link StoreTables} on the bytes of its rows. The compiler of the language generates this code
 * from a {@link SummaryLayout}, for one summary or nested summary; the places of cells are constants in the code.
 * Stateless; all partitions share the code.
 *
 * <p>The generated methods have no loop over columns and allocate nothing, because they run for every update of a row.
 */
public abstract class RowCode {
    /**
     * Whether the fixed part of a row's key equals the fixed part of an encoded key. The fixed part is the null mask
     * and the fixed-width columns.
     *
     * @param base start of the row in {@code row}
     * @param key start of the key in {@code bytes}
     */
    public abstract boolean hasKey(byte[] row, int base, byte[] bytes, int key);

    /**
     * Applies the ops of one record, or of one nested block, to a row.
     *
     * @param tables the tables of the row; their {@link StoreTables#cells()} add observations, and {@link
     *     StoreTables#enter} takes nested blocks
     * @param id id of the row
     * @param row the row's chunk, writable
     * @param base start of the row in it
     * @param ops holds ops in the encoding of {@link UpdateBatch}
     * @param from start of the ops
     * @param end end of the ops, unless a LEAVE ends the ops earlier
     * @param stamp arrival stamp of the message
     * @return the place after the last op: {@code end}, or the place after the LEAVE
     */
    public abstract int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp);

    /**
     * Applies the ops of all records of a run to their row. This implementation applies record after record. Generated
     * code goes column by column instead, so that it reads and writes each sum once.
     *
     * @param row the row's chunk, writable
     * @param base start of the row in it
     */
    public void update(StoreTables tables, int id, byte[] row, int base, UpdateRun run) {
        for (int i = 0; i < run.count(); i++) {
            int record = run.record(i);
            update(tables, id, row, base, run.bytes(), record + run.ops(), record + run.end(), run.stamp(i));
        }
    }

    /**
     * The exception for a column that the layout does not have. The cause of this exception is a record of another
     * plan, or malformed bytes.
     */
    protected static IllegalArgumentException unknownColumn(int column) {
        return new IllegalArgumentException("column=" + column + " is not one of this summary");
    }

    /** The code of a summary, and of its nested summaries by position. */
    public record Tree(RowCode rows, List<Tree> nested) {
        public Tree {
            nested = List.copyOf(nested);
        }
    }
}
