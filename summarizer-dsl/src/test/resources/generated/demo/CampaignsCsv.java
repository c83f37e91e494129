package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of Campaigns as CSV.
 */
public final class CampaignsCsv extends CsvRowWriter {
    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(368);
        // campaign_id
        if (!((cells0[0] & 1) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 1));
        }
        to[at++] = ',';
        // impressions
        at = CsvFields.putSum(to, at, row0.sumInt64(9), row0.high());
        to[at++] = ',';
        // users
        at = CsvFields.putLong(to, at, row0.longValue(1));
        to[at++] = ',';
        // clicks
        at = CsvFields.putSum(to, at, row0.sumInt64(21), row0.high());
        to[at++] = ',';
        // conversions
        at = CsvFields.putSum(to, at, row0.sumInt64(29), row0.high());
        to[at++] = ',';
        // cost
        at = CsvFields.putMillionths(to, at, row0.sumInt64(37), row0.high());
        to[at++] = ',';
        // revenue
        at = CsvFields.putMillionths(to, at, row0.sumInt64(45), row0.high());
        to[at++] = '\n';
        out.advance(at);
    }
}
