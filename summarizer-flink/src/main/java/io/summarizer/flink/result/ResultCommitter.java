package io.summarizer.flink.result;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.text.TimestampText;
import io.summarizer.flink.job.LedgerMetrics;
import io.summarizer.flink.result.ResultFolder.Windows;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns each completed checkpoint into a result: writes the manifest from the files of the subtasks, and removes
 * results that are no longer kept. One subtask of a job does this, on one thread.
 *
 * <p>If the job fails after the completion of a checkpoint and before its manifest is written, the commit is done after
 * the restart. A window keeps the files of the first result that has this window.
 *
 * <p>This class has more than 500 lines, because manifests, closed windows and the removal of old files have to change
 * in one order, so that a restart between any two steps can go on.
 */
public final class ResultCommitter {
    private static final Logger LOG = LoggerFactory.getLogger(ResultCommitter.class);

    /** Maximum number of bytes of rejected messages that are kept. A service has the same maximum by default. */
    static final long REJECTED_BYTES_MAX = 256L << 20;
    /** Maximum number of lists of closed windows of abandoned checkpoints. */
    static final int LEFT_MAX = 10;
    /** Maximum number of files of rejected messages. */
    static final int REJECTED_FILES_MAX = 10_000;

    private final ResultFolder folder;
    private final String job;
    private final String definitions;
    private final int keyGroups;
    private final int keep;
    private final List<SummaryLayout> layouts;

    /**
     * A committer.
     *
     * @param job name of the job, for people
     * @param definitions name of the definitions, as in {@link Manifest}
     * @param keep number of results that are kept, at least 1
     * @param layouts the summaries
     */
    public ResultCommitter(
            ResultFolder folder, String job, String definitions, int keyGroups, int keep, List<SummaryLayout> layouts) {
        this.folder = folder;
        this.job = job;
        this.definitions = definitions;
        this.keyGroups = keyGroups;
        this.keep = keep;
        this.layouts = List.copyOf(layouts);
    }

    /**
     * Prepares for the results after the checkpoint from which the job goes on. Makes the result of this checkpoint if
     * it is missing. Removes the results and rows of later checkpoints, because the job no longer has their state and
     * may use their numbers again. The closed windows of complete later checkpoints stay until the next commit. The
     * reason: such a checkpoint may be a savepoint, and after a failure Flink goes on from the checkpoint before it. A
     * start from this savepoint needs the windows. Call this method before the first checkpoint.
     *
     * @param time time of the commit, in µs since the epoch
     * @param boundaries for each summary, the boundary in the state of the checkpoint
     */
    public void restore(long checkpoint, long time, Map<String, Long> boundaries) throws IOException {
        List<Long> manifests = folder.manifests();
        List<Long> later =
                manifests.stream().filter(number -> number > checkpoint).toList();
        deleteCarriedBefore(manifests.isEmpty() ? 0 : manifests.get(manifests.size() - 1));
        List<Manifest> gone = new ArrayList<>();
        OptionalLong left = leave(checkpoint, time, manifests, gone);
        boolean isResult = manifests.contains(checkpoint);
        // With all files of owners, the list would be of an abandoned checkpoint whose number was used again.
        boolean isLeft = !isResult && folder.lists(Windows.LEFT).contains(checkpoint) && !folder.isComplete(checkpoint);
        Manifest following = null;
        if (isLeft) {
            following = folder.readList(Windows.LEFT, checkpoint);
        } else if (!isResult) {
            following = following(checkpoint, left);
        }
        if (following != null) {
            tellMissing(checkpoint, following, boundaries);
            carry(checkpoint, following, boundaries);
            deleteCarriedBefore(checkpoint);
        }
        deleteCarriedAfter(checkpoint);
        deleteRejectedAfter(checkpoint);
        // Some files may be of an abandoned checkpoint with this number.
        boolean hasFiles = folder.lists(Windows.CARRIED).contains(checkpoint)
                ? folder.isComplete(checkpoint)
                : folder.hasOwners(checkpoint);
        if (!isResult && !isLeft && hasFiles) {
            makeResult(checkpoint, time, manifests);
            isResult = true;
        }
        if (isResult) {
            deleteLeft(checkpoint);
        }
        // An attempt after this one could not make the same lists without results. So it must find no complete files.
        Set<String> inUse = inUse(folder.manifests());
        for (long number : folder.checkpoints()) {
            if (number > checkpoint && later.contains(number)) {
                folder.deleteParts(number);
            } else if (number > checkpoint) {
                discard(number, inUse);
            }
        }
        List<Manifest> abandoned = new ArrayList<>();
        for (long number : later) {
            abandoned.add(folder.readManifest(number));
            folder.deleteManifest(number);
        }
        inUse = inUse(folder.manifests());
        for (Manifest manifest : abandoned) {
            deleteUnused(manifest, inUse);
        }
        deleteWindows(gone, inUse);
        for (long number : later) {
            folder.deleteCheckpoint(number);
        }
    }

