package io.summarizer.core.pipeline;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts faults of this program that lose a message or an update but do not stop the pipeline. Logs only the first
 * faults, so that the log does not fill the disk. Thread-safe.
 */
final class Faults {
    private static final Logger LOG = System.getLogger(Faults.class.getName());
    private static final int LOGGED_MAX = 100;

    private final LongAdder count = new LongAdder();

    /** Counts a fault, and logs it if it is among the first ones. */
    void report(String what, RuntimeException fault) {
        count.increment();
        if (count.sum() <= LOGGED_MAX) {
            LOG.log(Level.ERROR, what, fault);
        }
    }

    /** Number of faults. */
    long count() {
        return count.sum();
    }
}
