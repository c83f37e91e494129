package io.summarizer.core.export;

import io.summarizer.core.store.SummaryLayout;
import java.util.List;

/**
 * Compiles queries for summaries. Keeps a bounded number of programs, so that a repeated query needs no compilation.
 * Thread-safe.
 */
public interface CsvCompiler {
    /**
     * Returns the program of a query. Takes tens of ms when the program was not kept, so event loops must not call this
     * method.
     *
     * @param layout the top-level summary; for a query with a grouping, the table of groups
     * @param path positions of nested summaries from the outermost on; empty for the top-level summary itself
     * @throws CsvQueryException when the query does not fit this summary, or when too many other queries are being
     *     compiled
     */
    CsvProgram compile(SummaryLayout layout, List<Integer> path, CsvQuery query) throws CsvQueryException;

    /**
     * Whether {@link #compile} would return the program at once. The result may change at any time, because the
     * compiler drops programs that were not used recently.
     */
    boolean isKept(SummaryLayout layout, List<Integer> path, CsvQuery query);
}
