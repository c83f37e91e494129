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
    private final Plan last;
    private final long now;

    /** A time in µs since the epoch that the last process had reached. */
    private long then;

    /**
     * The windows of a pipeline before the replay.
     *
     * @param files the files of windows; null when there are none
     * @param last the definitions that will be in force after the replay
     * @param then time of the checkpoint, in µs since the epoch
     * @param now the present time, in µs since the epoch
     */
    ReplayedWindows(Pipeline pipeline, @Nullable WindowFolders files, Plan last, long then, long now) {
        this.pipeline = pipeline;
        this.files = files;
        this.last = last;
        this.then = then;
        this.now = now;
    }

    /** Announces that the last process had reached a time. */
    void at(long micros) {
        then = Math.max(then, micros);
    }

    /** Removes what need not be in memory. */
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
     * Removes what the last process did not have in memory either when it took other definitions: the rows of windows
     * that expired before, and all closed windows of the summaries that the next definitions do not have or give other
     * windows. Of other windows, that process had no file any more either.
     */
    void beforeReload(Plan next) throws InterruptedException {
        begin();
        for (SummaryLayout layout : pipeline.plan().summaries()) {
            boolean isGone = SummaryLayout.indexOf(next.summaries(), layout.name()) < 0;
            if (layout.window() != null && (isGone || isOther(layout, next))) {
                pipeline.dropWindows(layout.overflowOf(), Long.MAX_VALUE);
            }
        }
    }

    /** Whether the next definitions give a summary other windows. */
    static boolean isOther(SummaryLayout layout, Plan next) {
        int target = SummaryLayout.indexOf(next.summaries(), layout.name());
        return target >= 0
                && !LayoutMatch.haveSameWindows(layout, next.summaries().get(target));
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
                if (!isExpired(windows, calendar.end(start))) {
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

    /**
     * Whether a window need not be kept: either the last process did not keep it, by the {@code keep} of that time, or
     * nobody will keep it, by the last {@code keep}. The present time does not count for the {@code keep} of that time,
     * because a later one may have kept the rows longer.
     */
    private boolean isExpired(WindowProgress windows, long end) {
        int layout = SummaryLayout.indexOf(last.summaries(), windows.summary());
        SummaryWindow lastWindow =
                layout < 0 ? null : last.summaries().get(layout).window();
        return windows.window().isExpired(end, then) || (lastWindow != null && lastWindow.isExpired(end, now));
    }
}
