package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;

/** Updates of a summary that owners refused or found to be duplicates, kept for as long as the summary is defined. */
public final class SummaryTally {
    /**
     * For each owner: updates that were not applied, or not in full, counted by the first owner to find that. Written
     * by it only, by {@link Opaque}.
     */
    public final long[] refused;

    /** For each owner: refused updates whose event was a duplicate. Written by it only, by {@link Opaque}. */
    public final long[] duplicates;

    /**
     * Updates of a cut in addition to the counted ones: those loaded with its rows, less those reset. Guarded by the
     * coordinator.
     */
    long before;

    /**
     * A tally without counts.
     *
     * @param before updates that its rows contain already
     */
    public SummaryTally(int owners, long before) {
        this.before = before;
        refused = new long[owners];
        duplicates = new long[owners];
    }
}
