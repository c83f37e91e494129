package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of Customers, 163 bytes each.
 */
public final class CustomersRows extends RowCode {
    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((Bytes.getLong(row, base) ^ Bytes.getLong(bytes, key))
                | (Bytes.getLong(row, base + 6) ^ Bytes.getLong(bytes, key + 6))) == 0;
    }

    public int update(
            SummaryStore store, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = store.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // count orders = 1
                case 0: {
                    Cells.increment(row, base + 19);
                    at += 10;
                    break;
                }
                // sumdouble discounts = 2
                case 1: {
                    cells.addDouble(row, base + 27, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumfloat rough = 3
                case 2: {
                    cells.addDouble(row, base + 35, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency fees = 4
                case 3: {
                    cells.addInt64(row, base + 43, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // minint64 fewest = 5
                case 4: {
                    Cells.min(row, base + 51, base + 18, 1, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxint64 most = 6
                case 5: {
                    Cells.max(row, base + 59, base + 18, 2, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // mindouble cheapest = 7
                case 6: {
                    Cells.minDouble(row, base + 67, base + 18, 4, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxdouble dearest = 8
                case 7: {
                    Cells.maxDouble(row, base + 75, base + 18, 8, Cells.getDouble(ops, at + 2));
                    at += 10;
                    break;
                }
                // mintimestamp first_at = 9
                case 8: {
                    Cells.min(row, base + 83, base + 18, 16, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // maxtimestamp last_at = 10
                case 9: {
                    Cells.max(row, base + 91, base + 18, 32, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // firststring first_card = 11
                case 10: {
                    cells.firstText(row, base + 99, stamp, ops, at + 6, Bytes.getInt(ops, at + 2));
                    at += 6 + UpdateBatch.textBytes(ops, at + 2);
                    break;
                }
                // laststring last_card = 12
                case 11: {
                    cells.lastText(row, base + 111, stamp, ops, at + 6, Bytes.getInt(ops, at + 2));
                    at += 6 + UpdateBatch.textBytes(ops, at + 2);
                    break;
                }
                // firstint64 first_id = 13
                case 12: {
                    Cells.first(row, base + 123, base + 18, 64, stamp, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // lastint64 last_id = 14
                case 13: {
                    Cells.last(row, base + 139, base + 18, 128, stamp, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 ids = 15
                case 14: {
                    cells.addToSet(14, row, base + 155, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 cards = 16
                case 15: {
                    cells.addToSet(15, row, base + 159, Bytes.getLong(ops, at + 2));
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
                    at = store.enter(column & ~UpdateBatch.ENTER, id, ops, at + 2, end, stamp);
                }
            }
        }
        return at;
    }

    public void update(SummaryStore store, int id, byte[] row, int base, UpdateRun run) {
        Cells cells = store.cells();
        for (int op = run.ops(), end = run.end(); op < end; op += UpdateRun.OP_BYTES) {
            int column = run.column(op);
            switch (column) {
                // count orders = 1
                case 0: {
                    Cells.increment(row, base + 19, run);
                    break;
                }
                // sumdouble discounts = 2
                case 1: {
                    cells.addDouble(row, base + 27, run, op);
                    break;
                }
                // sumfloat rough = 3
                case 2: {
                    cells.addDouble(row, base + 35, run, op);
                    break;
                }
                // sumcurrency fees = 4
                case 3: {
                    cells.addInt64(row, base + 43, run, op);
                    break;
                }
                // minint64 fewest = 5
                case 4: {
                    Cells.min(row, base + 51, base + 18, 1, run, op);
                    break;
                }
                // maxint64 most = 6
                case 5: {
                    Cells.max(row, base + 59, base + 18, 2, run, op);
                    break;
                }
                // mindouble cheapest = 7
                case 6: {
                    Cells.minDouble(row, base + 67, base + 18, 4, run, op);
                    break;
                }
                // maxdouble dearest = 8
                case 7: {
                    Cells.maxDouble(row, base + 75, base + 18, 8, run, op);
                    break;
                }
                // mintimestamp first_at = 9
                case 8: {
                    Cells.min(row, base + 83, base + 18, 16, run, op);
                    break;
                }
                // maxtimestamp last_at = 10
                case 9: {
                    Cells.max(row, base + 91, base + 18, 32, run, op);
                    break;
                }
                // firstint64 first_id = 13
                case 12: {
                    Cells.first(row, base + 123, base + 18, 64, run, op);
                    break;
                }
                // lastint64 last_id = 14
                case 13: {
                    Cells.last(row, base + 139, base + 18, 128, run, op);
                    break;
                }
                // multiset64 ids = 15
                case 14: {
                    cells.addToSet(14, row, base + 155, run, op);
                    break;
                }
                // multiset64 cards = 16
                case 15: {
                    cells.addToSet(15, row, base + 159, run, op);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
