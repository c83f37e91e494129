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
    private static final int NULLS0_AT = 0;
    private static final int CAMPAIGN_ID_NULL = 1;
    private static final int CAMPAIGN_ID_AT = 1;
    private static final int IMPRESSIONS_AT = 9;
    private static final int CLICKS_AT = 21;
    private static final int CONVERSIONS_AT = 29;
    private static final int COST_AT = 37;
    private static final int REVENUE_AT = 45;

    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
        RowCursor row0 = rows[0];
        byte[] cells0 = row0.bytes();
        byte[] to = out.bytes();
        int at = out.reserve(368);
        // campaign_id
        if (!((cells0[NULLS0_AT] & CAMPAIGN_ID_NULL) != 0)) {
            at = CsvFields.putLong(to, at, Bytes.getLong(cells0, CAMPAIGN_ID_AT));
        }
        to[at++] = ',';
        // impressions
        at = CsvFields.putSum(to, at, row0.sumInt64(IMPRESSIONS_AT), row0.high());
        to[at++] = ',';
        // users
        at = CsvFields.putLong(to, at, row0.longValue(1));
        to[at++] = ',';
        // clicks
        at = CsvFields.putSum(to, at, row0.sumInt64(CLICKS_AT), row0.high());
        to[at++] = ',';
        // conversions
        at = CsvFields.putSum(to, at, row0.sumInt64(CONVERSIONS_AT), row0.high());
        to[at++] = ',';
        // cost
        at = CsvFields.putMillionths(to, at, row0.sumInt64(COST_AT), row0.high());
        to[at++] = ',';
        // revenue
        at = CsvFields.putMillionths(to, at, row0.sumInt64(REVENUE_AT), row0.high());
        to[at++] = '\n';
        out.advance(at);
    }
}
