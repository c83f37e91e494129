package io.summarizer.core.ledger;

import java.util.List;

/**
 * The counts of one program of an event type, for one parser worker. Written by that worker; read at a cut, while no
 * worker is at work, or at any time as about current.
 */
public final class ProgramCounts {
    /** For each mapping: messages for which its {@code where} was true and all its updates were emitted. */
    public final long[] applied;
    /** For each mapping: messages for which its {@code where} was false. */
    public final long[] filtered;
    /** Used strings in which invalid UTF-8 became U+FFFD. */
    public long invalidUtf8;
    /** Evaluations that gave null because something in them failed. */
    public final NullTally nulls;
    /** Times that {@code extract} gave null because the match would have taken too many steps. */
    public long extractsAbandoned;
    /**
     * Steps that matches of {@code extract} may still take: in a query those of a row, in a mapping practically without
     * bound.
     */
    public long extractSteps = Long.MAX_VALUE;
    /** Events that are to be counted once and have no id, so each is counted. */
    public long withoutId;
    /** Oversized keys and texts, in summaries that refuse such updates. */
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
