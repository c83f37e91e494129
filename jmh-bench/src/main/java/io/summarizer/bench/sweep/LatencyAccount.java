package io.summarizer.bench.sweep;

import org.HdrHistogram.Histogram;

/**
 * Computes the latency of each probe from pulls, although a pull shows only the number of probes so far. The latency
 * starts when the probe was due, even if the probe was sent later. So the latency includes pauses before and after the
 * sending. If workers reorder two probes, the two latencies are exchanged, which changes no percentile. Used by one
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
     * Makes an account.
     *
     * @param startNanos when probe 0 is due
     * @param rate probes per second
     * @param skipped number of probes at the beginning that are ignored, because a server needs time to settle at a
     *     rate
     */
    public LatencyAccount(long startNanos, double rate, long skipped) {
        this.startNanos = startNanos;
        this.intervalNanos = 1e9 / rate;
        this.skipped = skipped;
    }

    /**
     * Records the answer to a pull.
     *
     * @param probes total number of probes in the answer so far
     * @param nowNanos time at which the answer arrived
     */
    public void visible(long probes, long nowNanos) {
        for (; seen < probes; seen++) {
            if (seen >= skipped) {
                long due = startNanos + (long) (seen * intervalNanos);
                histogram.recordValue(Math.max(0, Math.min(MAX_NANOS, nowNanos - due)));
            }
        }
    }

    /** Number of probes seen. */
    public long seen() {
        return seen;
    }

    /** Returns a percentile of the latencies, in microseconds. */
    public double micros(double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }

    /** The longest latency, in microseconds. */
    public double maxMicros() {
        return histogram.getMaxValue() / 1e3;
    }
}
