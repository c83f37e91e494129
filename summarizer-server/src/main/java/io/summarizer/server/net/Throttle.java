package io.summarizer.server.net;

/** Admits one event of a kind in each interval, and counts the others. Thread-safe. */
public final class Throttle {
    private final long intervalNanos;
    private boolean admitted;
    private long admittedAt;
    private long leftOut;

    /** A throttle that admits the first event. */
    public Throttle(long intervalNanos) {
        this.intervalNanos = intervalNanos;
    }

    /** Returns the number of events left out since the last one, or -1 when this event is left out, too. */
    public synchronized long admit(long nanoTime) {
        if (admitted && nanoTime - admittedAt < intervalNanos) {
            leftOut++;
            return -1;
        }
        long result = leftOut;
        admitted = true;
        admittedAt = nanoTime;
        leftOut = 0;
        return result;
    }

    /** The end of a line about an event, when {@code leftOut} others were left out before it. */
    public static String more(long leftOut) {
        return leftOut == 0 ? "" : " (and " + leftOut + " more since the last such line)";
    }
}
