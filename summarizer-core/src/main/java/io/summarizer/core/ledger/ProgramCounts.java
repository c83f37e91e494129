package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;
import java.util.List;

/**
 * The counts of one program of an event type, for one parser worker. Only this worker writes the counts; for counts
 * that other threads read, it uses {@link Opaque}. The counts are exact at a cut, when no worker works, and approximate
 * at other times.
 */
public final class ProgramCounts {
    private static final int INVALID_UTF8 = 0;
    private static final int EXTRACTS_ABANDONED = 1;
    private static final int WITHOUT_ID = 2;

    private final long[] others = new long[3];

    /**
     * For each mapping, the number of messages for which its {@code where} was true and all its updates were emitted.
     */
    public final long[] applied;
    /** For each mapping, the number of messages for which its {@code where} was false. */
    public final long[] filtered;
    /** Counts of evaluations in which an operation failed and gave null. */
    public final NullTally nulls;
    /** Number of steps that {@code extract} may still take, for the current event or the current row of a query. */
    public long extractSteps = Long.MAX_VALUE;
    /** Number of bytes of texts that the loops over the current event may still read. */
    public long loopBytes = Long.MAX_VALUE;
    /** Number of oversized keys and texts, in summaries that refuse such updates. */
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

    /** Counts a message for which all updates of a mapping were emitted. */
    public void countApplied(int mapping) {
        Opaque.add(applied, mapping, 1);
    }

    /** Counts a message for which the {@code where} of a mapping was false. */
    public void countFiltered(int mapping) {
        Opaque.add(filtered, mapping, 1);
    }

    /** Counts a used string in which invalid UTF-8 became U+FFFD. */
    public void countInvalidUtf8(long strings) {
        Opaque.add(others, INVALID_UTF8, strings);
    }

    /** Number of used strings in which invalid UTF-8 became U+FFFD. */
    public long invalidUtf8() {
        return Opaque.get(others, INVALID_UTF8);
    }

    /** Counts one case in which {@code extract} gave null because it would have taken too many steps. */
    public void countExtractsAbandoned(long times) {
        Opaque.add(others, EXTRACTS_ABANDONED, times);
    }

    /** Number of times that {@code extract} gave null because it would have taken too many steps. */
    public long extractsAbandoned() {
        return Opaque.get(others, EXTRACTS_ABANDONED);
    }

    /** Adds to the number of events that have no id although their event type has {@code dedup}. */
    public void countWithoutId(long events) {
        Opaque.add(others, WITHOUT_ID, events);
    }

    /**
     * Number of events that had no id although their event type has {@code dedup}. Such events are never taken for
     * duplicates.
     */
    public long withoutId() {
        return Opaque.get(others, WITHOUT_ID);
    }
}
