package io.summarizer.bench.chaos;

import java.io.IOException;

/** Brings numbered events to the service, 0, 1, 2 and so on, and each of them until it is answered. Any thread may ask. */
interface Sender extends AutoCloseable {
    /** Lets events below this number out. */
    void allow(long limit);

    /** All events that may have reached the service are below this number. */
    long sent();

    /** All events below this number were acknowledged; 0 when this sender cannot tell. */
    long acknowledged();

    /** How often an event may have been written to the service; {@link Integer#MAX_VALUE} when this sender cannot tell. */
    int transmissions(long number);

    /** Events written more than once, each time; 0 when this sender cannot tell. */
    long resent();

    @Override
    void close() throws IOException;
}
