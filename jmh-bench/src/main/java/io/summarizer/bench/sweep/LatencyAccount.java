package io.summarizer.bench.sweep;

import org.HdrHistogram.Histogram;

/**
 * From pulls that show how many probes they saw to how long each probe took. A probe's time counts from when it was due, not
 * from when somebody got to send it: one that stood behind a pause has the pause in it, and so has each that became due
 * meanwhile. Where workers changed the order of two probes, their times are exchanged, which no percentile sees. Used by one
 * thread.
 */
public final class LatencyAccount {
    private static final long MAX_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;

    private final Histogram histogram = new Histogram(MAX_NANOS, DIGITS);
    private final long startNanos;
    private final double intervalNanos;
    private final long skipped;
    private long seen;

    /**
     * @param startNanos when probe 0 is due
     * @param rate probes a second
     * @param skipped the first so many do not count: a server settles on a rate
     */
    public LatencyAccount(long startNanos, double rate, long skipped) {
        this.startNanos = startNanos;
        this.intervalNanos = 1e9 / rate;
        this.skipped = skipped;
    }

    /**
     * A pull's answer is there.
     *
     * @param probes that it shows, all together
     * @param nowNanos when it was there
     */
    public void visible(long probes, long nowNanos) {
        for (; seen < probes; seen++) {
            if (seen >= skipped) {
                long due = startNanos + (long) (seen * intervalNanos);
                histogram.recordValue(Math.max(0, Math.min(MAX_NANOS, nowNanos - due)));
            }
        }
    }

    /** Probes seen so far. */
    public long seen() {
        return seen;
    }

    /** A percentile in microseconds. */
    public double micros(double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }

    /** The longest, in microseconds. */
    public double maxMicros() {
        return histogram.getMaxValue() / 1e3;
    }
}
