package io.summarizer.core.store;

/**
 * How much a summary may have by its definition, and what becomes of updates for further keys. Immutable.
 *
 * @param keys keys at most, of a nested summary over all its parents; or 0: what the server allows
 * @param bytes bytes of memory that a top-level summary takes, with all that is nested in it, before it gets no further keys; or 0:
 *     as many as there are
 */
public record SummaryLimit(long keys, long bytes, Overflow overflow) {
    /** What becomes of updates for keys beyond the bound. */
    public enum Overflow {
        /** They are refused. */
        REJECT,
        /** They go to the summary that takes the overflow of this one. */
        OTHER,
        /** This is such a summary: whatever the key, there is one row, and its key is null. */
        KEYLESS
    }

    /** Keys that the server allows where neither its configuration nor a definition says otherwise. */
    public static final long DEFAULT_KEYS = 20_000_000;

    /** As much as the server allows; further keys are refused. */
    public static final SummaryLimit DEFAULT = new SummaryLimit(0, 0, Overflow.REJECT);

    /** Of a summary that takes the overflow of another one. */
    public static final SummaryLimit KEYLESS = new SummaryLimit(0, 0, Overflow.KEYLESS);
}
