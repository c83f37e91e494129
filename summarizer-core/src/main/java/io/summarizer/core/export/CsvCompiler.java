package io.summarizer.core.export;

import io.summarizer.core.store.SummaryLayout;
import java.util.List;

/**
 * Compiles queries for summaries. Keeps a bounded number of programs, so that a repeated query needs no compilation.
 * Thread-safe.
 */
public interface CsvCompiler {
    /**
     * Returns the program of a query. Unless the program is kept, the method takes tens of ms. So event loops must not
     * call it.
     *
     * @param layout the top-level summary; for a query with a grouping, the table of groups
     * @param path positions of nested summaries from the outermost on; empty for the top-level summary itself
     * @throws CsvQueryException when the query does not fit this summary, or when too many queries are being compiled
     */
    CsvProgram compile(SummaryLayout layout, List<Integer> path, CsvQuery query) throws CsvQueryException;

    /**
     * Whether {@link #compile} would return the program at once. The result may change at any time, because the
     * compiler drops programs that were not used recently.
     */
    default boolean isKept(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        return true;
    }
}
