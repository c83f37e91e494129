package io.summarizer.bench.mailbox;

/** Where events are handed in, by any number of threads. */
interface Desk {
    /** Hands in events; they are counted by the time this returns, or later. Waits while there is no room for them. */
    void handIn(Letter letter) throws InterruptedException;

    /** Has everything counted that was handed in, and closes. Called once, when all threads are done handing in. */
    Tally close() throws InterruptedException;
}
