package io.summarizer.generated;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.store.RowCursor;
import java.io.IOException;

/**
 * Rows of CampaignDetails/conversions as CSV.
 */
public final class CampaignDetailsConversionsCsv extends CsvRowWriter {
    private static final int NULLS0_AT = 0;
    private static final int CAMPAIGN_ID_NULL = 1;
    private static final int CAMPAIGN_ID_AT = 1;
    private static final int INVENTORY_ID_NULL = 2;
    private static final int INVENTORY_ID_AT = 9;
    private static final int CREATIVE_ID_NULL = 4;
    private static final int CREATIVE_ID_AT = 17;
    private static final int AUDIENCE_ATTRIBUTE_ID_NULL = 8;
    private static final int AUDIENCE_ATTRIBUTE_ID_AT = 25;
    private static final int NULLS1_AT = 4;
    private static final int MODEL_ID_NULL = 1;
    private static final int MODEL_ID_AT = 5;
    private static final int TYPE_ID_NULL = 2;
    private static final int TYPE_ID_AT = 13;
    private static final int COUNT_AT = 21;
    private static final int REVENUE_AT = 29;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        RowCursor row1 = rows[1];
        byte[] cells1 = row1.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(472);
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
        // model_id
        if (!((cells1[NULLS1_AT] & MODEL_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells1, MODEL_ID_AT));
        }
        to[at++] = ',';
        // type_id
        if (!((cells1[NULLS1_AT] & TYPE_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells1, TYPE_ID_AT));
        }
        to[at++] = ',';
        // count
        at = CsvFields.putSum(to, at, row1.sumInt32(COUNT_AT), row1.high());
        to[at++] = ',';
        // uu_count
        at = CsvFields.putLong(to, at, row1.longValue(1));
        to[at++] = ',';
        // revenue
        at = CsvFields.putMillionths(to, at, row1.sumInt64(REVENUE_AT), row1.high());
        to[at++] = '\n';
        out.advance(at);
    }
}
