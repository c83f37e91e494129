package io.summarizer.server.replay;

import java.io.IOException;

/** A reader of the messages of a stream, one after the other. Used by one thread. */
interface MessageReader {
    /**
     * Moves to the next message. Until the next call, the message is at {@link #offset} of {@link #buffer}.
     *
     * @return false at the end
     * @throws UnusableMessageException when a message cannot be used; the next call continues after this message
     * @throws IOException when the stream is broken and has no further messages
     */
    boolean next() throws IOException;

    byte[] buffer();

    int offset();

    /** Length of the message in bytes, without count and line end. */
    int length();

    /** Information that the input gives about the message. */
    default Passage.Origin origin() {
        return Passage.Origin.UNKNOWN;
    }

    /** Whether messages are lines. Such messages contain no line feeds, and can be sent as lines unchanged. */
    boolean isLines();
}
