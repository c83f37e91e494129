package io.summarizer.bench.sweep;

import java.util.Locale;
import java.util.OptionalDouble;

/** What a search looks for. */
public enum Objective {
    /** Most events a second. */
    THROUGHPUT(Metric.EVENTS_PER_S, 1),
    /** Least CPU time for an event. */
    CPU(Metric.CPU_S_PER_MILLION, -1);

    private final Metric figure;
    private final int sign;

    Objective(Metric figure, int sign) {
        this.figure = figure;
        this.sign = sign;
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How good a point is by its first runs, more is better; the worst when none of them came to its end. */
    double score(Results results, Point point, int runs) {
        OptionalDouble median = results.median(point, figure, runs);
        return median.isEmpty() ? Double.NEGATIVE_INFINITY : sign * median.getAsDouble();
    }
}
