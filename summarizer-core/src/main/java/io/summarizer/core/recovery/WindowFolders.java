package io.summarizer.core.recovery;

import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowList;
import io.summarizer.core.archive.WindowUpload;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The folders with the closed windows of all summaries. One thread writes and deletes files; any thread reads them. */
public final class WindowFolders implements ClosedFiles {
    private final Function<String, Disk> disks;
    private final int threads;
    private final Consumer<String> notes;
    private final Map<String, WindowFolder> folders = new ConcurrentHashMap<>();
    /** Summaries of which closed windows are being written, and are not all listed yet. */
    private final Map<String, Writing> writing = new ConcurrentHashMap<>();

    /** The declaration and the boundary of the windows that are being written. */
    private record Writing(SummaryWindow window, long boundary) {}

    private WindowFolders(Function<String, Disk> disks, int threads, Consumer<String> notes) {
        this.disks = disks;
        this.threads = threads;
        this.notes = notes;
    }

    /**
     * Opens the folders of these summaries.
     *
     * @param disks returns the folder of a summary; the folder need not exist
     * @param threads number of threads that work on a file
     * @param notes receives messages about files that are set aside, or cannot be deleted
     * @throws IOException when a folder has a file that is not a window of the folder's summary
     */
    public static WindowFolders open(
            Collection<String> summaries, Function<String, Disk> disks, int threads, Consumer<String> notes)
            throws IOException {
        WindowFolders opened = new WindowFolders(disks, threads, notes);
        for (String summary : summaries) {
            var unused = opened.folder(summary);
        }
        return opened;
    }

    private synchronized WindowFolder folder(String summary) throws IOException {
        WindowFolder present = folders.get(summary);
        if (present == null) {
            present = WindowFolder.open(disks.apply(summary), summary, threads, notes);
            folders.put(summary, present);
        }
        return present;
    }

    @Override
    public Held hold(String summary) {
        WindowFolder folder = folders.get(summary);
        if (folder == null) {
            return new Held(List.of(), List.of(), () -> {});
        }
        WindowList list = folder.acquire();
        return new Held(list.windows(), list.overflow(), () -> folder.release(list));
    }

    @Override
    public long version() {
        return folders.values().stream()
                .mapToLong(folder -> folder.current().version())
                .sum();
    }

    @Override
    public long boundary(String summary) {
        Writing soon = writing.get(summary); // read first, because windows are listed before their writing ends
        ClosedWindow latest = latest(summary);
        return Math.max(
                soon == null ? ClosedWindows.NO_BOUNDARY : soon.boundary,
                latest == null ? ClosedWindows.NO_BOUNDARY : latest.end());
    }

    @Override
    public @Nullable SummaryWindow calendar(String summary) {
        Writing soon = writing.get(summary);
        ClosedWindow latest = latest(summary);
        return latest != null ? latest.layout().window() : soon == null ? null : soon.window;
    }

    @Override
    public List<SummaryLayout> layouts(String summary) {
        WindowFolder folder = folders.get(summary);
        return folder == null ? List.of() : folder.layouts();
    }

    @Override
    public List<Long> condemned(String summary) {
        WindowFolder folder = folders.get(summary);
        return folder == null ? List.of() : folder.condemned();
    }

    /**
     * The latest window of a summary that has a file. A file that waits for its deletion counts, because it is still
     * there after a restart if the process ends before the deletion.
     */
    private @Nullable ClosedWindow latest(String summary) {
        WindowFolder folder = folders.get(summary);
        return folder == null ? null : folder.latest();
    }

    /** The closed windows of a summary that have a file, by start. */
    private List<ClosedWindow> windows(String summary) {
        WindowFolder folder = folders.get(summary);
        return folder == null ? List.of() : folder.current().windows();
    }

    /** Number of damaged files, which were set aside. Any thread. */
    public int damaged() {
        return folders.values().stream().mapToInt(WindowFolder::damaged).sum();
    }

    /** Whether a window has a file. Any thread. */
    public boolean has(String summary, long start) {
        return WindowFolder.indexOf(windows(summary), start) >= 0;
    }

    /**
     * Announces that windows of a summary get files: those that begin before {@code boundary}. Until {@link #endWrite},
     * {@link #boundary} and {@link #calendar} answer as if these windows had their files. So if a reload removes the
     * summary, and another reload adds a summary of this name, no new rows get into these windows.
     */
    void beginWrite(String summary, SummaryWindow window, long boundary) {
        writing.put(summary, new Writing(window, boundary));
    }

    /** Ends what {@link #beginWrite} began. */
    void endWrite(String summary) {
        writing.remove(summary);
    }

    /** Writes the rows of a window and of its overflow to a file, and reads the file back. */
    void write(String summary, Cut closing, long start, long end) throws IOException, InterruptedException {
        var unused = folder(summary).write(closing, start, end);
    }

    /** Begins an upload for a summary. Any thread. */
    WindowUpload begin(String summary, long bytesMax) throws IOException {
        return folder(summary).begin(bytesMax);
    }

    /** Prepares an upload to become a closed window; see {@link WindowFolder#prepare}. */
    WindowPut prepare(WindowUpload upload, SummaryLayout layout, WindowFolder.Check check) throws IOException {
        FileWindow window = folder(layout.name()).prepare(upload, layout, check);
        return new WindowPut(window.start(), window.end(), upload.sha256());
    }

    /** Makes a prepared file a closed window; see {@link WindowFolder#put}. */
    ClosedWindow put(String summary, WindowPut put) throws IOException {
        return folder(summary).put(put.start(), put.sha256());
    }

    /** If a file that an earlier process prepared is still there, makes it a closed window. */
    void finishPut(String summary, WindowPut put) throws IOException {
        WindowFolder folder = folders.get(summary);
        if (folder != null) {
            folder.finishPut(put.start(), put.sha256());
        }
    }

    /** Deletes the files that earlier processes prepared and did not put. */
    void discardPuts() throws IOException {
        for (WindowFolder folder : folders.values()) {
            folder.discardPuts();
        }
    }

    /**
     * Deletes the files of former windows that nobody reads any more, also of summaries that are no longer defined. To
     * be called regularly, and at the end of the process.
     */
    public void sweep() {
        folders.values().forEach(WindowFolder::sweep);
    }

    /** Deletes the files of windows that end before a time, as soon as nobody reads them. */
    void expire(String summary, long before) {
        WindowFolder folder = folders.get(summary);
        if (folder != null) {
            var unused = folder.expire(before);
        }
    }
}
