package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;

/**
 * Rows of Customers.by_item.by_tag, 17 bytes each.
 */
public final class CustomersByItemByTagRows extends RowCode {
    private static final int KEY_AT = 4;
    private static final int TAGS_AT = 9;

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
                // count tags = 1
                case 0: {
                    Cells.increment(row, base + TAGS_AT);
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
}