    /** Logs an error if fewer windows are closed in a list than in the state for which it is the only list. */
    private void tellMissing(long checkpoint, Manifest list, Map<String, Long> boundaries) {
        for (Manifest.OfSummary summary : list.summaries()) {
            long boundary = boundaries.getOrDefault(summary.name(), ClosedWindows.NO_BOUNDARY);
            if (summary.boundary() < boundary) {
                LOG.error(
                        "closed windows are in no file: in checkpoint {}, windows of {} before {} are closed, and {} has"
                                + " files of windows before {}; start from a later checkpoint instead",
                        checkpoint,
                        summary.name(),
                        TimestampText.toString(boundary),
                        folder,
                        summary.boundary() == ClosedWindows.NO_BOUNDARY
                                ? "the start"
                                : TimestampText.toString(summary.boundary()));
            }
        }
    }

    /**
     * The closed windows of the first checkpoint after {@code checkpoint}; null if there is none, or if an attempt
     * before this one has carried them over.
     *
     * @param left the first checkpoint that {@link #leave} found
     */
    private @Nullable Manifest following(long checkpoint, OptionalLong left) throws IOException {
        if (folder.lists(Windows.CARRIED).contains(checkpoint)) {
            return null;
        }
        if (left.isPresent()) {
            return folder.readList(Windows.LEFT, left.getAsLong());
        }
        Manifest carried = carried(checkpoint);
        if (carried != null || folder.isComplete(checkpoint)) {
            return carried;
        }
        for (long number : folder.lists(Windows.LEFT)) {
            if (number > checkpoint) {
                return folder.readList(Windows.LEFT, number);
            }
        }
        return null;
    }

    /**
     * The result of a complete checkpoint that is newer than all results; null if the checkpoint is another one. The
     * files of its owners and the newest result then have all closed windows. For an older checkpoint, the result
     * before it may be gone.
     */
    private @Nullable Manifest newest(long number, long time, List<Long> manifests) throws IOException {
        boolean isNewest = Stream.concat(manifests.stream(), folder.lists(Windows.CARRIED).stream())
                .allMatch(other -> other < number);
        if (!isNewest || !folder.isComplete(number)) {
            return null;
        }
        try {
            return result(number, time, manifests, new HashSet<>());
        } catch (EOFException e) {
            return null; // a subtask was killed while it wrote its file
        }
    }

    /**
     * Writes the lists of the closed windows of complete checkpoints after {@code checkpoint}. Returns the first of
     * these checkpoints.
     *
     * @param gone receives former lists that are no longer there
     */
    private OptionalLong leave(long checkpoint, long time, List<Long> manifests, List<Manifest> gone)
            throws IOException {
        TreeSet<Long> before = new TreeSet<>(folder.lists(Windows.LEFT));
        TreeSet<Long> written = new TreeSet<>();
        Manifest carried = folder.lists(Windows.CARRIED).contains(checkpoint)
                ? folder.readList(Windows.CARRIED, checkpoint)
                : null;
        for (long number : folder.checkpoints()) {
            if (number <= checkpoint) {
                continue;
            }
            Manifest now = manifests.contains(number) ? folder.readManifest(number) : newest(number, time, manifests);
            if (now == null) {
                continue;
            }
            boolean isListed = before.remove(number);
            if (carried != null && isBehind(now, carried)) {
                // It is of another branch. An attempt before this one wrote its list, and then carried windows over.
                if (isListed) {
                    written.add(number);
                }
                continue;
            }
            if (isListed) {
                gone.add(folder.readList(Windows.LEFT, number));
            }
            folder.writeList(Windows.LEFT, now);
            written.add(number);
        }
        while (before.size() + written.size() > LEFT_MAX) {
            long number = before.isEmpty() ? written.pollLast() : before.pollFirst();
            gone.add(folder.readList(Windows.LEFT, number));
            folder.deleteList(Windows.LEFT, number);
        }
        return written.isEmpty() ? OptionalLong.empty() : OptionalLong.of(written.first());
    }

