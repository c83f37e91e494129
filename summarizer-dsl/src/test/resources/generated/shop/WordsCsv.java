package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of Words as CSV.
 */
public final class WordsCsv extends CsvRowWriter {
    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(8);
        // word
        if (!((cells0[0] & 1) != 0)) {
            out.advance(at);
            row0.readKeyText(0);
            out.putText(row0.text(), row0.textOffset(), row0.textLength());
            at = out.reserve(8);
        } else {
            out.advance(at);
            at = out.reserve(8);
        }
        to[at++] = ',';
        // origin
        if (!((cells0[0] & 2) != 0)) {
            out.advance(at);
            row0.readKeyText(1);
            out.putText(row0.text(), row0.textOffset(), row0.textLength());
            at = out.reserve(160);
        } else {
            out.advance(at);
            at = out.reserve(160);
        }
        to[at++] = ',';
        // seen
        at = CsvFields.putSum(to, at, row0.sumInt32(6), row0.high());
        to[at++] = ',';
        // longest
        if (!((cells0[5] & 1) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 10));
        }
        to[at++] = ',';
        // duration_ms
        if (!((cells0[5] & 2) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 26));
        }
        to[at++] = '\n';
        out.advance(at);
    }
}
