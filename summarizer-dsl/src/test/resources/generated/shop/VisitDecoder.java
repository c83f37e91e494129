package io.summarizer.generated;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.CsvDecoder;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.InputEvent;

/**
 * Reads the fields of Visit that mappings use from a line of CSV.
 */
public final class VisitDecoder extends CsvDecoder {
    public VisitDecoder(EventSchema schema) {
        super(schema);
    }

    @Override
    protected void readColumns(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException {
        int at = from;
        // column 1: ts
        at = int64(bytes, at, to, event, 0, 0);
        // column 2: page
        at = column(bytes, at, to, event, 1);
        // column 3: duration_ms
        at = column(bytes, at, to, event, 3);
        // column 4: robot
        at = column(bytes, at, to, event, 2);
    }
}
