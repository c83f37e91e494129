package io.summarizer.bench.sweep;

import java.io.IOException;
import java.time.Duration;

/** Measures visits. */
public interface Measurer {
    /**
     * Measures each part of the visit that is not in the results, and adds a row for it, even if it fails.
     *
     * @throws IOException when results cannot be written, not when a server fails
     */
    void measure(Visit visit, Results results) throws IOException, InterruptedException;

    /** Expected duration of a visit that does not fail. */
    Duration estimate(Visit visit);
}
