package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of Pages, 18 bytes each.
 */
public final class PagesRows extends RowCode {
    private static final int KEY_AT = 0;
    private static final int VISITS_AT = 10;

    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((Bytes.getLong(row, base + KEY_AT) ^ Bytes.getLong(bytes, key))
                | (Bytes.getLong(row, base + (KEY_AT + 2)) ^ Bytes.getLong(bytes, key + 2))) == 0;
    }

    public int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // count visits = 1
                case 0: {
                    Cells.increment(row, base + VISITS_AT);
                    at += 10;
                    break;
                }
                default: {
                    if (column == UpdateBatch.LEAVE) {
                        return at + 2;
                    }
                    throw unknownColumn(column);
                }
            }
        }
        return at;
    }

    public void update(StoreTables tables, int id, byte[] row, int base, UpdateRun run) {
        Cells cells = tables.cells();
        for (int op = run.ops(), end = run.end(); op < end; op += UpdateRun.OP_BYTES) {
            int column = run.column(op);
            switch (column) {
                // count visits = 1
                case 0: {
                    Cells.increment(row, base + VISITS_AT, run);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
