package io.summarizer.core.archive;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.state.DamagedStateException;
import io.summarizer.core.state.FileId;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder with the closed windows of one summary. The folder has a state file {@code WINDOW.state} for each window,
 * with the rows of the summary and of the summary's overflow. {@code WINDOW} is the start of the window ({@link
 * WindowName}). A file is listed only after it was written, forced to the disk, and read back. A file that replaces an
 * older file does not overwrite the older one, but has a name of its own: {@code WINDOW-2.state} and so on. So holders
 * of an older {@link WindowList} can still read the older file.
 *
 * <p>A file that is being put has the name {@code WINDOW.SHA-256.put}. By this name, a later process can finish the
 * put.
 *
 * <p>A damaged file is reported and set aside as {@code WINDOW.state.damaged}. Other files in the folder are left
 * alone.
 *
 * <p>Only one thread at a time may write, put and expire windows; any thread may call {@link #acquire}, {@link
 * #release} and {@link #current}. Memory: 72 to 80 bytes for each window, twice that if it has an overflow.
 *
 * <p>This class has more than 500 lines, because each operation changes files and the list of files together.
 */
public final class WindowFolder {
    private static final String DAMAGED = ".damaged";
    private static final String PREPARED = ".put";
    private static final Pattern FILE = Pattern.compile("(us-\\d+|\\w+)(?:-([1-9]\\d{0,8}))?\\.state");

    private final Disk disk;
    private final String summary;
    private final int threads;
    private final Consumer<String> notes;

    /** The windows of the summary, by start. Used by the writing thread. */
    private final List<WindowFile> windows = new ArrayList<>();

    /** The windows in which the overflow has rows, by start. Used by the writing thread. */
    private final List<WindowFile> overflow = new ArrayList<>();

    /** The layouts of the files; equal layouts are one object. Used by the writing thread. */
    private final Map<SummaryLayout, SummaryLayout> layouts = new HashMap<>();

    /**
     * Files to be deleted. Each entry has a version of the window list: the first version without the file. Guarded by
     * this.
     */
    private final List<Condemned> condemned = new ArrayList<>();

    private final Set<String> undeleted = new HashSet<>();
    /** Older lists that are still held. Guarded by this. */
    private final List<WindowList> held = new ArrayList<>();

    private volatile WindowList current = new WindowList(0, List.of(), List.of());
    private final AtomicInteger damaged = new AtomicInteger();
    private final AtomicInteger uploads = new AtomicInteger();

    /**
     * The contents of a file.
     *
     * @param overflow the rows of the overflow, null when the file has none
     */
    private record Contents(WindowFile rows, @Nullable WindowFile overflow) {}

    /** A window whose file is to be deleted. Only lists of versions before {@code version} have the file. */
    private record Condemned(WindowFile window, long version) {}

    private WindowFolder(Disk disk, String summary, int threads, Consumer<String> notes) {
        this.disk = disk;
        this.summary = summary;
        this.threads = threads;
        this.notes = notes;
    }

    /**
     * Opens a folder, which need not exist, and lists its windows. Reads names, layouts and numbers of rows, but no
     * rows. Deletes the unfinished files that killed processes left. No other process may use the folder.
     *
     * @param summary name of the summary
     * @param threads number of threads that work on a file
     * @param notes receives messages about files that were set aside, or could not be deleted
     * @throws IOException when a file in the folder is not a window of the summary, or can only be read by a newer
     *     program
     */
    public static WindowFolder open(Disk disk, String summary, int threads, Consumer<String> notes) throws IOException {
        StateWriter.sweep(disk);
        WindowFolder folder = new WindowFolder(disk, summary, threads, notes);
        folder.look();
        return folder;
    }

    private void look() throws IOException {
        for (String file : disk.list()) {
            Matcher name = FILE.matcher(file);
            OptionalLong start = name.matches() ? WindowName.start(name.group(1)) : OptionalLong.empty();
            int number = start.isPresent() ? number(name) : 0;
            if (file.endsWith(DAMAGED)) {
                damaged.incrementAndGet();
            } else if (start.isPresent() && file.equals(WindowFile.name(start.getAsLong(), number))) {
                try {
                    look(file, start.getAsLong(), number);
                } catch (DamagedStateException e) {
                    setAside(file, e);
                }
            }
        }
        if (!windows.isEmpty()) {
            disk.sync(); // a killed process may have renamed a file without syncing the folder
        }
        publish();
        deleteCondemned();
    }

    private void look(String file, long start, int number) throws IOException {
        Contents contents = read(file, number);
        if (contents.rows.start() != start) {
            throw new IOException(disk + "/" + file + " has the window " + WindowName.of(contents.rows.start())
                    + ", which is not that of its name; move it out of this folder");
        }
        WindowFile other = find(start);
        if (other == null || other.number() < number) {
            // An earlier process may have replaced the other file, and ended before it deleted that file.
            list(contents);
        } else {
            condemn(contents.rows);
        }
    }

    private static int number(Matcher name) {
        return name.group(2) == null ? 1 : Integer.parseInt(name.group(2));
    }

    /** The listed window with this start. */
    private @Nullable WindowFile find(long start) {
        int at = indexOf(windows, start);
        return at < 0 ? null : windows.get(at);
    }

    /** Finds a window by its start, as {@link Collections#binarySearch} does. */
    public static int indexOf(List<? extends ClosedWindow> files, long start) {
        int from = 0;
        int to = files.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (files.get(middle).start() < start) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from < files.size() && files.get(from).start() == start ? from : -from - 1;
    }

    /** Lists a window. If a window with the same start is listed already, replaces it, and deletes its file later. */
    private void list(Contents contents) {
        long start = contents.rows.start();
        int at = indexOf(windows, start);
        if (at < 0) {
            windows.add(-at - 1, contents.rows);
        } else {
            condemn(windows.set(at, contents.rows));
        }
        int before = indexOf(overflow, start);
        if (before >= 0) {
            overflow.remove(before);
        }
        if (contents.overflow != null) {
            overflow.add(before >= 0 ? before : -before - 1, contents.overflow);
        }
    }

    /** Reads the attributes of a file. */
    private Contents read(String file, int number) throws IOException {
        try (StateFile state = StateFile.open(disk, file)) {
            FileWindow window = state.window().orElse(null);
            int rows = SummaryLayout.indexOf(state.layouts(), summary);
            if (window == null || rows < 0) {
                throw new IOException(disk + "/" + file + " is a state file, but not a window of " + summary
                        + "; move it out of this folder");
            }
            int overflow = SummaryLayout.indexOf(
                    state.layouts(), state.layouts().get(rows).overflowName());
            return new Contents(
                    part(state, number, window, rows, Long.MAX_VALUE),
                    overflow < 0 ? null : part(state, number, window, overflow, 1)); // one row in several parts
        }
    }

    private WindowFile part(StateFile state, int number, FileWindow window, int part, long maxRows) throws IOException {
        long rows = Math.min(maxRows, state.rows(part, List.of()));
        SummaryLayout layout = layouts.computeIfAbsent(state.layouts().get(part), same -> same);
        return new WindowFile(disk, number, state.cutId(), window.start(), window.end(), rows, state.bytes(), layout);
    }

    private void setAside(String file, DamagedStateException why) throws IOException {
        String aside = file + DAMAGED;
        notes.accept("the window " + why.getMessage() + "; it is kept as " + aside);
        disk.rename(file, aside);
        damaged.incrementAndGet();
    }

    /**
     * Writes a window, reads it back, and lists it. If a window with this start is listed already, the new file
     * replaces the file of that window. When this method throws, the list does not change.
     *
     * @param cut a cut that the caller holds, and that is never revoked. The cut has views of the summary and of the
     *     summary's overflow; this method writes the views whose {@link StoreView#window} is {@code start}.
     * @param start start of the window
     * @param end end of the window
     */
    public ClosedWindow write(Cut cut, long start, long end) throws IOException, InterruptedException {
        List<SummaryView> views = new ArrayList<>();
        SummaryView all = cut.summary(summary).orElseThrow();
        views.add(ofWindow(all, start));
        cut.summary(all.layout().overflowName())
                .map(overflow -> ofWindow(overflow, start))
                .filter(overflow -> overflow.rows(List.of()) > 0)
                .ifPresent(views::add);
        int number = nextNumber(start);
        String file = WindowFile.name(start, number);
        Cut rows = new Cut(cut.id(), cut.takenAtMicros(), views);
        Contents contents = null;
        try {
            StateWriter.write(rows, new FileWindow(start, end), disk, file, threads);
            try (StateFile state = StateFile.open(disk, file)) {
                state.verify(threads);
                contents = read(file, number);
            }
        } catch (DamagedStateException e) {
            setAside(file, e);
            throw e;
        } finally {
            if (contents == null) {
                deleteUnlisted(file);
            }
        }
        list(contents);
        publish();
        deleteCondemned();
        return contents.rows;
    }

    /** Deletes a file that was not read back, if it is there. The next process would take it for the window. */
    private void deleteUnlisted(String file) {
        try {
            if (disk.list().contains(file)) {
                disk.delete(file);
            }
        } catch (IOException e) {
            notes.accept(disk + "/" + file + " was not read back, and could not be deleted: " + e.getMessage());
        }
    }

    /**
     * Begins an upload. Any thread.
     *
     * @param bytesMax bound on its bytes
     */
    public WindowUpload begin(long bytesMax) throws IOException {
        return new WindowUpload(
                disk, StateWriter.temporary("upload-" + uploads.incrementAndGet() + WindowFile.SUFFIX), bytesMax);
    }

    /** Decides about a window that is put. */
    @FunctionalInterface
    public interface Check {
        /** The reason why the window is refused, as a text for users; empty when the window is not refused. */
        String problem(long start, long end);
    }

    /**
     * Prepares a verified file to become a closed window. Afterwards, the file survives a loss of power, under a name
     * that only {@link #put} and {@link #finishPut} use. Deletes files that were prepared for this window before.
     *
     * @param layout layout that pulls use; the rows of the file must fit it
     * @return the window of the file
     * @throws WindowRefusedException when the file is not a window of this summary, when it was not made from the
     *     present file of its window, or when the check refuses the file
     */
    public FileWindow prepare(WindowUpload upload, SummaryLayout layout, Check check) throws IOException {
        String sha256 = upload.sha256();
        FileWindow window = window(upload, layout);
        String problem = check.problem(window.start(), window.end());
        if (!problem.isEmpty()) {
            throw new WindowRefusedException(problem);
        }
        deletePrepared(WindowName.of(window.start()) + ".");
        upload.rename(preparedName(window.start(), sha256));
        disk.sync();
        return window;
    }

    /** Turns a prepared file into a closed window. Replaces a closed window with the same start. */
    public ClosedWindow put(long start, String sha256) throws IOException {
        return put(start, sha256, disk::delete);
    }

    /** Undoes the rename of a file whose put has failed. */
    @FunctionalInterface
    private interface Undo {
        void undo(String file) throws IOException;
    }

    /** Puts a file as {@link #put(long, String)} does. On an error, {@code undo} gets the name of the closed window. */
    private ClosedWindow put(long start, String sha256, Undo undo) throws IOException {
        int number = nextNumber(start);
        String file = WindowFile.name(start, number);
        disk.rename(preparedName(start, sha256), file);
        Contents contents;
        try {
            disk.sync();
            contents = read(file, number);
        } catch (DamagedStateException e) {
            setAside(file, e);
            throw e;
        } catch (IOException e) {
            try {
                undo.undo(file); // otherwise, the next process would take a file whose put has failed
            } catch (IOException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
        list(contents);
        publish();
        deleteCondemned();
        return contents.rows;
    }

    /**
     * Finishes the work of an earlier process: if the file that the earlier process prepared is still there and can be
     * read, the file becomes a closed window.
     */
    public void finishPut(long start, String sha256) throws IOException {
        String prepared = preparedName(start, sha256);
        if (disk.list().contains(prepared)) {
            try {
                var unused = put(start, sha256, file -> disk.rename(file, prepared)); // the next start tries again
            } catch (DamagedStateException e) {
                return; // it was set aside
            }
        }
    }

    /** Deletes the files that earlier processes prepared and did not put. */
    public void discardPuts() throws IOException {
        deletePrepared("");
    }

    private void deletePrepared(String prefix) throws IOException {
        for (String file : disk.list()) {
            if (file.startsWith(prefix) && file.endsWith(PREPARED)) {
                disk.delete(file);
            }
        }
    }

    private static String preparedName(long start, String sha256) {
        return WindowName.of(start) + "." + sha256 + PREPARED;
    }

    /** The window of a file that may be put. */
    private FileWindow window(WindowUpload upload, SummaryLayout layout) throws IOException {
        StateFile state = StateFile.open(disk, upload.name());
        boolean handedOver = false;
        try {
            FileWindow window = state.window()
                    .orElseThrow(() -> new WindowRefusedException("the file is a state file, but not one of a closed"
                            + " window; make it with run --only " + summary));
            int rows = SummaryLayout.indexOf(state.layouts(), summary);
            if (rows < 0) {
                throw new WindowRefusedException(
                        "the file has the window of " + state.layouts().get(0).name() + ", not of " + summary);
            }
            if (!upload.isAnyway()) {
                checkBase(state.id(), window);
            }
            RowSource.Rows fitting = state.open(rows, layout, List.of());
            handedOver = true;
            fitting.close();
            return window;
        } catch (StateException e) {
            throw upload.refusal(e);
        } finally {
            if (!handedOver) {
                state.close();
            }
        }
    }

    /**
     * Refuses a file that was not made from the present file of its window, because it may lack what the present file
     * has in addition. A file that has been put already may be put again, because a client may not have got the answer.
     * If the present file cannot be read, any file may replace it.
     */
    private void checkBase(FileId upload, FileWindow window) throws IOException {
        WindowFile present = find(window.start());
        if (present == null) {
            return;
        }
        FileId id;
        try (StateFile file = StateFile.open(disk, present.name())) {
            id = file.id();
        } catch (StateException | NoSuchFileException | FileNotFoundException e) {
            return;
        }
        if (!window.madeFrom().contains(id) && !upload.equals(id)) {
            throw new WindowRefusedException("the file was not made from the present file of its window,"
                    + " so it may lack a correction; make it from " + disk + "/" + present.name()
                    + " and the messages that this file does not have yet, or put it with --overwrite");
        }
    }

    /**
     * The number of the next file of a window. A restart takes the file with the greatest number as the window. So the
     * next number is above the numbers of all existing files of the window, including files to be deleted.
     */
    private synchronized int nextNumber(long start) {
        WindowFile before = find(start);
        int last = before == null ? 0 : before.number();
        for (Condemned each : condemned) {
            if (each.window.start() == start) {
                last = Math.max(last, each.window.number());
            }
        }
        return last + 1;
    }

    private static SummaryView ofWindow(SummaryView all, long start) {
        List<StoreView> ofWindow =
                all.partitions().stream().filter(view -> view.window() == start).toList();
        return new SummaryView(all.layout(), ofWindow, 0, ClosedWindows.NONE);
    }

    /**
     * Removes from the list all windows that end at or before the time {@code before}. Deletes the files of these
     * windows, except for files in a list that is held. A later call deletes the remaining files.
     *
     * @return number of windows that were removed
     */
    public int expire(long before) {
        int listed = windows.size();
        windows.removeIf(window -> {
            boolean isOver = window.end() <= before;
            if (isOver) {
                condemn(window);
            }
            return isOver;
        });
        overflow.removeIf(window -> window.end() <= before);
        int removed = listed - windows.size();
        if (removed > 0) {
            publish();
        }
        deleteCondemned();
        return removed;
    }

    /** Deletes the files that no list needs any more. */
    public void sweep() {
        deleteCondemned();
    }

    /**
     * The different layouts of the files on the disk, also of files that wait for their deletion. Any thread.
     */
    public synchronized List<SummaryLayout> layouts() {
        // Equal layouts are one object, so few objects are compared.
        Set<SummaryLayout> layouts = Collections.newSetFromMap(new IdentityHashMap<>());
        current.windows().forEach(window -> layouts.add(window.layout()));
        condemned.forEach(each -> layouts.add(each.window.layout()));
        return List.copyOf(layouts);
    }

    /** The starts of windows that are no longer listed, and whose files wait for their deletion. Any thread. */
    public synchronized List<Long> condemned() {
        return condemned.stream().map(each -> each.window.start()).toList();
    }

    /**
     * The latest window that has a file on the disk, even if the window is no longer listed and its file waits for its
     * deletion. Null when there is no file. Any thread.
     */
    public synchronized @Nullable ClosedWindow latest() {
        List<ClosedWindow> listed = current.windows();
        ClosedWindow latest = listed.isEmpty() ? null : listed.get(listed.size() - 1);
        for (Condemned each : condemned) {
            if (latest == null || each.window.start() > latest.start()) {
                latest = each.window;
            }
        }
        return latest;
    }

    /** Deletes a file as soon as no held list has it. */
    private synchronized void condemn(WindowFile window) {
        condemned.add(new Condemned(window, current.version() + 1));
    }

    private synchronized void publish() {
        WindowList before = current;
        if (before.holders > 0) {
            held.add(before);
        }
        current = new WindowList(before.version() + 1, windows, overflow);
    }

    private void deleteCondemned() {
        List<Condemned> free;
        synchronized (this) {
            long needed = held.stream().mapToLong(WindowList::version).min().orElse(Long.MAX_VALUE);
            free = condemned.stream().filter(file -> file.version <= needed).toList();
        }
        for (Condemned each : free) {
            String file = each.window.name();
            try {
                disk.delete(file);
                undeleted.remove(file);
                synchronized (this) {
                    condemned.remove(each);
                }
            } catch (IOException e) {
                if (undeleted.add(file)) {
                    notes.accept("the window " + disk + "/" + file + " is of no use any more and could not be"
                            + " deleted: " + e.getMessage());
                }
            }
        }
    }

    /**
     * The present windows. This method does not make the caller a holder of the list, so the files of the list may be
     * deleted at any time.
     */
    public WindowList current() {
        return current;
    }

    /** The present windows. The caller holds the list, and has to {@link #release} it. */
    public synchronized WindowList acquire() {
        current.holders++;
        return current;
    }

    /**
     * Ends the hold of a list. If a file was kept only because of this hold, the next call of {@link #write}, {@link
     * #expire} or {@link #sweep} deletes it.
     */
    public synchronized void release(WindowList list) {
        if (list.holders == 0) {
            throw new IllegalStateException("the list is not held");
        }
        if (--list.holders == 0) {
            held.remove(list);
        }
    }

    /** Number of damaged files in the folder. Any thread. */
    public int damaged() {
        return damaged.get();
    }
}
