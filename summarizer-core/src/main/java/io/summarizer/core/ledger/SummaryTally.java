package io.summarizer.core.ledger;

/** Updates of a summary that owners refused or found to be duplicates, kept for as long as the summary is defined. */
public final class SummaryTally {
    /** For each owner: updates that came to nothing, or not in full, because it was the first to find. Written by it only. */
    public final long[] refused;

    /** For each owner: those of the refused ones whose event was seen before. Written by it only. */
    public final long[] duplicates;

    /** Updates that a cut has beyond those counted: loaded with its rows, less those reset. Guarded by the coordinator. */
    long before;

    /**
     * Nothing is counted yet.
     *
     * @param before updates that its rows came about by already
     */
    public SummaryTally(int owners, long before) {
        this.before = before;
        refused = new long[owners];
        duplicates = new long[owners];
    }
}
