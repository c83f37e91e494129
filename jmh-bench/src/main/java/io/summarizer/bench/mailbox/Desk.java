package io.summarizer.bench.mailbox;

/** Accepts events from any number of threads. */
interface Desk {
    /** Takes events; they are counted when this returns, or later. Blocks while there is no room. */
    void handIn(Letter letter) throws InterruptedException;

    /** Waits until all events are counted, and closes. Called once, after all threads stopped handing in. */
    Tally close() throws InterruptedException;
}
