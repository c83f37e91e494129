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
    private static final int NULLS0_AT = 0;
    private static final int CAMPAIGN_ID_NULL = 1;
    private static final int CAMPAIGN_ID_AT = 1;
    private static final int INVENTORY_ID_NULL = 2;
    private static final int INVENTORY_ID_AT = 9;
    private static final int CREATIVE_ID_NULL = 4;
    private static final int CREATIVE_ID_AT = 17;
    private static final int AUDIENCE_ATTRIBUTE_ID_NULL = 8;
    private static final int AUDIENCE_ATTRIBUTE_ID_AT = 25;
    private static final int IMPRESSION_COUNT_AT = 33;
    private static final int MEDIA_COST_AT = 41;
    private static final int DATA_COST_AT = 49;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(420);
        // campaign_id
        if (!((cells0[NULLS0_AT] & CAMPAIGN_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, CAMPAIGN_ID_AT));
        }
        to[at++] = ',';
        // inventory_id
        if (!((cells0[NULLS0_AT] & INVENTORY_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, INVENTORY_ID_AT));
        }
        to[at++] = ',';
        // creative_id
        if (!((cells0[NULLS0_AT] & CREATIVE_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, CREATIVE_ID_AT));
        }
        to[at++] = ',';
        // audience_attribute_id
        if (!((cells0[NULLS0_AT] & AUDIENCE_ATTRIBUTE_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, AUDIENCE_ATTRIBUTE_ID_AT));
        }
        to[at++] = ',';
        // impression_count
        at = CsvFields.putSum(to, at, row0.sumInt32(IMPRESSION_COUNT_AT), row0.high());
        to[at++] = ',';
        // impression_uu
        at = CsvFields.putLong(to, at, row0.longValue(1));
        to[at++] = ',';
        // media_cost
        at = CsvFields.putMillionths(to, at, row0.sumInt64(MEDIA_COST_AT), row0.high());
        to[at++] = ',';
        // data_cost
        at = CsvFields.putMillionths(to, at, row0.sumInt64(DATA_COST_AT), row0.high());
        to[at++] = '\n';
        out.advance(at);
    }
}
