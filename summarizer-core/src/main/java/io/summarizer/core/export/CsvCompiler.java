package io.summarizer.core.export;

import io.summarizer.core.store.SummaryLayout;
import java.util.List;

/**
 * Compiles queries for summaries. Thread-safe; keeps a bounded number of programs, so that a repeated query costs
 * nothing.
 */
public interface CsvCompiler {
    /**
     * The program of a query. Cost: tens of ms unless it is kept; not for event loops.
     *
     * @param layout the top-level summary
     * @param path positions of nested summaries from the outermost on; empty for the top-level summary itself
     * @throws CsvQueryException when the query is wrong for this summary, or too many are being compiled
     */
    CsvProgram compile(SummaryLayout layout, List<Integer> path, CsvQuery query) throws CsvQueryException;

    /**
     * Whether {@link #compile} would have the program at once; no promise, because the least recently used ones are
     * dropped.
     */
    default boolean isKept(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        return true;
    }
}
