package io.summarizer.bench.mailbox;

/** Accepts events from any number of threads. */
interface Desk {
    /** Takes events. They may be counted only after this method has returned. Blocks while there is no room. */
    void handIn(Letter letter) throws InterruptedException;

    /**
     * Waits until all events are counted, and closes the desk. Called once, after all threads have stopped handing in
     * events.
     */
    Tally close() throws InterruptedException;
}
