package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullSite;
import io.summarizer.core.ledger.NullTally;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.text.DecimalText;
import java.util.List;

/**
 * The base of generated classes that evaluate expressions: space for strings, a reader of numbers, and counters. Used
 * by one thread.
 */
public abstract class Evaluator {
    /** Maximum number of bytes that all strings of a query for one row may take. */
    private static final int QUERY_STRINGS_MAX =
            (int) Math.min(1 << 20, Runtime.getRuntime().maxMemory() / 1024);
    /** Maximum number of steps that all matches of {@code extract} for one row of a query may take together. */
    private static final int QUERY_STEPS_MAX = 1_000_000;
    /** Maximum number of bytes that a query keeps for strings between rows, even while it waits for its client. */
    private static final int QUERY_STRINGS_KEPT = 64 * 1024;

    /** The fields of the event, if there is an event, and the space for computed strings. */
    protected final InputEvent event;

    /** The last string that was read as a number. */
    protected final DecimalText decimal = new DecimalText();

    protected final ProgramCounts counts;
    /** Counts of failures in expressions. */
    protected final NullTally nulls;

    /** Whether the last result of a method that evaluates an expression is null. */
    protected boolean resultIsNull;

    /**
     * An evaluator for the rows of a query, without mappings. The texts of a row may take 1 MiB, or a 1024th of the
     * heap if that is less. Texts beyond this size are null.
     */
    protected Evaluator() {
        event = new InputEvent(QUERY_STRINGS_MAX);
        counts = new ProgramCounts(0);
        counts.extractSteps = QUERY_STEPS_MAX;
        nulls = counts.nulls;
    }

    /**
     * An evaluator for events, with counters for {@code mappings} mappings.
     *
     * @param sites expressions that may fail
     */
    protected Evaluator(int mappings, List<NullSite> sites) {
        event = new InputEvent();
        counts = new ProgramCounts(mappings, sites);
        nulls = counts.nulls;
    }

    /**
     * Throws if a match was abandoned in a query. Without the exception, nobody would notice that the row of this match
     * is missing.
     */
    protected final void checkExtracts() throws CsvQueryException {
        if (counts.extractsAbandoned() > 0) {
            throw new CsvQueryException(
                    CsvQueryException.Reason.TOO_COSTLY,
                    "the regex of an `extract` takes too many steps with the text of a row, or Java's matcher fails; simplify the regex");
        }
    }

    /**
     * Ends a row of a query: drops its strings, and gives the next row the full number of steps for {@code extract}.
     */
    protected final void endRow() {
        counts.extractSteps = QUERY_STEPS_MAX;
        event.clearScratch(QUERY_STRINGS_KEPT);
    }

    /**
     * Takes bytes from those that the loops over an event may read. Returns false when there are not enough left, and
     * counts this as a failure of expression {@code site}.
     */
    protected final boolean affords(int bytes, int site) {
        counts.loopBytes -= bytes;
        if (counts.loopBytes < 0) {
            nulls.count(site, NullReason.SPACE);
            return false;
        }
        return true;
    }

    /** The string, or {@link InputEvent#NULL_STRING} when the loops over the event may not read its bytes. */
    protected final long afford(long string, int site) {
        return affords(InputEvent.stringLength(string), site) ? string : InputEvent.NULL_STRING;
    }

    /** A part of a string, as {@link Texts#substring} returns it. Takes only the bytes up to the end of the part. */
    protected final long affordPart(long string, long from, long count, int site) {
        if (!affords(0, site)) {
            return InputEvent.NULL_STRING;
        }
        long part = Texts.substring(event, string, from, count);
        counts.loopBytes -=
                InputEvent.stringOffset(part) + InputEvent.stringLength(part) - InputEvent.stringOffset(string);
        return part;
    }

    /** Reads a string as a number into {@link #decimal}. Returns false when the string is not a number. */
    protected final boolean scan(long string) {
        int from = InputEvent.stringOffset(string);
        return decimal.scan(event.stringBytes(string), from, from + InputEvent.stringLength(string));
    }
}
