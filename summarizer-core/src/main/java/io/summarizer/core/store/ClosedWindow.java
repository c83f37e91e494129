package io.summarizer.core.store;

import java.io.IOException;
import java.io.OutputStream;

/** A closed window of a summary. */
public interface ClosedWindow extends RowSource {
    /** Start of the window, in µs since the epoch. */
    long start();

    @Override
    default long window() {
        return start();
    }

    /** End of the window, in µs since the epoch. */
    long end();

    /** Number of rows of the summary in the window, without rows of nested summaries. */
    long rows();

    /** Bytes of its files. */
    long bytes();

    /** Version number of the window's files, from 1 on; grows when the files are replaced. */
    int number();

    /** Id of the cut from which the window's files were written. */
    long cut();

    /** Writes the rows as a state file to a stream, which stays open. */
    void copyTo(OutputStream out) throws IOException;
}
