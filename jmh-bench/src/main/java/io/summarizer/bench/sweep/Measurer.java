package io.summarizer.bench.sweep;

import java.io.IOException;
import java.time.Duration;

/** Measures visits. */
public interface Measurer {
    /**
     * Measures each part of the visit that the results do not have yet. Adds a row for each such part, even if the part
     * fails.
     *
     * @throws IOException when results cannot be written; a failure of the server only makes a row
     */
    void measure(Visit visit, Results results) throws IOException, InterruptedException;

    /** Expected duration of a visit that does not fail. */
    Duration estimate(Visit visit);
}
