package io.summarizer.server.net;

/** The point at which a message is acknowledged. */
public enum Ack {
    /** The journal has it on disk: from then on only the loss of the disk loses it. */
    DURABLE,
    /** It is in the rows: lost with them when the process is killed, unless it is in a journal, too. */
    APPLIED
}
