package io.summarizer.bench.advice;

/**
 * The best setting for one goal.
 *
 * @param value the setting's figure: events/s, µs at p99, or CPU seconds per million events
 * @param reference the same figure of the reference; NaN when the figure was not measured
 * @param answer whether the lead over the reference is more than noise
 * @param rate offered events/s for the goal of latency; else NaN
 */
public record Pick(Goal goal, Measured best, double value, double reference, Noise.Answer answer, double rate) {
    /**
     * Lead over the reference, as a share of it, where a lead is more events, or less time or CPU. NaN when it is
     * unknown.
     */
    public double margin() {
        return goal == Goal.THROUGHPUT ? value / reference - 1 : 1 - value / reference;
    }
}
