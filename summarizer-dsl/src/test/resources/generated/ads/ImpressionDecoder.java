package io.summarizer.generated;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.CsvDecoder;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.InputEvent;

/**
 * Reads the fields of Impression that mappings use from a line of CSV.
 */
public final class ImpressionDecoder extends CsvDecoder {
    public ImpressionDecoder(EventSchema schema) {
        super(schema);
    }

    @Override
    protected void readColumns(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException {
        int at = from;
        // column 1
        at = skip(bytes, at, to, 1, 1);
        // column 2: campaign_id
        at = int64(bytes, at, to, event, 0, 0);
        // column 3: inventory_id
        at = int64(bytes, at, to, event, 1, 1);
        // column 4: creative_id
        at = int64(bytes, at, to, event, 2, 2);
        // column 5: audience_attribute_id
        at = int64(bytes, at, to, event, 3, 3);
        // column 6: user_id
        at = int64(bytes, at, to, event, 4, 4);
        // column 7: media_cost
        at = decimal(bytes, at, to, event, -1, 5, 5);
        // column 8: data_cost
        at = decimal(bytes, at, to, event, -1, 6, 6);
    }
}
