package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of Words, 34 bytes each.
 */
public final class WordsRows extends RowCode {
    private static final int KEY_AT = 0;
    private static final int SEEN_AT = 6;
    private static final int LONGEST_AT = 10;
    private static final int FLAGS_AT = 5;
    private static final int LONGEST_FLAG = 1;
    private static final int DURATION_MS_AT = 18;
    private static final int DURATION_MS_FLAG = 2;

    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return (row[base + KEY_AT] ^ bytes[key]) == 0;
    }

    public int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // sumint32 seen = 1
                case 0: {
                    cells.addInt32(row, base + SEEN_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxint64 longest = 2
                case 1: {
                    Cells.max(row, base + LONGEST_AT, base + FLAGS_AT, LONGEST_FLAG, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // lastint64 duration_ms = 3
                case 2: {
                    Cells.last(row, base + DURATION_MS_AT, base + FLAGS_AT, DURATION_MS_FLAG, stamp, Bytes.getLong(ops, at + 2));
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
                // sumint32 seen = 1
                case 0: {
                    cells.addInt32(row, base + SEEN_AT, run, op);
                    break;
                }
                // maxint64 longest = 2
                case 1: {
                    Cells.max(row, base + LONGEST_AT, base + FLAGS_AT, LONGEST_FLAG, run, op);
                    break;
                }
                // lastint64 duration_ms = 3
                case 2: {
                    Cells.last(row, base + DURATION_MS_AT, base + FLAGS_AT, DURATION_MS_FLAG, run, op);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
