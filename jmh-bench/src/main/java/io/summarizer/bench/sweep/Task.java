package io.summarizer.bench.sweep;

import java.util.List;

/**
 * A point and its number of visits.
 *
 * @param loadRepeats number of visits that also measure latency, counted from the first visit
 */
public record Task(Point point, int repeats, List<Load> loads, int loadRepeats) {
    public Task {
        loads = List.copyOf(loads);
    }

    /** A point whose latency is measured at each visit. */
    public Task(Point point, int repeats, List<Load> loads) {
        this(point, repeats, loads, repeats);
    }
}
