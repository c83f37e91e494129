package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;

/**
 * Counts of the updates of a summary that owners refused, or found to be duplicates. The counts are kept for as long as
 * the summary is defined.
 */
public final class SummaryTally {
    /**
     * For each owner, updates that were not applied, or not in full. The first owner that finds such an update counts
     * it. Only the owner writes its entry, by {@link Opaque}.
     */
    public final long[] refused;

    /**
     * For each owner, refused updates whose event was a duplicate. Only the owner writes its entry, by {@link Opaque}.
     */
    public final long[] duplicates;

    /**
     * Number of updates in the rows that are not counted as applied: updates loaded with the rows, minus updates
     * removed by resets. Guarded by the coordinator.
     */
    long before;

    /**
     * A tally without counts.
     *
     * @param before number of updates that the rows of the summary contain already
     */
    public SummaryTally(int owners, long before) {
        this.before = before;
        refused = new long[owners];
        duplicates = new long[owners];
    }
}
