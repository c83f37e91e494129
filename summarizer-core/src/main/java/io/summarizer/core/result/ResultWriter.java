package io.summarizer.core.result;

import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.SectionWindows;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes the state files of a result. A job writes them in this order: the files of the windows that the checkpoint
 * closes, the files of the other rows, the {@link Manifest}. All files of one checkpoint have the same summaries.
 * Stateless.
 */
public final class ResultWriter {
    private ResultWriter() {}

    /**
     * Writes all rows of an owner except those of closed windows. Flushes the stream, but does not close it.
     *
     * @param cut the owner's rows; also has the number and the time of the checkpoint, and how many updates the owner
     *     has applied to each summary
     * @param threads number of threads, the caller's included
     * @return number of bytes
     */
    public static long writeRows(Cut cut, OutputStream out, int threads) throws IOException, InterruptedException {
        return StateWriter.write(cut, out, threads, List.of(SectionWindows.of(cut)));
    }

    /**
     * Writes the rows that an owner has of a closed window. Flushes the stream, but does not close it.
     *
     * @param cut the owner's rows of the window: the rows of the summary, and the rows of its overflow summary if there
     *     are any; both without boundaries
     * @param threads number of threads, the caller's included
     * @return number of bytes
     */
    public static long writeWindow(Cut cut, FileWindow window, OutputStream out, int threads)
            throws IOException, InterruptedException {
        return StateWriter.write(cut, window, out, threads);
    }
}
