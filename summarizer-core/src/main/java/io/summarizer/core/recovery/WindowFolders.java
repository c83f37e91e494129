package io.summarizer.core.recovery;

import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.util.List;

/** The folders with the closed windows of all summaries. One thread writes; any thread reads. */
public interface WindowFolders extends ClosedFiles {
    /** Whether a window has a file. */
    boolean has(String summary, long start);

    /** Writes the rows of a window, with those of its overflow, to a file, and reads it back. */
    void write(String summary, long start, List<SummaryView> rows) throws IOException, InterruptedException;

    /** Deletes the files of windows that end before a time, as soon as nobody reads them. */
    void expire(String summary, long before) throws IOException;
}
