package io.summarizer.bench.mailbox;

/** Accepts events from any number of threads. */
interface Desk {
    /** Takes events. They may be counted only after this method has returned. Blocks while there is no room. */
    void handIn(Letter letter) throws InterruptedException;

    /** Waits until all events are counted, then closes the desk. Called once, after the last event was handed in. */
    Tally close() throws InterruptedException;
}
