package io.summarizer.core.window;

/**
 * Measures the time in which an input had nothing that waited, from two numbers: of what was handed over, and of what
 * was processed. What is processed soon does not count as waiting. Knows the numbers only from look to look. One
 * thread.
 */
public final class Backlog {
    private static final long HELD_MICROS_MIN = 10_000_000;

    private final long heldMicros;
    private long submitted;
    private long submittedAt;
    private long clearedAt;
    private long clearMicros;
    private boolean begun;
    /** Whether something waited from one look to the next. */
    private boolean waits;

    /** A backlog whose batches may wait for {@code idleMicros}, or ten seconds, before the input counts as held up. */
    Backlog(long idleMicros) {
        heldMicros = Math.max(HELD_MICROS_MIN, idleMicros);
    }

    /**
     * Looks at the numbers.
     *
     * @param submitted number of messages or batches that were handed over
     * @param processed number of these that were processed, read before {@code submitted}
     * @param now time of a clock that never goes back, in µs
     */
    public void look(long submitted, long processed, long now) {
        if (begun && processed < this.submitted) {
            waits = true;
            return;
        }
        if (!begun || (waits && now - submittedAt >= heldMicros)) {
            clearedAt = now;
        } else {
            clearMicros += submittedAt - clearedAt;
            clearedAt = submittedAt;
        }
        this.submitted = submitted;
        submittedAt = now;
        begun = true;
        waits = false;
    }

    /** The time for which nothing has waited, in µs, as far as is known: what came meanwhile was processed. */
    public long clearMicros() {
        return clearMicros;
    }
}
