package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;

/**
 * Rows of Campaigns, 53 bytes each.
 */
public final class CampaignsRows extends RowCode {
    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return ((Bytes.getLong(row, base) ^ Bytes.getLong(bytes, key))
                | (Bytes.getLong(row, base + 1) ^ Bytes.getLong(bytes, key + 1))) == 0;
    }

    public int update(
            SummaryStore store, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = store.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            switch (column) {
                // sumint64 impressions = 1
                case 0: {
                    cells.addInt64(row, base + 9, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // multiset64 users = 2
                case 1: {
                    cells.addToSet(1, row, base + 17, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumint64 clicks = 3
                case 2: {
                    cells.addInt64(row, base + 21, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumint64 conversions = 4
                case 3: {
                    cells.addInt64(row, base + 29, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency cost = 5
                case 4: {
                    cells.addInt64(row, base + 37, Bytes.getLong(ops, at + 2));
                    at += 10;
                    break;
                }
                // sumcurrency revenue = 6
                case 5: {
                    cells.addInt64(row, base + 45, Bytes.getLong(ops, at + 2));
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

    public void update(SummaryStore store, int id, byte[] row, int base, UpdateRun run) {
        Cells cells = store.cells();
        for (int op = run.ops(), end = run.end(); op < end; op += UpdateRun.OP_BYTES) {
            int column = run.column(op);
            switch (column) {
                // sumint64 impressions = 1
                case 0: {
                    cells.addInt64(row, base + 9, run, op);
                    break;
                }
                // multiset64 users = 2
                case 1: {
                    cells.addToSet(1, row, base + 17, run, op);
                    break;
                }
                // sumint64 clicks = 3
                case 2: {
                    cells.addInt64(row, base + 21, run, op);
                    break;
                }
                // sumint64 conversions = 4
                case 3: {
                    cells.addInt64(row, base + 29, run, op);
                    break;
                }
                // sumcurrency cost = 5
                case 4: {
                    cells.addInt64(row, base + 37, run, op);
                    break;
                }
                // sumcurrency revenue = 6
                case 5: {
                    cells.addInt64(row, base + 45, run, op);
                    break;
                }
                default: {
                    throw unknownColumn(column);
                }
            }
        }
    }
}
