package io.summarizer.core.result;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.store.ClosedWindows;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The list of all files of one result, with numbers that describe the result. The manifest is written after all other
 * files of the result, so a result with a manifest is complete. Each manifest is independent: definitions and the
 * number of owners may change from one manifest to the next. Immutable.
 *
 * @param checkpoint number of the checkpoint; a later manifest of the folder has a greater number
 * @param job name of the job, for people
 * @param takenAtMicros start of the checkpoint, in µs since the epoch
 * @param definitions name of the definitions in force: the SHA-256 of their files in hex
 * @param keyGroups number of key groups. Each row belongs to one of the key groups 0 to keyGroups - 1
 * @param files the files of the owners, with all rows except those of closed windows; each key group is in exactly one
 *     file
 * @param summaries the summaries in the order of definition, each followed by the summary that takes its overflow
 * @param ledger the fates of all messages up to the checkpoint
 */
public record Manifest(
        long checkpoint,
        String job,
        long takenAtMicros,
        String definitions,
        int keyGroups,
        List<RowFile> files,
        List<OfSummary> summaries,
        LedgerCounts ledger) {
    /** The version of manifests that this program writes, and the only version that it reads. */
    public static final int VERSION = 1;

    /** Maximum number of key groups. */
    public static final int KEY_GROUPS_MAX = 1 << 15;

    public Manifest {
        files = List.copyOf(files);
        summaries = List.copyOf(summaries);
    }

    /**
     * A state file of one owner.
     *
     * @param file name relative to the folder of results, with slashes
     * @param firstKeyGroup the first key group whose rows are in the file
     * @param lastKeyGroup the last key group whose rows are in the file
     * @param bytes bytes of the file
     */
    public record RowFile(String file, int firstKeyGroup, int lastKeyGroup, long bytes) {}

    /**
     * A summary.
     *
     * @param updates number of pairs of event and mapping that were applied to the summary
     * @param boundary the {@link ClosedWindows#boundary}; {@link ClosedWindows#NO_BOUNDARY} in three cases: before the
     *     first close, for a summary without windows, and for an overflow summary
     * @param windows the closed windows that have rows, by start; empty for an overflow summary, because the files of a
     *     window contain the overflow of the window, too
     */
    public record OfSummary(String name, long updates, long boundary, List<Window> windows) {
        public OfSummary {
            windows = List.copyOf(windows);
        }
    }

    /**
     * A closed window. Its files never change.
     *
     * @param start start of the window, in µs since the epoch
     * @param end end of the window, in µs since the epoch
     * @param rows number of rows of the summary in all files, without rows of nested summaries and of the overflow
     * @param bytes bytes of all files
     * @param late number of updates that came too late for the window
     * @param files the files of the owners that have rows of the window; each key group is in at most one file
     */
    public record Window(long start, long end, long rows, long bytes, long late, List<RowFile> files) {
        public Window {
            files = List.copyOf(files);
        }

        /** The same window with another number of late updates. */
        public Window withLate(long updates) {
            return new Window(start, end, rows, bytes, updates, files);
        }
    }

    /**
     * Writes the manifest as JSON in UTF-8. Flushes the stream, and does not close it. Memory: a buffer.
     *
     * @throws ResultException when {@link #read} would refuse the manifest because of its size
     */
    public void writeTo(OutputStream out) throws IOException {
        ManifestJson.write(this, out);
    }

    /**
     * Reads a manifest and checks it. Members of unknown names are skipped.
     *
     * @param name name of the manifest, for messages
     * @throws ResultException when the bytes are no manifest of this version, or when the files of the manifest are not
     *     consistent
     */
    public static Manifest read(InputStream in, String name) throws IOException {
        Manifest manifest = ManifestJson.read(in, name);
        String problem = manifest.problem();
        if (!problem.isEmpty()) {
            throw new ResultException(name + ": " + problem
                    + "; the manifest is not one that a job wrote, or it is damaged: take an older result, or wait for"
                    + " the next one");
        }
        return manifest;
    }

    /** The first inconsistency, as a text for users; empty when the manifest is consistent. */
    private String problem() {
        if (keyGroups < 1 || keyGroups > KEY_GROUPS_MAX) {
            return "key_groups is " + keyGroups + ", and has to be from 1 to " + KEY_GROUPS_MAX;
        }
        Set<String> names = new HashSet<>();
        String problem = problem("files", files, names);
        if (!problem.isEmpty()) {
            return problem;
        }
        int covered = files.stream()
                .mapToInt(file -> file.lastKeyGroup - file.firstKeyGroup + 1)
                .sum();
        if (covered != keyGroups) {
            return "the files have " + covered + " of " + keyGroups + " key groups";
        }
        Set<String> ofSummaries = new HashSet<>();
        for (OfSummary summary : summaries) {
            if (!ofSummaries.add(summary.name)) {
                return "the summary " + summary.name + " is there twice";
            }
            long after = Long.MIN_VALUE;
            for (Window window : summary.windows) {
                if (window.start < after || window.end <= window.start || window.start >= summary.boundary) {
                    return "the closed windows of " + summary.name + " overlap, are not in order, or begin at the"
                            + " boundary or after it";
                }
                after = window.end;
                problem = problem("the files of a window of " + summary.name, window.files, names);
                if (!problem.isEmpty()) {
                    return problem;
                }
            }
        }
        return "";
    }

    /** Checks files whose key groups must not overlap. */
    private String problem(String where, List<RowFile> files, Set<String> names) {
        BitSet seen = new BitSet(keyGroups);
        for (RowFile file : files) {
            if (!ResultNames.isInside(file.file)) {
                return where + ": \"" + ManifestJson.shown(file.file)
                        + "\" is not the name of a file in the folder of results";
            }
            if (!names.add(file.file)) {
                return where + ": " + file.file + " is named twice";
            }
            boolean isRange =
                    file.firstKeyGroup >= 0 && file.firstKeyGroup <= file.lastKeyGroup && file.lastKeyGroup < keyGroups;
            if (!isRange || file.bytes < 0) {
                return where + ": " + file.file + " has the key groups " + file.firstKeyGroup + " to "
                        + file.lastKeyGroup + " of " + keyGroups + ", and " + file.bytes + " bytes";
            }
            int twice = seen.nextSetBit(file.firstKeyGroup);
            if (twice >= 0 && twice <= file.lastKeyGroup) {
                return where + ": the key group " + twice + " is in two files";
            }
            seen.set(file.firstKeyGroup, file.lastKeyGroup + 1);
        }
        return "";
    }

    /** All files of the result. */
    public List<RowFile> allFiles() {
        List<RowFile> all = new ArrayList<>(files);
        summaries.forEach(summary -> summary.windows.forEach(window -> all.addAll(window.files)));
        return all;
    }
}
