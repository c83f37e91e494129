package io.summarizer.core.archive;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A reference to the rows of one summary in the file of a window. Holds neither the rows nor an open file. If the file
 * also has rows of the summary's overflow, another object represents the rows of the overflow. Immutable. Takes only 64
 * bytes of memory, because a service may have 100,000 closed windows. Therefore, the name of the file is made only when
 * it is needed.
 *
 * @param layout layout of the rows in the file; files with equal layouts share one object
 */
record WindowFile(Disk disk, int number, long cut, long start, long end, long rows, long bytes, SummaryLayout layout)
        implements ClosedWindow {
    /** The end of the names of files of windows. */
    static final String SUFFIX = ".state";

    private static final int COPY_BYTES = 64 * 1024;

    /** The name of the file of a window. The first file has number 1, each replacement a greater number. */
    static String name(long start, int number) {
        return WindowName.of(start) + (number == 1 ? "" : "-" + number) + SUFFIX;
    }

    /** The name of the file in its folder. */
    String name() {
        return name(start, number);
    }

    @Override
    public Rows open(SummaryLayout wanted, List<Integer> path) throws IOException {
        StateFile file = StateFile.open(disk, name());
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
    public void copyTo(OutputStream out) throws IOException {
        byte[] bytes = new byte[COPY_BYTES];
        try (DiskFile file = disk.open(name(), false)) {
            long copied = 0;
            for (int read = 1; read > 0; copied += read) {
                read = file.read(ByteBuffer.wrap(bytes), copied);
                out.write(bytes, 0, read);
            }
            if (copied != this.bytes) {
                throw new IOException(this + " has " + copied + " bytes, and had " + this.bytes);
            }
        }
    }

    @Override
    public String toString() {
        return disk + "/" + name();
    }
}
