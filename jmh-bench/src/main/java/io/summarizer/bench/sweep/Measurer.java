package io.summarizer.bench.sweep;

import java.io.IOException;
import java.time.Duration;

/** Makes visits. */
public interface Measurer {
    /**
     * Adds a row for everything of the visit that is not among the results, also when it fails.
     *
     * @throws IOException when results cannot be written, not when a server fails
     */
    void measure(Visit visit, Results results) throws IOException, InterruptedException;

    /** How long a visit takes if all goes well. */
    Duration estimate(Visit visit);
}
