package io.summarizer.server.net;

/** When the sender of a message is told that it is taken. */
public enum Ack {
    /** When it is in the journal, and that on the disk: from then on nothing short of the disk's end loses it. */
    DURABLE,
    /** When it is in the rows: lost with them when the process is killed, unless it is in a journal, too. */
    APPLIED
}
