package io.summarizer.bench.sweep;

import java.util.List;
import java.util.Optional;

/**
 * What to measure next, given what was measured. It remembers nothing else, so that a sweep which is started again goes on where
 * it was.
 */
public interface SweepPlan {
    /** The next visit; empty at the end. */
    Optional<Visit> next(Results results);

    /** The visits still to come as far as they are known; empty when that is for the time to say. */
    Optional<List<Visit>> left(Results results);
}
