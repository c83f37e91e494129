package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of Customers/by_item as CSV.
 */
public final class CustomersByItemCsv extends CsvRowWriter {
    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        RowCursor row1 = rows[1];
        byte[] cells1 = row1.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(8);
        // status
        if (!((cells0[0] & 1) != 0)) {
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
        if (!((cells0[0] & 2) != 0)) {
            at = CsvFields.putBool(to, at, cells0[1] != 0);
        }
        to[at++] = ',';
        // store
        if (!((cells0[0] & 4) != 0)) {
            at = CsvFields.putLong(to, at, (Bytes.getInt(cells0, 2) & 0xffffffffL));
        }
        to[at++] = ',';
        // hour
        if (!((cells0[0] & 8) != 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, 6));
        }
        to[at++] = ',';
        // sku
        if (!((cells1[4] & 1) != 0)) {
            out.advance(at);
            row1.readKeyText(0);
            out.putText(row1.text(), row1.textOffset(), row1.textLength());
            at = out.reserve(164);
        } else {
            out.advance(at);
            at = out.reserve(164);
        }
        to[at++] = ',';
        // bulk
        if (!((cells1[4] & 2) != 0)) {
            at = CsvFields.putBool(to, at, cells1[5] != 0);
        }
        to[at++] = ',';
        // pieces
        at = CsvFields.putSum(to, at, row1.sumInt64(10), row1.high());
        to[at++] = ',';
        // buyers
        at = CsvFields.putLong(to, at, row1.longValue(1));
        to[at++] = ',';
        // last_tag
        if (!(Bytes.getInt(cells1, 30) == 0)) {
            out.advance(at);
            row1.readText(2);
            out.putText(row1.text(), row1.textOffset(), row1.textLength());
            at = out.reserve(4);
        } else {
            out.advance(at);
            at = out.reserve(4);
        }
        to[at++] = '\n';
        out.advance(at);
    }
}
