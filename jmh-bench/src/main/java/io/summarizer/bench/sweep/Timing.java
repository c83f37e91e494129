package io.summarizer.bench.sweep;

import java.time.Duration;

/**
 * Durations of the parts of a visit, in seconds.
 *
 * @param warmUp longest time of the warm-up
 * @param measure time under full load
 * @param load time under load at each offered rate, including the first part ({@link #SETTLE}), in which no latency is
 *     measured
 * @param limit time after which a visit is aborted
 * @param pullPause time between two pulls that count the visible probes. This time is also the resolution of the
 *     latency. Each pull costs the server a few tenths of a ms.
 */
public record Timing(double warmUp, double measure, double load, double limit, double pullPause) {
    /** The usual {@link #pullPause}. */
    public static final double PULL_PAUSE = 0.005;

    /**
     * Length of the first part of the time at each rate, as a share of the whole time at this rate. In the first part,
     * the server settles, and no latency is measured.
     */
    static final double SETTLE = 0.2;

    /** Time to start two JVMs and to end the server. */
    private static final double START = 2.5;
    /** Time to wait for the last event, to read figures, and to start the next part. */
    private static final double BETWEEN = 0.7;

    /** Expected duration of a visit that does not fail. */
    public Duration estimate(Visit visit) {
        double seconds = START + warmUp + measure + BETWEEN + visit.loads().size() * (load + BETWEEN);
        return Duration.ofMillis((long) (1000 * seconds));
    }
}
