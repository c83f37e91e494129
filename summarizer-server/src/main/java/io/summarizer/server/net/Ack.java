package io.summarizer.server.net;

/** The point at which a message is acknowledged. */
public enum Ack {
    /** The journal has the message on disk. From then on only the loss of the disk loses the message. */
    DURABLE,
    /**
     * The message is in the rows. When the process is killed, rows and message are lost, except for messages that are
     * also in a journal.
     */
    APPLIED
}