    /** Whether fewer windows of a summary are closed in {@code one} than in {@code other}. */
    private static boolean isBehind(Manifest one, Manifest other) {
        return one.summaries().stream()
                .anyMatch(summary -> other.summaries().stream()
                        .anyMatch(same -> same.name().equals(summary.name()) && same.boundary() > summary.boundary()));
    }

    /**
     * Keeps the closed windows of a checkpoint whose result was never made, or was deleted. The next result, which is
     * of a later checkpoint, has these windows, and possibly more.
     */
    private void carry(long checkpoint, Manifest following, Map<String, Long> boundaries) throws IOException {
        List<Manifest.OfSummary> summaries = new ArrayList<>();
        for (Manifest.OfSummary summary : following.summaries()) {
            long boundary = boundaries.getOrDefault(summary.name(), ClosedWindows.NO_BOUNDARY);
            List<Manifest.Window> windows = summary.windows().stream()
                    .filter(window -> window.start() < boundary)
                    .toList();
            summaries.add(new Manifest.OfSummary(summary.name(), summary.updates(), boundary, windows));
        }
        folder.writeList(
                Windows.CARRIED,
                new Manifest(
                        checkpoint,
                        job,
                        following.takenAtMicros(),
                        following.definitions(),
                        following.keyGroups(),
                        following.files(),
                        summaries,
                        following.ledger()));
    }

    /**
     * Prepares for the results of a job without state. Call it before the first checkpoint.
     *
     * @return the reason, in words for users, why the folder cannot be used; empty when the folder can be used
     */
    public String begin() throws IOException {
        if (!folder.manifests().isEmpty()) {
            return folder
                    + " has results of another job; choose another folder, or let this job go on from a savepoint or"
                    + " checkpoint of that job";
        }
        for (long number : folder.checkpoints()) {
            discard(number, Set.of());
        }
        deleteCarriedBefore(Long.MAX_VALUE);
        deleteLeft(Long.MAX_VALUE);
        deleteRejectedAfter(Long.MIN_VALUE);
        return "";
    }

    /**
     * The windows that {@link #carry} kept for the lowest checkpoint number above {@code after}; null when there are
     * none.
     */
    private @Nullable Manifest carried(long after) throws IOException {
        for (long number : folder.lists(Windows.CARRIED)) {
            if (number > after) {
                return folder.readList(Windows.CARRIED, number);
            }
        }
        return null;
    }

    /** Deletes the closed windows that {@link #carry} kept for later checkpoints. */
    private void deleteCarriedAfter(long checkpoint) throws IOException {
        for (long number : folder.lists(Windows.CARRIED)) {
            if (number > checkpoint) {
                folder.deleteList(Windows.CARRIED, number);
            }
        }
    }

    private void deleteCarriedBefore(long checkpoint) throws IOException {
        for (long number : folder.lists(Windows.CARRIED)) {
            if (number < checkpoint) {
                folder.deleteList(Windows.CARRIED, number);
            }
        }
    }

    /**
     * Makes the result of a completed checkpoint, unless it is there.
     *
     * @param time start of the checkpoint, in µs since the epoch
     */
    public void commit(long checkpoint, long time) throws IOException {
        List<Long> manifests = folder.manifests();
        if (!manifests.contains(checkpoint)) {
            // First, because the list of a number that is used again must not outlive this commit.
            deleteLeft(Long.MAX_VALUE);
            makeResult(checkpoint, time, manifests);
        }
    }

    private void makeResult(long checkpoint, long time, List<Long> manifests) throws IOException {
        Set<String> unused = new HashSet<>();
        Manifest result = result(checkpoint, time, manifests, unused);
        folder.writeManifest(result);
        result.allFiles().forEach(file -> unused.remove(file.file()));
        for (String file : unused) {
            folder.delete(file);
        }
        deleteCarriedBefore(Long.MAX_VALUE);
        expire(checkpoint);
        limitRejected();
    }

