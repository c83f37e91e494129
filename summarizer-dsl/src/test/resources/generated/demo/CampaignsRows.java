package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of Campaigns, 53 bytes each.
 */
public final class CampaignsRows extends RowCode {
    private static final int KEY_AT = 0;
    private static final int IMPRESSIONS_AT = 9;
    private static final int USERS_AT = 17;
    private static final int CLICKS_AT = 21;
    private static final int CONVERSIONS_AT = 29;
    private static final int COST_AT = 37;
    private static final int REVENUE_AT = 45;

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
                // sumint64 impressions = 1
                case 0: {
                    cells.addInt64(row, base + IMPRESSIONS_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 users = 2
                case 1: {
                    cells.addToSet(1, row, base + USERS_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumint64 clicks = 3
                case 2: {
                    cells.addInt64(row, base + CLICKS_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumint64 conversions = 4
                case 3: {
                    cells.addInt64(row, base + CONVERSIONS_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency cost = 5
                case 4: {
                    cells.addInt64(row, base + COST_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency revenue = 6
                case 5: {
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

    public void update(StoreTables tables, int id, byte[] row, int base, UpdateRun run) {
        Cells cells = tables.cells();
        for (int op = run.ops(), end = run.end(); op < end; op += UpdateRun.OP_BYTES) {
            int column = run.column(op);
            switch (column) {
                // sumint64 impressions = 1
                case 0: {
                    cells.addInt64(row, base + IMPRESSIONS_AT, run, op);
                    break;
                }
                // multiset64 users = 2
                case 1: {
                    cells.addToSet(1, row, base + USERS_AT, run, op);
                    break;
                }
                // sumint64 clicks = 3
                case 2: {
                    cells.addInt64(row, base + CLICKS_AT, run, op);
                    break;
                }
                // sumint64 conversions = 4
                case 3: {
                    cells.addInt64(row, base + CONVERSIONS_AT, run, op);
                    break;
                }
                // sumcurrency cost = 5
                case 4: {
                    cells.addInt64(row, base + COST_AT, run, op);
                    break;
                }
                // sumcurrency revenue = 6
                case 5: {
                    cells.addInt64(row, base + REVENUE_AT, run, op);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
