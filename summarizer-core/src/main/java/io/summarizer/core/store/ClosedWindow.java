package io.summarizer.core.store;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A closed window of a summary, whose rows are in a file. Any thread may read it while the cut that has it is held. Its
 * text is the name of the file, for messages.
 */
public interface ClosedWindow {
    /** Start of the window, in µs since the epoch. */
    long start();

    /** End of the window, in µs since the epoch. */
    long end();

    /** Number of rows of the summary in the window, without rows of nested summaries. */
    long rows();

    /** Bytes of the file. */
    long bytes();

    /** Number of the file among the files that the window had, from 1 on. */
    int number();

    /** Id of the cut from which the file was written. */
    long cut();

    /** Writes the bytes of the file to a stream, which stays open. */
    void copyTo(OutputStream out) throws IOException;

    /** Shape of the rows in the file. */
    SummaryLayout layout();

    /**
     * Opens the rows of the summary, or of a nested summary with its parents. The caller has to close them.
     *
     * @param layout shape of the rows that are read. When the definitions have changed, the rows in the file have
     *     another shape, which can be converted to this shape
     * @param path positions of nested summaries in {@code layout}, from the outermost on; empty for the summary itself
     */
    Rows open(SummaryLayout layout, List<Integer> path) throws IOException;

    /** Rows of a window, in parts that are read one after the other. Each row is in one part. One thread. */
    interface Rows extends AutoCloseable {
        /**
         * Reads the next rows into memory; returns null when there are no more rows. The parts of a window are always
         * the same.
         */
        @Nullable
        StoreView next() throws IOException;

        @Override
        void close() throws IOException;
    }
}
