package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Optional;

/**
 * Chooses the next visit from the results so far. A plan has no state but the results. So a sweep that is started again
 * continues where the last sweep ended.
 */
public interface SweepPlan {
    /** Returns the next visit; empty at the end. */
    Optional<Visit> next(Results results);

    /** Returns the remaining visits if they are known; empty when they depend on the time. */
    Optional<List<Visit>> left(Results results);
}
