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
        int at = out.reserve(312);
        // campaign_id
        if (!((cells0[0] & 1) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 1));
        }
        to[at++] = ',';
        // impressions
        at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 9));
        to[at++] = ',';
        // users
        at = CsvFields.putLong(to, at, row0.longValue(1));
        to[at++] = ',';
        // clicks
        at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 21));
        to[at++] = ',';
        // conversions
        at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 29));
        to[at++] = ',';
        // cost
        at = CsvFields.putMillionths(to, at, Bytes.getLong(cells0, 37));
        to[at++] = ',';
        // revenue
        at = CsvFields.putMillionths(to, at, Bytes.getLong(cells0, 45));
        to[at++] = '\n';
        out.advance(at);
    }
}
