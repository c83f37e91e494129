package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;

/**
 * Numbers of updates of a summary that owners refused, or that came from duplicate events. The numbers are kept while
 * the summary is defined.
 */
public final class SummaryTally {
    /**
     * For each owner, the number of updates that it counted as not applied, or not applied in full. If several owners
     * find the same update, only the first owner counts it. Each owner writes only its own entry, by {@link Opaque}.
     */
    public final long[] refused;

    /**
     * For each owner, the number of refused updates whose event was a duplicate. Each owner writes only its own entry,
     * by {@link Opaque}.
     */
    public final long[] duplicates;

    /**
     * The number of updates in the rows, minus the number of updates that are counted as applied in full. Starts as the
     * number of updates that were loaded with the rows. A reset subtracts all updates that it removes. Only the
     * coordinator accesses this number.
     */
    long before;

    /**
     * A tally without counts.
     *
     * @param before number of updates that the rows of the summary already contain
     */
    public SummaryTally(int owners, long before) {
        this.before = before;
        refused = new long[owners];
        duplicates = new long[owners];
    }
}
