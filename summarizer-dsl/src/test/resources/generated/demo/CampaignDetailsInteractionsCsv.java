package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of CampaignDetails/interactions as CSV.
 */
public final class CampaignDetailsInteractionsCsv extends CsvRowWriter {
    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        RowCursor row1 = rows[1];
        byte[] cells1 = row1.bytes();
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
        // action_id
        if (!((cells1[4] & 1) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells1, 5));
        }
        to[at++] = ',';
        // count
        at = CsvFields.putSum(to, at, row1.sumInt32(13), row1.high());
        to[at++] = ',';
        // uu_count
        at = CsvFields.putLong(to, at, row1.longValue(1));
        to[at++] = ',';
        // revenue
        at = CsvFields.putMillionths(to, at, row1.sumInt64(21), row1.high());
        to[at++] = '\n';
        out.advance(at);
    }
}
