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
    private static final int NULLS0_AT = 0;
    private static final int WORD_NULL = 1;
    private static final int ORIGIN_NULL = 2;
    private static final int SEEN_AT = 6;
    private static final int FLAGS_AT = 5;
    private static final int LONGEST_FLAG = 1;
    private static final int LONGEST_AT = 10;
    private static final int DURATION_MS_FLAG = 2;
    private static final int DURATION_MS_AT = 26;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(8);
        // word
        if (!((cells0[NULLS0_AT] & WORD_NULL) != 0)) {
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
        if (!((cells0[NULLS0_AT] & ORIGIN_NULL) != 0)) {
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
        at = CsvFields.putSum(to, at, row0.sumInt32(SEEN_AT), row0.high());
        to[at++] = ',';
        // longest
        if (!((cells0[FLAGS_AT] & LONGEST_FLAG) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, LONGEST_AT));
        }
        to[at++] = ',';
        // duration_ms
        if (!((cells0[FLAGS_AT] & DURATION_MS_FLAG) == 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, DURATION_MS_AT));
        }
        to[at++] = '\n';
        out.advance(at);
    }
}
