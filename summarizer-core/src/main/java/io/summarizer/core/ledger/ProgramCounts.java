package io.summarizer.core.ledger;

import java.util.List;

/**
 * What the program of one event type counted for one parser worker. Written by that worker; read at a cut, when no worker is at
 * work, or by anybody as of about now.
 */
public final class ProgramCounts {
    /** For each mapping: how often its {@code where} held and all its updates were emitted. */
    public final long[] applied;
    /** For each mapping: how often its {@code where} did not hold. */
    public final long[] filtered;
    /** Used strings in which invalid UTF-8 became U+FFFD. */
    public long invalidUtf8;
    /** Expressions that came to null because something in them failed. */
    public final NullTally nulls;
    /** Times that {@code extract} gave null because the match would have taken too many steps. */
    public long extractsAbandoned;
    /** Steps that matches of {@code extract} may still take: in a query those of a row, in a mapping more than there will ever be. */
    public long extractSteps = Long.MAX_VALUE;
    /** Events that are to be counted once and have no id, so that they are counted each time. */
    public long withoutId;
    /** Keys and texts that were too long, in summaries where such updates are refused. */
    public long tooLong;

    /** Counts of a program without expressions that may fail. */
    public ProgramCounts(int mappings) {
        this(mappings, List.of());
    }

    /** Counts of a program with these expressions. */
    public ProgramCounts(int mappings, List<NullSite> sites) {
        applied = new long[mappings];
        filtered = new long[mappings];
        nulls = new NullTally(sites, this);
    }
}
