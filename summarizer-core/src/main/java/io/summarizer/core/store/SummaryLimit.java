package io.summarizer.core.store;

/**
 * The bounds in the definition of a summary, and the destination of updates for keys beyond the bounds. Immutable.
 *
 * @param keys maximum number of keys; 0 for the server's bound. For a nested summary, the keys under all parent rows
 *     count together
 * @param bytes maximum memory of a top-level summary with all summaries nested in it; 0 for no bound. A summary at this
 *     bound gets no further keys
 */
public record SummaryLimit(long keys, long bytes, Overflow overflow) {
    /** The destination of updates for keys beyond the bound. */
    public enum Overflow {
        /** These updates are refused. */
        REJECT,
        /** Updates for keys beyond the bound go to the summary that takes the overflow of this summary. */
        OTHER,
        /** This summary takes overflow: it has one row for all keys, and the key of this row is null. */
        KEYLESS
    }

    /** The bound on keys when the configuration and the definition have none. */
    public static final long DEFAULT_KEYS = 20_000_000;

    /** The server's bound on keys holds, and further keys are refused. */
    public static final SummaryLimit DEFAULT = new SummaryLimit(0, 0, Overflow.REJECT);

    /** The limit of a summary that takes the overflow of another summary. */
    public static final SummaryLimit KEYLESS = new SummaryLimit(0, 0, Overflow.KEYLESS);
}
