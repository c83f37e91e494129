package io.summarizer.core.store;

import java.io.IOException;
import java.util.List;

/**
 * A closed window of a summary, whose rows are in a file. Any thread may read it while the cut that has it is held.
 */
public interface ClosedWindow {
    /** Start of the window, in µs since the epoch. */
    long start();

    /** End of the window, in µs since the epoch. */
    long end();

    /**
     * Number of rows of the summary, or of a nested summary, in the window.
     *
     * @param path positions of nested summaries, from the outermost on; empty for the summary itself
     */
    long rows(List<Integer> path);

    /** Opens the rows. The caller has to close them. */
    Rows open() throws IOException;

    /** The rows of a window, in parts. One thread. */
    interface Rows extends AutoCloseable {
        /** Number of parts, as partitions of a summary. */
        int parts();

        /**
         * Reads a part into memory.
         *
         * @param part number of the part
         */
        StoreView part(int part) throws IOException;

        @Override
        void close() throws IOException;
    }
}
