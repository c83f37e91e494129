package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of CampaignDetails as CSV.
 */
public final class CampaignDetailsCsv extends CsvRowWriter {
    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(420);
        // campaign_id
        if (!((cells0[0] & 1) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 1));
        }
        to[at++] = ',';
        // inventory_id
        if (!((cells0[0] & 2) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 9));
        }
        to[at++] = ',';
        // creative_id
        if (!((cells0[0] & 4) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 17));
        }
        to[at++] = ',';
        // audience_attribute_id
        if (!((cells0[0] & 8) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, 25));
        }
        to[at++] = ',';
        // impression_count
        at = CsvFields.putSum(to, at, row0.sumInt32(33), row0.high());
        to[at++] = ',';
        // impression_uu
        at = CsvFields.putLong(to, at, row0.longValue(1));
        to[at++] = ',';
        // media_cost
        at = CsvFields.putMillionths(to, at, row0.sumInt64(41), row0.high());
        to[at++] = ',';
        // data_cost
        at = CsvFields.putMillionths(to, at, row0.sumInt64(49), row0.high());
        to[at++] = '\n';
        out.advance(at);
    }
}
