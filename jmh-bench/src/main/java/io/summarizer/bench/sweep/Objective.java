package io.summarizer.bench.sweep;

import java.util.Locale;
import java.util.OptionalDouble;

/** Objective of a search. */
public enum Objective {
    /** Most events per second. */
    THROUGHPUT(Metric.EVENTS_PER_S, 1),
    /** Least CPU time per event. */
    CPU(Metric.CPU_S_PER_MILLION, -1);

    private final Metric figure;
    private final int sign;

    Objective(Metric figure, int sign) {
        this.figure = figure;
        this.sign = sign;
    }

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Scores a point by its first runs. A higher score is better. A point without a successful first run has the lowest
     * score.
     */
    double score(Results results, Point point, int runs) {
        OptionalDouble median = results.median(point, figure, runs);
        return median.isEmpty() ? Double.NEGATIVE_INFINITY : sign * median.getAsDouble();
    }
}
