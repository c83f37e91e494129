package io.summarizer.core.recovery;

import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.archive.WindowUpload;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.Traffic;
import io.summarizer.core.pipeline.WindowProgress;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.core.time.Windows;
import io.summarizer.core.window.Backlog;
import io.summarizer.core.window.InputName;
import io.summarizer.core.window.Watermarks;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Closes windows when the watermark has passed their end by the closing delay, writes the rows of closed windows to
 * files, and then removes these rows from memory. Deletes files that need not be kept any longer.
 * <pre>
 *   watermark beyond the end --> control at a cut, journalled --> file, read back --> rows leave memory
 * </pre>
 *
 * <p>As long as rows of a closed window are in memory, cuts and checkpoints contain them like other rows. Therefore, a
 * process that dies at any point loses nothing: the next process finds the close in the journal or in the checkpoint,
 * and writes the file. A window that has a file is not written again, even if some of its rows are still in memory.
 *
 * <p>One thread at a time closes the windows that are due. All other methods: any thread that may block. {@link #write}
 * and {@link #put} take turns, because both change files. A close waits for the last steps of a put,
 * but not for {@link #write}.
 */
public final class WindowCloser {
    private static final Logger LOG = System.getLogger(WindowCloser.class.getName());

    private final Controls controls;
    private final Pipeline pipeline;
    private final WindowFolders folders;
    private final Watermarks watermarks;
    /** The backlog of each pipeline, by name of the input. Used by the thread that closes windows. */
    private final Map<String, Backlog> pipelines = new HashMap<>();
    /** The backlog of messages that wait for the journal. Used by the same thread. */
    private final Backlog journal;
    /** The backlog of messages from Kafka. Used by the same thread. */
    private final Backlog partitions;
    /**
     * Whether each listener has a journal. If so, a close is journalled, and its position in the journal determines
     * which messages are in the file of the window.
     */
    private final boolean allJournalled;

    /**
     * The closed windows whose rows the last checkpoint has, until their files are written: the boundary of each
     * summary. A window that cannot be written is tried again each second, and no further checkpoint is needed for it.
     * Guarded by this.
     */
    private Map<String, Long> covered = Map.of();

    /** The plan at the time of {@link #covered}. A summary that is removed and added again has other rows. */
    private @Nullable Plan coveredPlan;

    /** The changes of the state that a close makes. */
    interface Controls {
        /** Closes windows; see {@link DurableControls#closeWindows}. */
        boolean closeWindows(String summary, long before) throws IOException, InterruptedException;

        /** Prepares a file, journals its put, and then renames it; see {@link DurableControls#put}. */
        ClosedWindow put(String summary, DurableControls.Put put) throws IOException, InterruptedException;

        /** Writes a checkpoint; see {@link DurableControls#checkpoint}. */
        Optional<DurableControls.Written> checkpoint(boolean anyway) throws IOException, InterruptedException;

        /** Waits until all closes so far are durable; see {@link DurableControls#awaitDurable}. */
        void awaitDurable() throws IOException, InterruptedException;

        /** Looks at the batches that wait for the journal; see {@link DurableControls#lookAtJournal}. */
        void lookAtJournal(Backlog backlog, long clock);
    }

    /**
     * @param allJournalled whether the messages of all listeners are journalled. Otherwise, a checkpoint is written
     *     before the files of closed windows, because these files contain messages that the next process could not read
     *     again
     */
    public WindowCloser(DurableControls controls, WindowFolders folders, boolean allJournalled) {
        this(controls.pipeline(), controls, folders, allJournalled);
    }

    WindowCloser(Pipeline pipeline, Controls controls, WindowFolders folders, boolean allJournalled) {
        this.pipeline = pipeline;
        this.controls = controls;
        this.folders = folders;
        watermarks = pipeline.watermarks();
        partitions = watermarks.newBacklog();
        journal = watermarks.newBacklog();
        this.allJournalled = allJournalled;
    }

    /**
     * Closes again all windows that have files. This is necessary because, without a checkpoint, the state may not know
     * that these windows are closed. Call this method after the replay, before messages arrive.
     *
     * @throws IOException when the windows of files differ from the windows of the definitions, or when a close cannot
     *     be made durable
     */
    public void begin() throws IOException, InterruptedException {
        for (SummaryLayout layout : pipeline.plan().summaries()) {
            String problem = folders.problem(layout);
            if (!problem.isEmpty()) {
                throw new IOException(problem);
            }
        }
        for (WindowProgress windows : pipeline.windows()) {
            long end = folders.boundary(windows.summary());
            if (end > windows.boundary()) {
                var unused = controls.closeWindows(windows.summary(), end);
            }
        }
    }

    /**
     * Moves the watermarks, and closes the windows that are due. Does not write their files.
     *
     * @param clock time of a clock that never goes back, in µs
     * @throws IOException when a control cannot be made durable. The next call tries again
     */
    public void closeDue(long clock) throws IOException, InterruptedException {
        controls.lookAtJournal(journal, clock);
        List<Traffic> traffic = pipeline.traffic();
        for (int number = 0; number < traffic.size(); number++) {
            Traffic of = traffic.get(number);
            Backlog backlog = pipelines.computeIfAbsent(InputName.ofPipeline(number), name -> watermarks.newBacklog());
            if (journal.waits()) {
                backlog.hold();
            } else {
                backlog.look(of.submitted(), of.processed(), clock);
            }
        }
        pipeline.lookAtKafka(partitions, clock);
        for (WindowProgress windows : pipeline.windows()) {
            long watermark = watermarks.move(
                    windows.summary(),
                    windows.progress(),
                    input -> pipelines.getOrDefault(input, partitions).clearMicros());
            long due = Watermarks.due(windows.window(), watermark);
            if (due > windows.boundary()) {
                var unused = controls.closeWindows(windows.summary(), due);
            }
        }
    }

    /**
     * Closes windows of a summary now, whatever the watermark is.
     *
     * @param before time in µs since the epoch; windows that begin before this time are closed. Empty to close all
     *     windows that have rows
     * @return the time, in µs since the epoch, before which this call closed windows; empty when there was nothing to
     *     close
     * @throws WindowRefusedException when {@code before} is after the end of the window that contains the present, and
     *     after all windows with rows: nothing could open these windows again
     * @throws IOException when the close cannot be made durable
     */
    public OptionalLong close(String summary, OptionalLong before) throws IOException, InterruptedException {
        Optional<WindowProgress> found = progress(summary);
        if (found.isEmpty()) {
            return OptionalLong.empty();
        }
        WindowProgress windows = found.get();
        Windows calendar = windows.window().windows();
        final long boundary;
        if (before.isPresent()) {
            long start = calendar.start(before.getAsLong());
            boundary = start == before.getAsLong() ? start : calendar.end(start);
            long newest = windows.inMemory().stream()
                    .mapToLong(Long::longValue)
                    .reduce(pipeline.clock().lowerMicros(), Math::max);
            long end = calendar.end(calendar.start(newest));
            if (boundary > end) {
                throw new WindowRefusedException("windows of " + summary + " that begin before "
                        + TimestampText.toString(before.getAsLong()) + " cannot be closed: some of them are in the"
                        + " future, and a closed window stays closed; the last time that can be given is "
                        + TimestampText.toString(end));
            }
        } else if (windows.inMemory().isEmpty()) {
            return OptionalLong.empty();
        } else {
            boundary = calendar.end(windows.inMemory().get(windows.inMemory().size() - 1));
        }
        if (!controls.closeWindows(summary, boundary)) {
            return OptionalLong.empty();
        }
        LOG.log(
                Level.INFO,
                () -> "windows of " + summary + " that begin before " + TimestampText.toString(boundary)
                        + " were closed on request");
        return OptionalLong.of(boundary);
    }

    /**
     * Begins to receive a file for a closed window.
     *
     * @param bytesMax bound on its bytes
     * @throws WindowRefusedException when there is no such summary, or when the summary has no windows
     */
    public WindowUpload beginPut(String summary, long bytesMax) throws IOException {
        if (progress(summary).isEmpty()) {
            throw new WindowRefusedException(summary + " has no time windows");
        }
        return folders.begin(summary, bytesMax);
    }

    /**
     * Gives a closed window a received file, which replaces the window's earlier file, if there is one. First makes the
     * file durable under another name, then journals a control, and then gives the file its name. If the process dies
     * during these steps but the journal has the control, the next process finishes the put.
     *
     * @param now time in µs since the epoch
     * @param threads number of threads that verify the file
     * @throws WindowRefusedException when the file is damaged, belongs to no closed window of the summary, was not made
     *     from the present file of its window, or does not fit the definitions. Nothing was changed
     */
    public ClosedWindow put(String summary, WindowUpload upload, long now, int threads)
            throws IOException, InterruptedException {
        upload.verify(threads);
        ClosedWindow put;
        synchronized (this) {
            put = controls.put(summary, new DurableControls.Put() {
                @Override
                public WindowPut prepare() throws IOException {
                    SummaryLayout layout = pipeline.plan().summaries().stream()
                            .filter(each -> each.name().equals(summary))
                            .findFirst()
                            .orElseThrow(() -> new WindowRefusedException("there is no summary " + summary));
                    return folders.prepare(upload, layout, (start, end) -> problem(summary, start, end, now));
                }

                @Override
                public ClosedWindow rename(WindowPut prepared) throws IOException {
                    return folders.put(summary, prepared);
                }
            });
        }
        LOG.log(
                Level.INFO,
                () -> "the window " + TimestampText.toString(put.start()) + " of " + summary
                        + " was put on request; rows=" + put.rows());
        return put;
    }

    private Optional<WindowProgress> progress(String summary) {
        return pipeline.windows().stream()
                .filter(windows -> windows.summary().equals(summary))
                .findFirst();
    }

    /** The reason why a file must not become the window; empty when the file may. */
    private String problem(String summary, long start, long end, long now) {
        WindowProgress windows = progress(summary).orElse(null);
        if (windows == null) {
            return summary + " has no time windows";
        }
        Windows calendar = windows.window().windows();
        String name = "the window " + TimestampText.toString(start) + " of " + summary;
        if (calendar.start(start) != start || calendar.end(start) != end) {
            return "the file has a window from " + TimestampText.toString(start) + " to " + TimestampText.toString(end)
                    + ", and the definitions of " + summary + " have other windows";
        }
        if (start >= windows.boundary()) {
            return name + " is not closed; close it first (windows close " + summary + " --before "
                    + TimestampText.toString(end) + ")";
        }
        if (windows.inMemory().contains(start)) {
            return name + " is being closed; try again in a moment";
        }
        if (windows.window().isExpired(end, now)) {
            return name + " ended longer ago than keep, so the service would delete it at once";
        }
        return "";
    }

    /**
     * Writes the rows of all closed windows to files, and deletes files that are no longer kept. A summary whose
     * windows cannot be written does not hold up the others.
     *
     * @param now time in µs since the epoch
     * @throws IOException when a file cannot be written. The next call tries again
     */
    public synchronized void write(long now) throws IOException, InterruptedException {
        List<WindowProgress> all = pipeline.windows();
        expire(all, now); // first, because a full disk may take no file until others are deleted
        if (all.stream().anyMatch(WindowProgress::isClosing)) {
            if (allJournalled) {
                controls.awaitDurable();
            } else {
                cover(all);
            }
        }
        IOException failure = null;
        for (WindowProgress windows : all) {
            try {
                if (windows.isClosing()) {
                    write(windows, now);
                }
            } catch (IOException e) { // must not hold up the other summaries
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        covered = Map.of();
    }

    private void expire(List<WindowProgress> all, long now) {
        for (WindowProgress windows : all) {
            if (windows.window().keepMicros() != SummaryWindow.FOR_EVER) {
                folders.expire(windows.summary(), now - windows.window().keepMicros());
            }
        }
        folders.sweep();
    }

    /** Writes a checkpoint that has the rows of all closed windows, unless the last one has them. */
    private void cover(List<WindowProgress> all) throws IOException, InterruptedException {
        Plan plan = pipeline.plan();
        boolean isCovered = plan == coveredPlan
                && all.stream()
                        .filter(WindowProgress::isClosing)
                        .allMatch(windows -> windows.boundary()
                                <= covered.getOrDefault(windows.summary(), ClosedWindows.NO_BOUNDARY));
        if (!isCovered) {
            var unused = controls.checkpoint(true);
            covered = all.stream().collect(Collectors.toMap(WindowProgress::summary, WindowProgress::boundary));
            coveredPlan = plan;
        }
    }

    /** Warns that the rows of a window are dropped. */
    static void warnOfNoFile(String summary, long start) {
        LOG.log(
                Level.WARNING,
                () -> "the window " + TimestampText.toString(start) + " of " + summary
                        + " gets no file, because it ended longer ago than keep");
    }

    private void write(WindowProgress windows, long now) throws IOException, InterruptedException {
        String summary = windows.summary();
        if (progress(summary)
                .filter(same -> same.window().equals(windows.window()))
                .isEmpty()) {
            return; // a reload has changed the summary since it was listed
        }
        folders.beginWrite(summary, windows.window(), windows.boundary());
        try {
            writeAll(windows, now);
        } finally {
            folders.endWrite(summary);
        }
    }

    private void writeAll(WindowProgress windows, long now) throws IOException, InterruptedException {
        String summary = windows.summary();
        Optional<Cut> closing = pipeline.closing(summary);
        if (closing.isEmpty()) {
            return;
        }
        Cut cut = closing.get();
        Windows calendar = windows.window().windows();
        long written = Windows.NO_START;
        try {
            TreeSet<Long> starts = new TreeSet<>();
            cut.summaries().forEach(view -> view.partitions().forEach(rows -> starts.add(rows.window())));
            for (long start : starts) {
                if (start >= windows.boundary()) {
                    break; // closed after the listing; the next call writes it
                }
                long end = calendar.end(start);
                if (windows.window().isExpired(end, now)) {
                    warnOfNoFile(summary, start);
                } else if (!folders.has(summary, start)) {
                    folders.write(summary, cut, start, end);
                }
                written = start;
            }
        } finally {
            cut.release();
            if (written != Windows.NO_START) {
                pipeline.dropWindows(summary, written + 1);
            }
        }
    }
}
