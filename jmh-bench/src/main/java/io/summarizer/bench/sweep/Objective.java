package io.summarizer.bench.sweep;

import java.util.OptionalDouble;

/** What a search looks for. */
public enum Objective {
    /** Most events a second. */
    THROUGHPUT(Figure.EVENTS_PER_S, 1),
    /** Least CPU time for an event. */
    CPU(Figure.CPU_S_PER_MILLION, -1);

    private final Figure figure;
    private final int sign;

    Objective(Figure figure, int sign) {
        this.figure = figure;
        this.sign = sign;
    }

    /** How good a point is, more is better; the worst when no run of it came to its end. */
    double score(Results results, Point point) {
        OptionalDouble median = results.median(point, figure);
        return median.isEmpty() ? Double.NEGATIVE_INFINITY : sign * median.getAsDouble();
    }
}
