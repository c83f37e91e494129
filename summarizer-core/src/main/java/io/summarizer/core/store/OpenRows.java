package io.summarizer.core.store;

import java.util.List;

/**
 * Rows that are in files but in no closed window: the rows of one open window of a summary, or rows of a summary
 * without windows.
 */
public interface OpenRows extends RowSource {
    /**
     * Number of rows of the summary, or of a nested summary.
     *
     * @param path positions of nested summaries, from the outermost on; empty for the summary itself
     */
    long rows(List<Integer> path);
}
