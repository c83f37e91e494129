package io.summarizer.core.queue;

/**
 * The way in which a consumer waits for work. The policies differ in latency and in the CPU time that waiting takes.
 */
public enum WaitPolicy {
    /** Parks on a lock; an idle consumer costs nothing. */
    BLOCKING,
    /** Spins, yields, then sleeps for tens of microseconds at a time. */
    SLEEPING,
    /** Spins, then yields its time slice over and over; an idle consumer keeps a core busy. */
    YIELDING,
    /** Spins; an idle consumer keeps a core busy. */
    BUSY_SPIN
}
