package io.summarizer.core.bytes;

/**
 * Number of additions to state that were refused, for example because a budget was used up. If the number is the same
 * before and after an addition, no part of the addition was refused. Belongs to one thread at a time.
 */
public final class Refusals {
    private long count;

    /** Counts a refusal. */
    public void add() {
        count++;
    }

    /** Counts refusals that were counted elsewhere, too. */
    public void add(long times) {
        count += times;
    }

    /** Number of refusals. */
    public long count() {
        return count;
    }
}
