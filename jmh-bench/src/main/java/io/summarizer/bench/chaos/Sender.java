package io.summarizer.bench.chaos;

import java.io.IOException;

/**
 * A sender of numbered events 0, 1, 2 and so on to the service. The sender repeats each event until the event is
 * acknowledged. Any thread may call its methods.
 */
interface Sender extends AutoCloseable {
    /** Allows events below this number to be sent. */
    void allow(long limit);

    /** All events that may have reached the service are below this number. */
    long sent();

    /** All events below this number were acknowledged; 0 when this sender cannot tell. */
    long acknowledged();

    /**
     * Number of times that an event may have been written to the service; {@link Integer#MAX_VALUE} when this sender
     * cannot tell.
     */
    int transmissions(long number);

    /** Number of repeated writes of events; 0 when this sender cannot tell. */
    long resent();

    @Override
    void close() throws IOException;
}
