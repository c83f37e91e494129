package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;

/**
 * Rows of CampaignDetails.interactions, 29 bytes each.
 */
public final class CampaignDetailsInteractionsRows extends RowCode {
    private static final int KEY_AT = 4;
    private static final int COUNT_AT = 13;
    private static final int UU_COUNT_AT = 17;
    private static final int REVENUE_AT = 21;

    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((Bytes.getLong(row, base + KEY_AT) ^ Bytes.getLong(bytes, key))
                | (Bytes.getLong(row, base + (KEY_AT + 1)) ^ Bytes.getLong(bytes, key + 1))) == 0;
    }

    public int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // sumint32 count = 1
                case 0: {
                    cells.addInt32(row, base + COUNT_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 uu_count = 2
                case 1: {
                    cells.addToSet(1, row, base + UU_COUNT_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency revenue = 3
                case 2: {
                    cells.addInt64(row, base + REVENUE_AT, Bytes.getLong(ops, at + 2));
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
