package io.summarizer.core.recovery;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.WindowProgress;
import io.summarizer.core.store.Cut;
import io.summarizer.core.time.Windows;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Closes all windows of a pipeline when the input has ended and no service will continue the pipeline. Stateless. */
public final class FinalClose {
    private FinalClose() {}

    /**
     * Closes all windows that have rows, writes their rows to files, and removes the rows from memory. Ignores {@code
     * keep}. Call this method after the last message was handed over and a cut was taken. The cut ensures that all
     * updates were applied.
     *
     * @param folders folders without files of these windows
     */
    public static void closeAll(Pipeline pipeline, WindowFolders folders) throws IOException, InterruptedException {
        for (WindowProgress windows : pipeline.windows()) {
            List<Long> inMemory = windows.inMemory();
            if (!inMemory.isEmpty()) {
                Windows calendar = windows.window().windows();
                long boundary = calendar.end(inMemory.get(inMemory.size() - 1));
                var unused = pipeline.closeWindows(windows.summary(), boundary);
                write(pipeline, windows.summary(), calendar, folders);
                pipeline.dropWindows(windows.summary(), boundary);
            }
        }
    }

    private static void write(Pipeline pipeline, String summary, Windows calendar, WindowFolders folders)
            throws IOException, InterruptedException {
        Optional<Cut> closing = pipeline.closing(summary);
        if (closing.isEmpty()) {
            return;
        }
        Cut cut = closing.get();
        try {
            TreeSet<Long> starts = new TreeSet<>();
            cut.summaries().forEach(view -> view.partitions().forEach(rows -> starts.add(rows.window())));
            for (long start : starts) {
                folders.write(summary, cut, start, calendar.end(start));
            }
        } finally {
            cut.release();
        }
    }
}
