package io.summarizer.core.recovery;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.WindowProgress;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.Windows;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a pipeline that replays a journal. When the rows of a closed window are in files or need not be kept,
 * they leave memory at once. If they stayed, the rows of all windows that closed since the checkpoint would be in
 * memory together. The bounds on rows and on open windows would then reject events that the last process applied.
 *
 * <p>One thread.
 */
final class ReplayedWindows {
    private final Pipeline pipeline;
    private final @Nullable WindowFolders files;
    private final long now;

    /**
     * For each summary, the longest {@code keep} of its windows from the checkpoint to the end of the journal. A
     * shorter {@code keep} of the moment must not decide, because a later one may have kept the rows.
     */
    private final Map<String, Long> longestKeep = new HashMap<>();

    /**
     * The windows of a pipeline before the replay.
     *
     * @param files the files of windows; null when there are none
     * @param now time in µs since the epoch, by which windows need not be kept any longer
     */
    ReplayedWindows(Pipeline pipeline, @Nullable WindowFolders files, long now) {
        this.pipeline = pipeline;
        this.files = files;
        this.now = now;
    }

    /** Announces definitions that are in force now, or later in the journal. */
    void expect(Plan plan) {
        for (SummaryLayout layout : plan.summaries()) {
            SummaryWindow window = layout.window();
            if (window != null) {
                longestKeep.merge(layout.name(), window.keepMicros(), Math::max);
            }
        }
    }

    /** Removes what need not be in memory, after all definitions were announced. */
    void begin() throws InterruptedException {
        for (WindowProgress windows : pipeline.windows()) {
            drop(windows);
        }
    }

    /** Closes the windows of a summary before a boundary. */
    void close(String summary, long boundary) throws InterruptedException {
        var unused = pipeline.closeWindows(summary, boundary);
        for (WindowProgress windows : pipeline.windows()) {
            if (windows.summary().equals(summary)) {
                drop(windows);
            }
        }
    }

    /**
     * Removes the rows of all closed windows of the summaries whose windows the next definitions change. The process
     * that took these definitions had no such rows, and no file of such a window any more.
     */
    void beforeReload(Plan next) throws InterruptedException {
        for (SummaryLayout layout : pipeline.plan().summaries()) {
            int target = SummaryLayout.indexOf(next.summaries(), layout.name());
            if (layout.window() != null
                    && target >= 0
                    && !LayoutMatch.haveSameWindows(layout, next.summaries().get(target))) {
                pipeline.dropWindows(layout.overflowOf(), Long.MAX_VALUE);
            }
        }
    }

    /** Finishes the put of a window that the last process began. */
    void put(String summary, WindowPut put) throws IOException {
        if (files != null) {
            files.finishPut(summary, put);
        }
    }

    /** Ends the replay: deletes files that were received and not put. */
    void end() throws IOException {
        if (files != null) {
            files.discardPuts();
        }
    }

    /**
     * Removes the rows of the earliest closed windows of a summary, up to the first window that has no file and has to
     * get one.
     */
    private void drop(WindowProgress windows) throws InterruptedException {
        Windows calendar = windows.window().windows();
        long end = Windows.NO_START;
        for (long start : windows.inMemory()) {
            if (files == null || start >= windows.boundary()) {
                break;
            }
            if (!files.has(windows.summary(), start)) {
                long keep = longestKeep.getOrDefault(windows.summary(), SummaryWindow.FOR_EVER);
                if (keep == SummaryWindow.FOR_EVER || calendar.end(start) > now - keep) {
                    break;
                }
                WindowCloser.warnOfNoFile(windows.summary(), start);
            }
            end = start + 1;
        }
        if (end != Windows.NO_START) {
            pipeline.dropWindows(windows.summary(), end);
        }
    }
}
