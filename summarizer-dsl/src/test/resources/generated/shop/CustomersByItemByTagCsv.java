package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of Customers/by_item/by_tag as CSV.
 */
public final class CustomersByItemByTagCsv extends CsvRowWriter {
    private static final int NULLS0_AT = 0;
    private static final int STATUS_NULL = 1;
    private static final int GIFT_NULL = 2;
    private static final int GIFT_AT = 1;
    private static final int STORE_NULL = 4;
    private static final int STORE_AT = 2;
    private static final int HOUR_NULL = 8;
    private static final int HOUR_AT = 6;
    private static final int NULLS1_AT = 4;
    private static final int SKU_NULL = 1;
    private static final int BULK_NULL = 2;
    private static final int BULK_AT = 5;
    private static final int NULLS2_AT = 4;
    private static final int TAG_NULL = 1;
    private static final int TAGS_AT = 9;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        RowCursor row1 = rows[1];
        byte[] cells1 = row1.bytes();
        RowCursor row2 = rows[2];
        byte[] cells2 = row2.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(8);
        // status
        if (!((cells0[NULLS0_AT] & STATUS_NULL) != 0)) {
            out.advance(at);
            row0.readKeyText(0);
            out.putText(row0.text(), row0.textOffset(), row0.textLength());
            at = out.reserve(164);
        } else {
            out.advance(at);
            at = out.reserve(164);
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
        // sku
        if (!((cells1[NULLS1_AT] & SKU_NULL) != 0)) {
            out.advance(at);
            row1.readKeyText(0);
            out.putText(row1.text(), row1.textOffset(), row1.textLength());
            at = out.reserve(60);
        } else {
            out.advance(at);
            at = out.reserve(60);
        }
        to[at++] = ',';
        // bulk
        if (!((cells1[NULLS1_AT] & BULK_NULL) != 0)) {
            at = CsvFields.putBool(to, at, cells1[BULK_AT] != 0);
        }
        to[at++] = ',';
        // tag
        if (!((cells2[NULLS2_AT] & TAG_NULL) != 0)) {
            out.advance(at);
            row2.readKeyText(0);
            out.putText(row2.text(), row2.textOffset(), row2.textLength());
            at = out.reserve(56);
        } else {
            out.advance(at);
            at = out.reserve(56);
        }
        to[at++] = ',';
        // tags
        at = CsvFields.putLong(to, at, Bytes.getLong(cells2, TAGS_AT));
        to[at++] = '\n';
        out.advance(at);
    }
}
