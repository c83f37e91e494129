package io.summarizer.bench.advice;

/**
 * The best setting for one goal.
 *
 * @param value the setting's figure: events/s, µs at p99, or CPU seconds per million events
 * @param reference the figure of the reference; NaN when this figure was not measured
 * @param answer result of the test of the lead over the reference
 * @param rate offered events/s at which latencies are compared; NaN for other goals
 */
public record Pick(Goal goal, Measured best, double value, double reference, Noise.Answer answer, double rate) {
    /**
     * Lead over the reference, as a share of the reference's figure: more events, less time or less CPU. NaN when the
     * reference's figure is unknown.
     */
    public double margin() {
        return goal == Goal.THROUGHPUT ? value / reference - 1 : 1 - value / reference;
    }
}
