package io.summarizer.core.window;

/**
 * Measures the time during which no message or batch of an input waited. From time to time, the caller gives the number
 * of messages or batches that were handed over, and the number of those that were processed. The time follows from
 * these numbers. A batch that is processed soon does not count as waiting. One thread.
 */
public final class Backlog {
    private static final long HELD_MICROS_MIN = 10_000_000;

    private final long heldMicros;
    private long submitted;
    private long submittedAt;
    private long clearedAt;
    private long clearMicros;
    private boolean begun;
    /** Whether a batch waited during the whole time between two looks. */
    private boolean waits;

    /**
     * A backlog whose input counts as held up when a batch has waited for {@code idleMicros} or for ten seconds,
     * whichever is longer.
     */
    Backlog(long idleMicros) {
        heldMicros = Math.max(HELD_MICROS_MIN, idleMicros);
    }

    /**
     * Looks at the numbers.
     *
     * @param submitted number of messages or batches that were handed over
     * @param processed number of these messages or batches that were processed; read before {@code submitted}
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

    /** Whether a message or batch waited during the whole time between the last two looks. */
    public boolean waits() {
        return waits;
    }

    /** Notes that the input cannot be read now, so that messages may wait that nobody has seen. */
    public void hold() {
        waits = true;
    }

    /**
     * The total time, in µs, for which it is known that nothing waited. Everything that came in during this time was
     * processed.
     */
    public long clearMicros() {
        return clearMicros;
    }
}
