package io.summarizer.core.result;

import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.RowFiles;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A closed window of a result, whose rows are in the files of several owners. Immutable.
 *
 * @param cut the number of the latest checkpoint that wrote one of the files
 * @param takenAtMicros the time of that checkpoint
 * @param rowFiles the rows of the summary or of its overflow
 */
record ResultWindow(long start, long end, long rows, long bytes, long cut, long takenAtMicros, RowFiles rowFiles)
        implements ClosedWindow {
    @Override
    public int number() {
        return 1;
    }

    @Override
    public SummaryLayout layout() {
        return rowFiles.layout();
    }

    @Override
    public Rows open(SummaryLayout layout, List<Integer> path) {
        return rowFiles.open(layout, path);
    }

    @Override
    public void copyTo(OutputStream out) throws IOException {
        SummaryView view = new SummaryView(layout(), List.of(), 0, ClosedWindows.NONE, List.of(rowFiles));
        try {
            long unused =
                    StateWriter.write(new Cut(cut, takenAtMicros, List.of(view)), new FileWindow(start, end), out, 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + this + " was written");
        }
    }

    @Override
    public String toString() {
        return rowFiles.toString();
    }
}
