package io.summarizer.core.store;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a summary in files. Any thread may read the rows while the cut that has them is held. {@code toString} names
 * a file, for messages.
 */
public interface RowSource {
    /**
     * Start of the window to which all rows belong, in µs since the epoch; {@link SummaryStore#NO_WINDOW} if the
     * summary has no windows.
     */
    long window();

    /** Shape of the rows in the files. */
    SummaryLayout layout();

    /**
     * Opens the rows of the summary, or of a nested summary with its parents. The caller has to close them.
     *
     * @param layout shape of the rows that are read. If the definitions have changed, the rows in the files may have
     *     another shape, which must be convertible to this shape
     * @param path positions of nested summaries in {@code layout}, from the outermost on; empty for the summary itself
     */
    Rows open(SummaryLayout layout, List<Integer> path) throws IOException;

    /** Rows in parts that are read one after the other. Each row is in one part. One thread. */
    interface Rows extends AutoCloseable {
        /**
         * Reads the next rows into memory; returns null when there are no more rows. Each time that the same rows are
         * opened, they come in the same parts.
         */
        @Nullable
        StoreView next() throws IOException;

        @Override
        void close() throws IOException;
    }
}