    /**
     * The result of a checkpoint of which all files are there.
     *
     * @param manifests the checkpoints that have results
     * @param unused receives the files of windows that the previous result already has
     */
    private Manifest result(long checkpoint, long time, List<Long> manifests, Set<String> unused) throws IOException {
        Map<String, List<Manifest.Window>> before = windowsBefore(manifests, checkpoint);
        ResultFolder.Parts parts = folder.read(checkpoint);
        LedgerCounts ledger = LedgerMetrics.consistent(parts.ledger());
        List<Manifest.OfSummary> summaries = new ArrayList<>();
        for (SummaryLayout layout : layouts) {
            summaries.add(new Manifest.OfSummary(
                    layout.name(),
                    LedgerMetrics.updates(ledger, layout.name()),
                    layout.isKeyless() ? ClosedWindows.NO_BOUNDARY : boundary(layout.name(), parts.owners()),
                    layout.isKeyless() || layout.window() == null
                            ? List.of()
                            : windows(
                                    layout,
                                    before.getOrDefault(layout.name(), List.of()),
                                    parts.owners(),
                                    time,
                                    unused)));
        }
        List<Manifest.RowFile> files = parts.owners().stream()
                .map(OwnerFiles::rows)
                .sorted(Comparator.comparingInt(Manifest.RowFile::firstKeyGroup))
                .toList();
        return new Manifest(checkpoint, job, time, definitions, keyGroups, files, summaries, ledger);
    }

    /** Deletes the closed windows that {@link #leave} kept for checkpoints up to {@code last}. */
    private void deleteLeft(long last) throws IOException {
        List<Manifest> gone = new ArrayList<>();
        for (long number : folder.lists(Windows.LEFT)) {
            if (number <= last) {
                gone.add(folder.readList(Windows.LEFT, number));
                folder.deleteList(Windows.LEFT, number);
            }
        }
        if (!gone.isEmpty()) {
            Set<String> inUse = inUse(folder.manifests());
            deleteWindows(gone, inUse);
        }
    }

    /** Deletes files of windows, but no rows: a job may have used the number of the checkpoint again. */
    private void deleteWindows(List<Manifest> lists, Set<String> inUse) throws IOException {
        Set<String> files = new TreeSet<>();
        lists.forEach(list -> addWindows(list, files));
        files.removeAll(inUse);
        for (String file : files) {
            folder.delete(file);
        }
    }

    /** Deletes rejected messages that will come again. */
    private void deleteRejectedAfter(long checkpoint) throws IOException {
        for (ResultFolder.Rejected file : folder.rejected()) {
            if (file.checkpoint() > checkpoint) {
                folder.delete(file.name());
            }
        }
    }

    /** Removes the oldest rejected messages beyond the bounds. */
    private void limitRejected() throws IOException {
        int files = 0;
        long bytes = 0;
        for (ResultFolder.Rejected file : folder.rejected()) {
            files++;
            bytes += file.bytes();
            if (files > REJECTED_FILES_MAX || bytes > REJECTED_BYTES_MAX) {
                folder.delete(file.name());
            }
        }
    }

    /** The closed windows that were in files before a checkpoint, by summary. */
    private Map<String, List<Manifest.Window>> windowsBefore(List<Long> manifests, long checkpoint) throws IOException {
        long newest = 0;
        for (long manifest : manifests) {
            newest = manifest < checkpoint ? manifest : newest;
        }
        Manifest before = carried(newest);
        if (before == null && newest > 0) {
            before = folder.readManifest(newest);
        }
        Map<String, List<Manifest.Window>> windows = new TreeMap<>();
        if (before != null) {
            before.summaries().forEach(summary -> windows.put(summary.name(), summary.windows()));
        }
        return windows;
    }

    /**
     * Returns the boundary of a summary. All owners have the same boundary, because it took effect at the same barrier.
     */
    private static long boundary(String summary, List<OwnerFiles> owners) {
        return owners.stream()
                .flatMap(owner -> owner.boundaries().stream())
                .filter(boundary -> boundary.summary().equals(summary))
                .mapToLong(OwnerFiles.SummaryBoundary::boundary)
                .min()
                .orElse(ClosedWindows.NO_BOUNDARY);
    }

