package io.summarizer.bench.mailbox;

/** Accepts events from any number of threads. */
interface Desk {
    /** Takes events. Blocks while there is no room. The events may still be uncounted when this method returns. */
    void handIn(Letter letter) throws InterruptedException;

    /** Waits until all events are counted, then closes the desk. Called once, after the last event was handed in. */
    Tally close() throws InterruptedException;
}
