package io.summarizer.core.archive;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.util.List;

/**
 * The rows of one summary in the file of a window. The file may also have the rows of the summary's overflow, which are
 * another object. Holds no rows, and no open file. Immutable.
 *
 * @param layout layout of the rows in the file; files with equal layouts share one object
 */
record WindowFile(Disk disk, String name, long start, long end, long rows, long bytes, SummaryLayout layout)
        implements ClosedWindow {
    @Override
    public Rows open(SummaryLayout wanted, List<Integer> path) throws IOException {
        StateFile file = StateFile.open(disk, name);
        try {
            int summary = file.layouts().indexOf(layout);
            if (summary < 0) {
                throw new IOException(this + " was replaced by a file of other summaries");
            }
            return file.open(summary, wanted, path);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public String toString() {
        return disk + "/" + name;
    }
}
