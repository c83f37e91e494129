package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.ledger.NullTally;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.text.DecimalText;
import java.util.List;

/**
 * The base of generated classes that evaluate expressions: a place for strings, a reader of numbers, counters. Belongs to
 * one thread.
 */
public abstract class Evaluator {
    /** Bytes of all strings that a query may make of one row. */
    private static final int QUERY_STRINGS_MAX =
            (int) Math.min(1 << 20, Runtime.getRuntime().maxMemory() / 1024);
    /** Steps that all matches of {@code extract} in one row of a query may take. */
    private static final int QUERY_STEPS_MAX = 1_000_000;
    /** Bytes for strings that a query keeps between rows, and so while it waits for its client. */
    private static final int QUERY_STRINGS_KEPT = 64 * 1024;

    /** The fields of the event, where there is one, and the space for computed strings. */
    protected final InputEvent event;

    /** Reads one string at a time. */
    protected final DecimalText decimal = new DecimalText();

    protected final ProgramCounts counts;
    /** Those of what fails in expressions. */
    protected final NullTally nulls;

    /** Of a method that evaluates an expression: whether what it returned last means null. */
    protected boolean resultIsNull;

    /** For the rows of a query: no mappings, and texts that are null beyond 1 MiB a row, or a 1024th of the heap if that is less. */
    protected Evaluator() {
        event = new InputEvent(QUERY_STRINGS_MAX);
        counts = new ProgramCounts(0);
        counts.extractSteps = QUERY_STEPS_MAX;
        nulls = counts.nulls;
    }

    /**
     * For events, with counters for {@code mappings} mappings.
     *
     * @param sites expressions that may fail
     */
    protected Evaluator(int mappings, List<NullSite> sites) {
        event = new InputEvent();
        counts = new ProgramCounts(mappings, sites);
        nulls = counts.nulls;
    }

    /**
     * Of a query: refuses to go on once a match was given up, since nobody would see that its row is missing.
     */
    protected final void checkExtracts() throws CsvQueryException {
        if (counts.extractsAbandoned() > 0) {
            throw new CsvQueryException(
                    CsvQueryException.Reason.TOO_COSTLY,
                    "where: the regex of an `extract` takes too many steps with the text of a row; simplify the regex");
        }
    }

    /** Of a query: forgets the strings of a row; the next one has all steps of {@code extract} again. */
    protected final void endRow() {
        counts.extractSteps = QUERY_STEPS_MAX;
        event.clearScratch(QUERY_STRINGS_KEPT);
    }

    /** Reads a string as a number into {@link #decimal}; false when it is none. */
    protected final boolean scan(long string) {
        int from = InputEvent.stringOffset(string);
        return decimal.scan(event.stringBytes(string), from, from + InputEvent.stringLength(string));
    }
}
