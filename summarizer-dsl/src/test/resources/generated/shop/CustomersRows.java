package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of Customers, 163 bytes each.
 */
public final class CustomersRows extends RowCode {
    private static final int KEY_AT = 0;
    private static final int ORDERS_AT = 19;
    private static final int DISCOUNTS_AT = 27;
    private static final int ROUGH_AT = 35;
    private static final int FEES_AT = 43;
    private static final int FEWEST_AT = 51;
    private static final int FLAGS_AT = 18;
    private static final int FEWEST_FLAG = 1;
    private static final int MOST_AT = 59;
    private static final int MOST_FLAG = 2;
    private static final int CHEAPEST_AT = 67;
    private static final int CHEAPEST_FLAG = 4;
    private static final int DEAREST_AT = 75;
    private static final int DEAREST_FLAG = 8;
    private static final int FIRST_AT_AT = 83;
    private static final int FIRST_AT_FLAG = 16;
    private static final int LAST_AT_AT = 91;
    private static final int LAST_AT_FLAG = 32;
    private static final int FIRST_CARD_AT = 99;
    private static final int LAST_CARD_AT = 111;
    private static final int FIRST_ID_AT = 123;
    private static final int FIRST_ID_FLAG = 64;
    private static final int LAST_ID_AT = 139;
    private static final int LAST_ID_FLAG = 128;
    private static final int IDS_AT = 155;
    private static final int CARDS_AT = 159;

    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((Bytes.getLong(row, base + KEY_AT) ^ Bytes.getLong(bytes, key))
                | (Bytes.getLong(row, base + (KEY_AT + 6)) ^ Bytes.getLong(bytes, key + 6))) == 0;
    }

    public int update(
            StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // count orders = 1
                case 0: {
                    Cells.increment(row, base + ORDERS_AT);
                    at += 10;
                    break;
                }
                // sumdouble discounts = 2
                case 1: {
                    cells.addDouble(row, base + DISCOUNTS_AT, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumfloat rough = 3
                case 2: {
                    cells.addDouble(row, base + ROUGH_AT, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency fees = 4
                case 3: {
                    cells.addInt64(row, base + FEES_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // minint64 fewest = 5
                case 4: {
                    Cells.min(row, base + FEWEST_AT, base + FLAGS_AT, FEWEST_FLAG, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxint64 most = 6
                case 5: {
                    Cells.max(row, base + MOST_AT, base + FLAGS_AT, MOST_FLAG, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // mindouble cheapest = 7
                case 6: {
                    Cells.minDouble(row, base + CHEAPEST_AT, base + FLAGS_AT, CHEAPEST_FLAG, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxdouble dearest = 8
                case 7: {
                    Cells.maxDouble(row, base + DEAREST_AT, base + FLAGS_AT, DEAREST_FLAG, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // mintimestamp first_at = 9
                case 8: {
                    Cells.min(row, base + FIRST_AT_AT, base + FLAGS_AT, FIRST_AT_FLAG, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxtimestamp last_at = 10
                case 9: {
                    Cells.max(row, base + LAST_AT_AT, base + FLAGS_AT, LAST_AT_FLAG, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // firststring first_card = 11
                case 10: {
                    cells.firstText(row, base + FIRST_CARD_AT, stamp, ops, at + 6, Bytes.getInt(ops, at + 2));
                    at += 6 + UpdateBatch.textBytes(ops, at + 2);
                    break;
                }
                // laststring last_card = 12
                case 11: {
                    cells.lastText(row, base + LAST_CARD_AT, stamp, ops, at + 6, Bytes.getInt(ops, at + 2));
                    at += 6 + UpdateBatch.textBytes(ops, at + 2);
                    break;
                }
                // firstint64 first_id = 13
                case 12: {
                    Cells.first(row, base + FIRST_ID_AT, base + FLAGS_AT, FIRST_ID_FLAG, stamp, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // lastint64 last_id = 14
                case 13: {
                    Cells.last(row, base + LAST_ID_AT, base + FLAGS_AT, LAST_ID_FLAG, stamp, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 ids = 15
                case 14: {
                    cells.addToSet(14, row, base + IDS_AT, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 cards = 16
                case 15: {
                    cells.addToSet(15, row, base + CARDS_AT, Bytes.getLong(ops, at + 2));
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
                // count orders = 1
                case 0: {
                    Cells.increment(row, base + ORDERS_AT, run);
                    break;
                }
                // sumdouble discounts = 2
                case 1: {
                    cells.addDouble(row, base + DISCOUNTS_AT, run, op);
                    break;
                }
                // sumfloat rough = 3
                case 2: {
                    cells.addDouble(row, base + ROUGH_AT, run, op);
                    break;
                }
                // sumcurrency fees = 4
                case 3: {
                    cells.addInt64(row, base + FEES_AT, run, op);
                    break;
                }
                // minint64 fewest = 5
                case 4: {
                    Cells.min(row, base + FEWEST_AT, base + FLAGS_AT, FEWEST_FLAG, run, op);
                    break;
                }
                // maxint64 most = 6
                case 5: {
                    Cells.max(row, base + MOST_AT, base + FLAGS_AT, MOST_FLAG, run, op);
                    break;
                }
                // mindouble cheapest = 7
                case 6: {
                    Cells.minDouble(row, base + CHEAPEST_AT, base + FLAGS_AT, CHEAPEST_FLAG, run, op);
                    break;
                }
                // maxdouble dearest = 8
                case 7: {
                    Cells.maxDouble(row, base + DEAREST_AT, base + FLAGS_AT, DEAREST_FLAG, run, op);
                    break;
                }
                // mintimestamp first_at = 9
                case 8: {
                    Cells.min(row, base + FIRST_AT_AT, base + FLAGS_AT, FIRST_AT_FLAG, run, op);
                    break;
                }
                // maxtimestamp last_at = 10
                case 9: {
                    Cells.max(row, base + LAST_AT_AT, base + FLAGS_AT, LAST_AT_FLAG, run, op);
                    break;
                }
                // firstint64 first_id = 13
                case 12: {
                    Cells.first(row, base + FIRST_ID_AT, base + FLAGS_AT, FIRST_ID_FLAG, run, op);
                    break;
                }
                // lastint64 last_id = 14
                case 13: {
                    Cells.last(row, base + LAST_ID_AT, base + FLAGS_AT, LAST_ID_FLAG, run, op);
                    break;
                }
                // multiset64 ids = 15
                case 14: {
                    cells.addToSet(14, row, base + IDS_AT, run, op);
                    break;
                }
                // multiset64 cards = 16
                case 15: {
                    cells.addToSet(15, row, base + CARDS_AT, run, op);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
