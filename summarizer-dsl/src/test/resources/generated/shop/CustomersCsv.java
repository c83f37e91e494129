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
    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(8);
        // status
        if (!((cells0[0] & 1) != 0)) {
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
        // orders
        at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 19));
        to[at++] = ',';
        // discounts
        at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, 27));
        to[at++] = ',';
        // rough
        at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, 35));
        to[at++] = ',';
        // fees
        at = CsvFields.putMillionths(to, at, row0.sumInt64(43), row0.high());
        to[at++] = ',';
        // fewest
        if (!((cells0[18] & 1) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 51));
        }
        to[at++] = ',';
        // most
        if (!((cells0[18] & 2) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 59));
        }
        to[at++] = ',';
        // cheapest
        if (!((cells0[18] & 4) == 0)) {
            at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, 67));
        }
        to[at++] = ',';
        // dearest
        if (!((cells0[18] & 8) == 0)) {
            at = CsvFields.putDouble(to, at, Cells.getDouble(cells0, 75));
        }
        to[at++] = ',';
        // first_at
        if (!((cells0[18] & 16) == 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, 83));
        }
        to[at++] = ',';
        // last_at
        if (!((cells0[18] & 32) == 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, 91));
        }
        to[at++] = ',';
        // first_card
        if (!(Bytes.getInt(cells0, 107) == 0)) {
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
        if (!(Bytes.getInt(cells0, 119) == 0)) {
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
        if (!((cells0[18] & 64) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 131));
        }
        to[at++] = ',';
        // last_id
        if (!((cells0[18] & 128) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 147));
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
