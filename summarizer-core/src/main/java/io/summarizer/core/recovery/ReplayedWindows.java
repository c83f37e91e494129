package io.summarizer.core.recovery;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.pipeline.WindowProgress;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.Windows;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a pipeline that replays a journal. When the rows of a closed window are in files or need not be kept,
 * they leave memory at once. If they stayed, the rows of all windows that closed since the checkpoint would be in
 * memory together. The bounds on rows and on open windows would then reject events that the last process applied.
 *
 * <p>One thread.
 */
final class ReplayedWindows {
    private static final Logger LOG = System.getLogger(ReplayedWindows.class.getName());

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
        this.now = now;
        at(then);
    }

    /** Notes a time that the last process had reached. A time after the present time comes from a wrong clock. */
    void at(long micros) {
        then = Math.max(then, Math.min(now, micros));
    }

    /** Drops rows that are in files or have expired. */
    void dropUnneeded() throws InterruptedException {
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
     * Drops what the last process did not have in memory either when it took other definitions: the rows of windows
     * that expired before, and all closed windows of the summaries that the next definitions do not have or give other
     * windows. That process accepted other windows only because it had neither rows nor files of the old ones.
     */
    void beforeReload(Plan next) throws InterruptedException {
        dropUnneeded();
        for (SummaryLayout layout : changed(next)) {
            if (layout.window() != null) {
                pipeline.dropWindows(layout.name(), Long.MAX_VALUE);
            }
        }
    }

    /**
     * Empties the summaries that the next definitions do not have or give other windows, because the next definitions
     * were refused. The last process took them, so it had no such rows. This process may have some, for example of
     * events that were early then, and are not early now.
     */
    void empty(Plan next) throws InterruptedException, ResetRefusedException {
        for (SummaryLayout layout : changed(next)) {
            LOG.log(
                    Level.WARNING,
                    "{0} is emptied: its rows, which the last process did not have, do not fit the next definitions",
                    layout.name());
            pipeline.reset(layout.name()).ifPresent(Cut::release);
        }
    }

    /** The summaries that the next definitions do not have or give other windows. An overflow goes with its summary. */
    private List<SummaryLayout> changed(Plan next) {
        return pipeline.plan().summaries().stream()
                .filter(layout -> !layout.isKeyless())
                .filter(layout -> {
                    int target = SummaryLayout.indexOf(next.summaries(), layout.name());
                    return target < 0
                            || !LayoutMatch.haveSameWindows(
                                    layout, next.summaries().get(target));
                })
                .toList();
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
