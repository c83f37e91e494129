package io.summarizer.core.result;

import io.summarizer.core.result.Manifest.OfSummary;
import io.summarizer.core.result.Manifest.RowFile;
import io.summarizer.core.result.Manifest.Window;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.RowFiles;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result whose files were opened and checked: all files are there and complete, and have the summaries and windows
 * that the manifest names. The rows themselves are read later, when somebody asks for them. Immutable.
 *
 * <p>The cut of the result keeps the files open until the last holder releases the cut. If there are more than {@link
 * HeldFiles#FILES_MAX} files, the files of the newest closed windows are opened for each read instead. The newest
 * windows are chosen because a job deletes the files of these windows last.
 */
public final class Result {
    private final Manifest manifest;
    private final Cut cut;
    private final Map<WindowKey, Closed> windows;

    /** A closed window of a summary. */
    private record WindowKey(String summary, Window window) {}

    /**
     * The rows of a closed window.
     *
     * @param overflow the rows of the summary's overflow; null when the summary has no overflow
     */
    private record Closed(ResultWindow rows, @Nullable ResultWindow overflow) {}

    private Result(Manifest manifest, Cut cut, Map<WindowKey, Closed> windows) {
        this.manifest = manifest;
        this.cut = cut;
        this.windows = windows;
    }

    /** The manifest. */
    public Manifest manifest() {
        return manifest;
    }

    /**
     * The rows and the ledger, as a cut whose id is the number of the checkpoint. The caller that opened the result
     * holds the cut.
     */
    public Cut cut() {
        return cut;
    }

    /**
     * Opens the files of a manifest.
     *
     * @param before an older result of the folder; the closed windows of this older result are not checked again. Null
     *     when there is no older result
     * @throws IOException when a file is missing, damaged, or not as the manifest says
     */
    static Result open(HeldFiles disk, Manifest manifest, @Nullable Result before) throws IOException {
        Opening opening = new Opening(disk, manifest, before);
        try {
            return opening.result();
        } catch (IOException | RuntimeException e) {
            opening.release();
            throw e;
        } finally {
            opening.close();
        }
    }

    /** The files that are open while a result is made, and the files that are held for the cut of the result. */
    private static final class Opening {
        private final HeldFiles disk;
        private final Manifest manifest;
        private final Map<WindowKey, Closed> known;
        private final List<String> holds = new ArrayList<>();
        private final Map<String, StateFile> files = new LinkedHashMap<>();
        private final Map<WindowKey, Closed> windows = new HashMap<>();
        /** Equal layouts are one object. */
        private final Map<SummaryLayout, SummaryLayout> layouts = new HashMap<>();

        Opening(HeldFiles disk, Manifest manifest, @Nullable Result before) {
            this.disk = disk;
            this.manifest = manifest;
            known = before == null ? Map.of() : before.windows;
        }

        Result result() throws IOException {
            for (RowFile file : manifest.files()) {
                hold(file.file(), true); // few, and the job deletes them first
                files.put(file.file(), opened(file));
            }
            List<SummaryLayout> layouts = layouts();
            List<SummaryView> views = new ArrayList<>();
            for (int i = 0; i < layouts.size(); i++) {
                OfSummary summary = manifest.summaries().get(i);
                views.add(new SummaryView(
                        layouts.get(i),
                        List.of(),
                        summary.updates(),
                        new ClosedWindows(summary.boundary(), closed(layouts.get(i))),
                        List.copyOf(RowFiles.open(disk, files, layouts.get(i)))));
            }
            CutLease lease = CutLease.unmanaged();
            Cut cut = new Cut(
                    manifest.checkpoint(),
                    manifest.takenAtMicros(),
                    views,
                    lease,
                    List.of(),
                    List.of(manifest.ledger()));
            lease.whenReleased(() -> holds.forEach(disk::release));
            return new Result(manifest, cut, windows);
        }

        private void hold(String file, boolean always) throws IOException {
            try {
                if (disk.hold(file, always)) {
                    holds.add(file);
                }
            } catch (NoSuchFileException | FileNotFoundException e) {
                throw missing(file, e);
            }
        }

        private static ResultException missing(String file, IOException e) {
            return new ResultException(
                    file + " is not there; the job may have removed the result, or the folder was copied in part", e);
        }

        private StateFile opened(RowFile file) throws IOException {
            StateFile state;
            try {
                state = StateFile.open(disk, file.file());
            } catch (NoSuchFileException | FileNotFoundException e) {
                throw missing(file.file(), e);
            }
            if (state.bytes() != file.bytes()) {
                long bytes = state.bytes();
                state.close();
                throw new ResultException(
                        file.file() + " has " + bytes + " bytes, and the manifest says " + file.bytes());
            }
            return state;
        }

        /**
         * Returns the summaries in the owners' files. Checks that all these files have the summaries of the manifest.
         */
        private List<SummaryLayout> layouts() throws ResultException {
            StateFile first = files.values().iterator().next();
            List<SummaryLayout> found = first.layouts();
            for (StateFile file : files.values()) {
                if (!file.layouts().equals(found)) {
                    throw new ResultException(file + " has other summaries than " + first);
                }
                if (file.cutId() != manifest.checkpoint() || file.window().isPresent()) {
                    throw new ResultException(file + " has no rows of checkpoint " + manifest.checkpoint());
                }
            }
            List<String> names = found.stream().map(SummaryLayout::name).toList();
            List<String> wanted =
                    manifest.summaries().stream().map(OfSummary::name).toList();
            if (!names.equals(wanted)) {
                throw new ResultException("the manifest has the summaries " + wanted + ", and the files have " + names);
            }
            return found.stream().map(layout -> layoutOf(layout, found)).toList();
        }

        /**
         * The layout of a summary; if this is the overflow summary of another summary, the layout is marked
         * accordingly. Files do not have this mark.
         */
        private SummaryLayout layoutOf(SummaryLayout layout, List<SummaryLayout> all) {
            SummaryLayout full = all.stream()
                    .filter(other -> other.overflowName().equals(layout.name()))
                    .findFirst()
                    .map(SummaryLayout::overflow)
                    .orElse(layout);
            return layouts.computeIfAbsent(full, same -> same);
        }

        /** The closed windows of a summary, or their overflow. */
        private List<ClosedWindow> closed(SummaryLayout layout) throws IOException {
            OfSummary summary = manifest.summaries().stream()
                    .filter(of -> of.name().equals(layout.overflowOf()))
                    .findFirst()
                    .orElseThrow();
            List<ClosedWindow> closed = new ArrayList<>();
            for (Window window : summary.windows()) {
                Closed each = closed(summary.name(), window);
                ResultWindow rows = layout.isKeyless() ? each.overflow : each.rows;
                if (rows != null) {
                    closed.add(rows);
                }
            }
            return closed;
        }

        private Closed closed(String summary, Window window) throws IOException {
            WindowKey key = new WindowKey(summary, window);
            Closed made = windows.get(key);
            if (made == null) {
                for (RowFile file : window.files()) {
                    hold(file.file(), false);
                }
                Closed before = known.get(key);
                made = before == null ? look(summary, window) : before;
                windows.put(key, made);
            }
            return made;
        }

        private Closed look(String summary, Window window) throws IOException {
            Map<String, StateFile> ofWindow = new LinkedHashMap<>();
            try {
                for (RowFile file : window.files()) {
                    StateFile state = opened(file);
                    ofWindow.put(file.file(), state);
                    FileWindow has = state.window().orElse(null);
                    if (has == null || has.start() != window.start() || has.end() != window.end()) {
                        throw new ResultException(file.file() + " is not a file of the window that the manifest says");
                    }
                }
                return closed(summary, window, ofWindow);
            } finally {
                for (StateFile file : ofWindow.values()) {
                    file.close();
                }
            }
        }

        private Closed closed(String summary, Window window, Map<String, StateFile> ofWindow) throws IOException {
            SummaryLayout layout = null;
            SummaryLayout overflow = null;
            long cut = 0;
            long takenAt = 0;
            for (StateFile file : ofWindow.values()) {
                cut = Math.max(cut, file.cutId());
                takenAt = Math.max(takenAt, file.takenAtMicros());
                for (SummaryLayout found : file.layouts()) {
                    SummaryLayout full = layoutOf(found, file.layouts());
                    if (full.name().equals(summary)) {
                        layout = agreed(file, layout, full);
                    } else if (full.overflowOf().equals(summary)) {
                        overflow = agreed(file, overflow, full);
                    }
                }
            }
            if (layout == null) {
                throw new ResultException("no file of a window of " + summary + " has rows of it");
            }
            RowFiles rows = RowFiles.ofWindow(disk, ofWindow, layout, window.start());
            if (rows.rows(List.of()) != window.rows()) {
                throw new ResultException(rows + " and the other files of its window have " + rows.rows(List.of())
                        + " rows, and the manifest says " + window.rows());
            }
            RowFiles others = overflow == null ? null : RowFiles.ofWindow(disk, ofWindow, overflow, window.start());
            return new Closed(
                    windowOf(window, rows, window.rows(), cut, takenAt),
                    others == null || others.rows(List.of()) == 0 ? null : windowOf(window, others, 1, cut, takenAt));
        }

        private static SummaryLayout agreed(StateFile file, @Nullable SummaryLayout before, SummaryLayout found)
                throws ResultException {
            if (before != null && !before.equals(found)) {
                throw new ResultException(file + " has other columns than the other files of its window");
            }
            return found;
        }

        private static ResultWindow windowOf(Window window, RowFiles rows, long count, long cut, long takenAt) {
            return new ResultWindow(window.start(), window.end(), count, window.bytes(), cut, takenAt, rows);
        }

        /** Releases the held files when the result was not made. */
        void release() {
            holds.forEach(disk::release);
        }

        void close() throws IOException {
            for (StateFile file : files.values()) {
                file.close();
            }
        }
    }
}
