package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of CampaignDetails, 57 bytes each.
 */
public final class CampaignDetailsRows extends RowCode {
    private static final int KEY_AT = 0;
    private static final int IMPRESSION_COUNT_AT = 33;
    private static final int IMPRESSION_UU_AT = 37;
    private static final int MEDIA_COST_AT = 41;
    private static final int DATA_COST_AT = 49;

    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((Bytes.getLong(row, base + KEY_AT) ^ Bytes.getLong(bytes, key))
                | (Bytes.getLong(row, base + (KEY_AT + 8)) ^ Bytes.getLong(bytes, key + 8))
                | (Bytes.getLong(row, base + (KEY_AT + 16)) ^ Bytes.getLong(bytes, key + 16))
                | (Bytes.getLong(row, base + (KEY_AT + 24)) ^ Bytes.getLong(bytes, key + 24))
                | (Bytes.getLong(row, base + (KEY_AT + 25)) ^ Bytes.getLong(bytes, key + 25))) == 0;
    }

    public int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // sumint32 impression_count = 1
                case 0: {
                    cells.addInt32(row, base + IMPRESSION_COUNT_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 impression_uu = 2
                case 1: {
                    cells.addToSet(1, row, base + IMPRESSION_UU_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency media_cost = 3
                case 2: {
                    cells.addInt64(row, base + MEDIA_COST_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency data_cost = 4
                case 3: {
                    cells.addInt64(row, base + DATA_COST_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
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

    public void update(StoreTables tables, int id, byte[] row, int base, UpdateRun run) {
        Cells cells = tables.cells();
        for (int op = run.ops(), end = run.end(); op < end; op += UpdateRun.OP_BYTES) {
            int column = run.column(op);
            switch (column) {
                // sumint32 impression_count = 1
                case 0: {
                    cells.addInt32(row, base + IMPRESSION_COUNT_AT, run, op);
                    break;
                }
                // multiset64 impression_uu = 2
                case 1: {
                    cells.addToSet(1, row, base + IMPRESSION_UU_AT, run, op);
                    break;
                }
                // sumcurrency media_cost = 3
                case 2: {
                    cells.addInt64(row, base + MEDIA_COST_AT, run, op);
                    break;
                }
                // sumcurrency data_cost = 4
                case 3: {
                    cells.addInt64(row, base + DATA_COST_AT, run, op);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
