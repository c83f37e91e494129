package io.summarizer.core.disk;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs the failures of work that is tried again until it succeeds. Logs the first failure, and then at most one failure
 * a minute, because a full disk causes a failure every second. One thread at a time reports failures; any thread may
 * read the count.
 */
public final class RepeatedFailures {
    /** Minimum time between two log lines about consecutive failures. */
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final Logger log;
    private final String what;
    private final AtomicLong failures = new AtomicLong();
    /** Number of failures since the last success. */
    private long inRow;

    private long loggedNanos;

    /**
     * @param what the subject of the log lines, for example {@code "a checkpoint"}
     */
    public RepeatedFailures(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /** Counts and logs a failure. */
    public void fail(Exception e) {
        failures.incrementAndGet();
        inRow++;
        long now = System.nanoTime();
        if (inRow == 1 || now - loggedNanos >= LOG_INTERVAL.toNanos()) {
            loggedNanos = now;
            log.log(
                    Level.WARNING,
                    what + " could not be written: " + DiskErrors.describe(e)
                            + (inRow == 1 ? "" : " (" + inRow + " in a row)"),
                    e);
        }
    }

    /** Logs a success after failures. */
    public void succeed() {
        if (inRow > 0) {
            log.log(Level.INFO, what + " was written again, after " + inRow + " that could not be");
            inRow = 0;
        }
    }

    /** Number of failures. Any thread. */
    public long count() {
        return failures.get();
    }
}
