package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of Pages as CSV.
 */
public final class PagesCsv extends CsvRowWriter {
    private static final int NULLS0_AT = 0;
    private static final int DAY_NULL = 1;
    private static final int DAY_AT = 1;
    private static final int ROBOT_NULL = 2;
    private static final int ROBOT_AT = 9;
    private static final int VISITS_AT = 10;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(160);
        // day
        if (!((cells0[NULLS0_AT] & DAY_NULL) != 0)) {
            at = out.putTimestamp(at, Bytes.getLong(cells0, DAY_AT));
        }
        to[at++] = ',';
        // robot
        if (!((cells0[NULLS0_AT] & ROBOT_NULL) != 0)) {
            at = CsvFields.putBool(to, at, cells0[ROBOT_AT] != 0);
        }
        to[at++] = ',';
        // visits
        at = CsvFields.putLong(to, at, Bytes.getLong(cells0, VISITS_AT));
        to[at++] = '\n';
        out.advance(at);
    }
}
