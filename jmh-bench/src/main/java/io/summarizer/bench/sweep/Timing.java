package io.summarizer.bench.sweep;

import java.time.Duration;

/**
 * How long the parts of a visit take, in seconds.
 *
 * @param warmUp spells of full load until they get no better, not measured; at most
 * @param measure under full load
 * @param load at each rate, the first {@link #SETTLE} of it not measured
 * @param limit a visit that takes longer is broken off
 */
public record Timing(double warmUp, double measure, double load, double limit) {
    /** Share of the time at a rate in which the server settles on it. */
    static final double SETTLE = 0.2;

    /** Two JVMs' starts and the server's end. */
    private static final double START = 2.5;
    /** Waiting for the last event, reading figures, beginning anew. */
    private static final double BETWEEN = 0.7;

    /** How long a visit takes if all goes well. */
    public Duration estimate(Visit visit) {
        double seconds = START + warmUp + measure + BETWEEN + visit.loads().size() * (load + BETWEEN);
        return Duration.ofMillis((long) (1000 * seconds));
    }
}
