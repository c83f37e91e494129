package io.summarizer.core.window;

/**
 * Tells up to which time an input is known to have nothing that waits, from two numbers: of what was handed over, and of
 * what was processed. Knows it only from look to look. One thread.
 */
public final class Backlog {
    private long submitted;
    private long submittedAt;
    private long clearedAt;

    /**
     * Looks at the numbers.
     *
     * @param submitted number of messages or batches that were handed over
     * @param processed number of these that were processed, read before {@code submitted}
     * @param now time of a clock that never goes back, in µs
     */
    public void look(long submitted, long processed, long now) {
        if (processed >= this.submitted) {
            clearedAt = submittedAt;
            this.submitted = submitted;
            submittedAt = now;
        }
    }

    /** A time of the clock: everything that was handed over before it was processed. */
    public long clearedAt() {
        return clearedAt;
    }
}
