package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of Customers as CSV.
 */
public final class CustomersCsv extends CsvRowWriter {
    private static final int NULLS0_AT = 0;
    private static final int STATUS_NULL = 1;
    private static final int GIFT_NULL = 2;
    private static final int GIFT_AT = 1;
    private static final int STORE_NULL = 4;
    private static final int STORE_AT = 2;
    private static final int HOUR_NULL = 8;
    private static final int HOUR_AT = 6;
    private static final int ORDERS_AT = 19;
    private static final int DISCOUNTS_AT = 27;
    private static final int ROUGH_AT = 35;
    private static final int FEES_AT = 43;
    private static final int FLAGS_AT = 18;
    private static final int FEWEST_FLAG = 1;
    private static final int FEWEST_AT = 51;
    private static final int MOST_FLAG = 2;
    private static final int MOST_AT = 59;
    private static final int CHEAPEST_FLAG = 4;
    private static final int CHEAPEST_AT = 67;
    private static final int DEAREST_FLAG = 8;
    private static final int DEAREST_AT = 75;
    private static final int FIRST_AT_FLAG = 16;
    private static final int FIRST_AT_AT = 83;
    private static final int LAST_AT_FLAG = 32;
    private static final int LAST_AT_AT = 91;
    private static final int FIRST_CARD_TEXT_AT = 107;
    private static final int LAST_CARD_TEXT_AT = 119;
    private static final int FIRST_ID_FLAG = 64;
    private static final int FIRST_ID_AT = 131;
    private static final int LAST_ID_FLAG = 128;
    private static final int LAST_ID_AT = 147;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(8);
        // status
        if (!((cells0[NULLS0_AT] & STATUS_NULL) != 0)) {
            out.advance(at);
            row0.readKeyText(0);
            out.putText(row0.text(), row0.textOffset(), row0.textLength());
            at = out.reserve(684);
        } else {
            out.advance(at);
            at = out.reserve(684);
        }
        to[at++] = ',';
        // gift
        if (!((cells0[NULLS0_AT] & GIFT_NULL) != 0)) {
            at = CsvFields.putBool(to, at, cells0[GIFT_AT] != 0);
        }
        to[at++] = ',';
        // store
        if (!((cells0[NULLS0_AT] & STORE_NULL) != 0)) {
            at = CsvFields.putLong(to, at, (Bytes.getInt(cells0, STORE_AT) & 0xffffffffL));
        }
        to[at++] = ',';
        // hour
        if (!((cells0[NULLS0_AT] & HOUR_NULL) != 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, HOUR_AT));
        }
        to[at++] = ',';
        // orders
        at = CsvFields.putLong(to, at, Bytes.getLong(cells0, ORDERS_AT));
        to[at++] = ',';
        // discounts
        at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, DISCOUNTS_AT));
        to[at++] = ',';
        // rough
        at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, ROUGH_AT));
        to[at++] = ',';
        // fees
        at = CsvFields.putMillionths(to, at, row0.sumInt64(FEES_AT), row0.high());
        to[at++] = ',';
        // fewest
        if (!((cells0[FLAGS_AT] & FEWEST_FLAG) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, FEWEST_AT));
        }
        to[at++] = ',';
        // most
        if (!((cells0[FLAGS_AT] & MOST_FLAG) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, MOST_AT));
        }
        to[at++] = ',';
        // cheapest
        if (!((cells0[FLAGS_AT] & CHEAPEST_FLAG) == 0)) {
            at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, CHEAPEST_AT));
        }
        to[at++] = ',';
        // dearest
        if (!((cells0[FLAGS_AT] & DEAREST_FLAG) == 0)) {
            at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, DEAREST_AT));
        }
        to[at++] = ',';
        // first_at
        if (!((cells0[FLAGS_AT] & FIRST_AT_FLAG) == 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, FIRST_AT_AT));
        }
        to[at++] = ',';
        // last_at
        if (!((cells0[FLAGS_AT] & LAST_AT_FLAG) == 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, LAST_AT_AT));
        }
        to[at++] = ',';
        // first_card
        if (!(Bytes.getInt(cells0, FIRST_CARD_TEXT_AT) == 0)) {
            out.advance(at);
            row0.readText(10);
            out.putText(row0.text(), row0.textOffset(), row0.textLength());
            at = out.reserve(8);
        } else {
            out.advance(at);
            at = out.reserve(8);
        }
        to[at++] = ',';
        // last_card
        if (!(Bytes.getInt(cells0, LAST_CARD_TEXT_AT) == 0)) {
            out.advance(at);
            row0.readText(11);
            out.putText(row0.text(), row0.textOffset(), row0.textLength());
            at = out.reserve(212);
        } else {
            out.advance(at);
            at = out.reserve(212);
        }
        to[at++] = ',';
        // first_id
        if (!((cells0[FLAGS_AT] & FIRST_ID_FLAG) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, FIRST_ID_AT));
        }
        to[at++] = ',';
        // last_id
        if (!((cells0[FLAGS_AT] & LAST_ID_FLAG) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, LAST_ID_AT));
        }
        to[at++] = ',';
        // ids
        at = CsvFields.putLong(to, at, row0.longValue(14));
        to[at++] = ',';
        // cards
        at = CsvFields.putLong(to, at, row0.longValue(15));
        to[at++] = '\n';
        out.advance(at);
    }
}