    /**
     * The closed windows of a summary.
     *
     * @param unused receives the files of windows that the previous result already has
     */
    private static List<Manifest.Window> windows(
            SummaryLayout layout,
            List<Manifest.Window> before,
            List<OwnerFiles> owners,
            long time,
            Set<String> unused) {
        TreeMap<Long, Manifest.Window> windows = new TreeMap<>();
        before.forEach(window -> windows.put(window.start(), window));
        Set<Long> known = new HashSet<>(windows.keySet());
        for (OwnerFiles owner : owners) {
            for (OwnerFiles.WindowFile file : owner.windows()) {
                if (!file.summary().equals(layout.name())) {
                    continue;
                }
                if (known.contains(file.start())) {
                    unused.add(file.file().file());
                } else {
                    windows.merge(file.start(), window(file), ResultCommitter::unite);
                }
            }
        }
        SummaryWindow window = layout.window();
        if (window != null) {
            windows.values().removeIf(closed -> window.isExpired(closed.end(), time));
        }
        return withLate(windows.values(), layout.name(), owners);
    }

    /** Windows with the number of late updates that the owners have counted so far. */
    private static List<Manifest.Window> withLate(
            Collection<Manifest.Window> windows, String summary, List<OwnerFiles> owners) {
        Map<Long, Long> counts = new HashMap<>();
        owners.forEach(
                owner -> owner.late().of(summary).forEach((start, count) -> counts.merge(start, count, Long::sum)));
        return windows.stream()
                .map(window -> window.withLate(counts.getOrDefault(window.start(), 0L)))
                .toList();
    }

    private static Manifest.Window window(OwnerFiles.WindowFile file) {
        return new Manifest.Window(
                file.start(), file.end(), file.rows(), file.file().bytes(), 0, List.of(file.file()));
    }

    private static Manifest.Window unite(Manifest.Window one, Manifest.Window other) {
        List<Manifest.RowFile> files = new ArrayList<>(one.files());
        files.addAll(other.files());
        return new Manifest.Window(
                one.start(), one.end(), one.rows() + other.rows(), one.bytes() + other.bytes(), 0, files);
    }

    /** Removes results that are no longer kept, and files of checkpoints that did not complete. */
    private void expire(long newest) throws IOException {
        List<Long> manifests =
                folder.manifests().stream().filter(number -> number <= newest).toList();
        List<Long> kept = manifests.subList(Math.max(0, manifests.size() - keep), manifests.size());
        Set<String> inUse = inUse(kept);
        for (long number : manifests) {
            if (!kept.contains(number)) {
                Manifest old = folder.readManifest(number);
                folder.deleteManifest(number);
                deleteUnused(old, inUse);
            }
        }
        for (long number : folder.checkpoints()) {
            if (number < newest && !kept.contains(number)) {
                discard(number, inUse);
            }
        }
    }

    /**
     * Returns the names of all files that these results have, or that the windows kept by {@link #carry} or {@link
     * #leave} have.
     */
    private Set<String> inUse(List<Long> manifests) throws IOException {
        Set<String> inUse = new HashSet<>();
        for (long number : manifests) {
            folder.readManifest(number).allFiles().forEach(file -> inUse.add(file.file()));
        }
        for (long number : folder.lists(Windows.CARRIED)) {
            addWindows(folder.readList(Windows.CARRIED, number), inUse);
        }
        for (long number : folder.lists(Windows.LEFT)) {
            addWindows(folder.readList(Windows.LEFT, number), inUse);
        }
        return inUse;
    }

    private static void addWindows(Manifest manifest, Set<String> files) {
        manifest.summaries()
                .forEach(summary ->
                        summary.windows().forEach(window -> window.files().forEach(file -> files.add(file.file()))));
    }

    private void deleteUnused(Manifest old, Set<String> inUse) throws IOException {
        for (Manifest.RowFile file : old.allFiles()) {
            if (!inUse.contains(file.file())) {
                folder.delete(file.file());
            }
        }
    }

    /** Deletes the files of a checkpoint without a manifest. */
    private void discard(long checkpoint, Set<String> inUse) throws IOException {
        for (String window : folder.windowFiles(checkpoint)) {
            if (!inUse.contains(window)) {
                folder.delete(window);
            }
        }
        folder.deleteParts(checkpoint); // first, so that an incomplete checkpoint never looks complete
        folder.deleteCheckpoint(checkpoint);
    }
}
