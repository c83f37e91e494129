package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;

/**
 * Rows of Customers.by_item, 34 bytes each.
 */
public final class CustomersByItemRows extends RowCode {
    private static final int KEY_AT = 4;
    private static final int PIECES_AT = 10;
    private static final int BUYERS_AT = 18;
    private static final int LAST_TAG_AT = 22;

    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((row[base + KEY_AT] ^ bytes[key])
                | (row[base + (KEY_AT + 1)] ^ bytes[key + 1])) == 0;
    }

    public int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // sumint64 pieces = 1
                case 0: {
                    cells.addInt64(row, base + PIECES_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 buyers = 2
                case 1: {
                    cells.addToSet(1, row, base + BUYERS_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // laststring last_tag = 3
                case 2: {
                    cells.lastText(row, base + LAST_TAG_AT, stamp, ops, at + 6, Bytes.getInt(ops, at + 2));
                    at += 6 + UpdateBatch.textBytes(ops, at + 2);
                    break;
                }
                default: {
                    if (column == UpdateBatch.LEAVE) {
                        return at + 2;
                    }
                    if (column < UpdateBatch.ENTER) {
                        throw unknownColumn(column);
                    }
                    at = tables.enter(column & ~UpdateBatch.ENTER, id, ops, at + 2, end, stamp);
                }
            }
        }
        return at;
    }
}
