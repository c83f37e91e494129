package io.summarizer.bench.mailbox;

/** Accepts events from any number of threads. */
interface Desk {
    /** Takes events, which may be counted after this method returns. Blocks while there is no room. */
    void handIn(Letter letter) throws InterruptedException;

    /**
     * Waits until all events are counted, and closes the desk. Called once, after all threads have stopped handing in
     * events.
     */
    Tally close() throws InterruptedException;
}
