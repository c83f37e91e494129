package io.summarizer.core.queue;

/** The way in which a consumer waits for work: it trades CPU for latency. */
public enum WaitPolicy {
    /** Parks on a lock; idle costs nothing. */
    BLOCKING,
    /** Spins, yields, then sleeps for tens of microseconds at a time. */
    SLEEPING,
    /** Spins, then yields its time slice over and over; a core is busy while idle. */
    YIELDING,
    /** Spins; a core is busy while idle. */
    BUSY_SPIN
}
