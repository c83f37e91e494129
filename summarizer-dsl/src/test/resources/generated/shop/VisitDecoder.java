package io.summarizer.generated;

import io.summarizer.core.decode.BadPayloadException;
import io.summarizer.core.decode.CsvDecoder;
import io.summarizer.core.decode.EventSchema;
import io.summarizer.core.decode.InputEvent;

/**
 * Reads the fields of Visit that mappings use from a line of CSV.
 */
public final class VisitDecoder extends CsvDecoder {
    private static final int TS_FIELD = 0;
    private static final int TS_SLOT = 0;
    private static final int PAGE_FIELD = 1;
    private static final int DURATION_MS_FIELD = 3;
    private static final int ROBOT_FIELD = 2;

    public VisitDecoder(EventSchema schema) {
        super(schema);
    }

    @Override
    protected void readColumns(byte[] bytes, int from, int to, InputEvent event) throws BadPayloadException {
        int at = from;
        // column 1: ts
        at = int64(bytes, at, to, event, TS_SLOT, TS_FIELD);
        // column 2: page
        at = column(bytes, at, to, event, PAGE_FIELD);
        // column 3: duration_ms
        at = column(bytes, at, to, event, DURATION_MS_FIELD);
        // column 4: robot
        at = column(bytes, at, to, event, ROBOT_FIELD);
    }
}
