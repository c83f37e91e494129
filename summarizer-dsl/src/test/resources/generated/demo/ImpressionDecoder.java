package io.summarizer.generated;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.CsvDecoder;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.InputEvent;

/**
 * Reads the fields of Impression that mappings use from a line of CSV.
 */
public final class ImpressionDecoder extends CsvDecoder {
    private static final int CAMPAIGN_ID_FIELD = 0;
    private static final int CAMPAIGN_ID_SLOT = 0;
    private static final int INVENTORY_ID_FIELD = 1;
    private static final int INVENTORY_ID_SLOT = 1;
    private static final int CREATIVE_ID_FIELD = 2;
    private static final int CREATIVE_ID_SLOT = 2;
    private static final int AUDIENCE_ATTRIBUTE_ID_FIELD = 3;
    private static final int AUDIENCE_ATTRIBUTE_ID_SLOT = 3;
    private static final int USER_ID_FIELD = 4;
    private static final int USER_ID_SLOT = 4;
    private static final int MEDIA_COST_FIELD = 5;
    private static final int NO_SLOT = -1;
    private static final int MEDIA_COST_MICROS_SLOT = 5;
    private static final int DATA_COST_FIELD = 6;
    private static final int DATA_COST_MICROS_SLOT = 6;

    public ImpressionDecoder(EventSchema schema) {
        super(schema);
    }

    @Override
    protected void readColumns(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException {
        int at = from;
        // column 1
        at = skip(bytes, at, to, 1, 1);
        // column 2: campaign_id
        at = int64(bytes, at, to, event, CAMPAIGN_ID_SLOT, CAMPAIGN_ID_FIELD);
        // column 3: inventory_id
        at = int64(bytes, at, to, event, INVENTORY_ID_SLOT, INVENTORY_ID_FIELD);
        // column 4: creative_id
        at = int64(bytes, at, to, event, CREATIVE_ID_SLOT, CREATIVE_ID_FIELD);
        // column 5: audience_attribute_id
        at = int64(bytes, at, to, event, AUDIENCE_ATTRIBUTE_ID_SLOT, AUDIENCE_ATTRIBUTE_ID_FIELD);
        // column 6: user_id
        at = int64(bytes, at, to, event, USER_ID_SLOT, USER_ID_FIELD);
        // column 7: media_cost
        at = decimal(bytes, at, to, event, NO_SLOT, MEDIA_COST_MICROS_SLOT, MEDIA_COST_FIELD);
        // column 8: data_cost
        at = decimal(bytes, at, to, event, NO_SLOT, DATA_COST_MICROS_SLOT, DATA_COST_FIELD);
    }
}
