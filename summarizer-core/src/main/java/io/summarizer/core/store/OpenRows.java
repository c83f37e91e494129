package io.summarizer.core.store;

import java.util.List;

/**
 * Rows of a summary that are in files, and in no closed window: those of an open window, or of a summary without
 * windows.
 */
public interface OpenRows extends RowSource {
    /**
     * Number of rows of the summary, or of a nested summary.
     *
     * @param path positions of nested summaries, from the outermost on; empty for the summary itself
     */
    long rows(List<Integer> path);
}
