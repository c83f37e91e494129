package io.summarizer.flink.result;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultNames;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * The folder of results on a file system of Flink. Besides the files of {@link ResultNames}, the folder has, for each
 * checkpoint, a list of each owner's files and the ledger of each subtask. The committer reads these files when the
 * checkpoint is complete. If it never is, the committer finds the files of closed windows by the names that each owner
 * writes first. Rejected messages are in a folder of their own, because they are kept for longer than
 * results.
 *
 * <p>Thread-safe: each file has one writer.
 */
public final class ResultFolder {
    private static final String OWNER = "owner";
    private static final String LEDGER = "ledger";
    private static final String WINDOW_NAMES = "windows";
    private static final String REJECTED_FOLDER = "rejected";
    private static final Pattern REJECTED = Pattern.compile("(\\d{20})-\\d{3,}-of-\\d{3,}\\.frames");
    private static final Pattern WINDOW = Pattern.compile("windows/.+-\\d{3,}-of-\\d{3,}-[0-9a-f]{8}\\.state");
    private static final Pattern PART = Pattern.compile("([a-z-]+)-(\\d{3,})-of-(\\d{3,})\\.bin");

    private final Path folder;

    /** A kind of lists of the closed windows of checkpoints. A list has the form of a manifest; no reader sees it. */
    enum Windows {
        /** The windows that a job carries over from the checkpoint from which it goes on. */
        CARRIED,
        /** The windows of a checkpoint that the job abandoned. */
        LEFT;

        private final String suffix = "." + name().toLowerCase(Locale.ROOT);
        private final Pattern pattern = Pattern.compile("(\\d{20})" + Pattern.quote(suffix));

        private String file(long checkpoint) {
            return ResultNames.manifest(checkpoint).replace(".json", suffix);
        }
    }

    /** Writes a file. */
    @FunctionalInterface
    public interface Writer {
        /** Writes the whole file to the stream, and flushes it. Returns the number of bytes. */
        long writeTo(OutputStream out) throws IOException, InterruptedException;
    }

    /** The folder with this URI or path. */
    public ResultFolder(String folder) {
        this.folder = new Path(folder);
    }

    private Path path(String name) {
        return new Path(folder, name);
    }

    private FileSystem files() throws IOException {
        return folder.getFileSystem();
    }

    /** Writes a file. Replaces a file of this name that an incomplete attempt has left. */
    public long write(String name, Writer writer) throws IOException, InterruptedException {
        delete(name); // instead of overwriting it, because a reader may have the file open
        try (OutputStream out = files().create(path(name), FileSystem.WriteMode.OVERWRITE)) {
            return writer.writeTo(out);
        }
    }

    private void write(String name, byte[] bytes) throws IOException {
        try (OutputStream out = files().create(path(name), FileSystem.WriteMode.OVERWRITE)) {
            out.write(bytes);
        }
    }

    /** Writes the counts of a subtask of an operator, up to a checkpoint. */
    public void writeLedger(long checkpoint, String operator, int subtask, int subtasks, byte[] counts)
            throws IOException {
        write(part(checkpoint, LEDGER + "-" + operator, subtask, subtasks), counts);
    }

    /** Writes the list of the files of an owner. */
    public void writeOwner(long checkpoint, int subtask, int subtasks, OwnerFiles files) throws IOException {
        write(part(checkpoint, OWNER, subtask, subtasks), files.toBytes());
    }

    /**
     * Writes the names of the files of closed windows that an owner is about to write for a checkpoint. If the owner
     * does not come to its list, these names lead the committer to the files.
     *
     * @param run the run of the owner, as in {@link ResultNames#window}
     */
    public void writeWindowNames(long checkpoint, int subtask, int subtasks, int run, List<String> names)
            throws IOException {
        // Another run must not replace the names, so each run has a file of its own.
        String file = String.format(
                Locale.ROOT,
                "%s/%s-%03d-of-%03d-%08x.txt",
                ResultNames.checkpoint(checkpoint),
                WINDOW_NAMES,
                subtask,
                subtasks,
                run);
        write(file, String.join("\n", names).getBytes(StandardCharsets.UTF_8));
    }

    /** Writes messages that were rejected before the barrier of a checkpoint, as octet-counted frames. */
    public void writeRejected(long checkpoint, int subtask, int subtasks, byte[] frames) throws IOException {
        write(
                String.format(
                        Locale.ROOT, "%s/%020d-%03d-of-%03d.frames", REJECTED_FOLDER, checkpoint, subtask, subtasks),
                frames);
    }

    /** A file of rejected messages. */
    record Rejected(String name, long checkpoint, long bytes) {}

    /** The files of rejected messages, by checkpoint, the newest first. */
    List<Rejected> rejected() throws IOException {
        List<Rejected> found = new ArrayList<>();
        for (FileStatus file : list(REJECTED_FOLDER)) {
            String name = file.getPath().getName();
            Matcher rejected = REJECTED.matcher(name);
            if (rejected.matches()) {
                found.add(new Rejected(REJECTED_FOLDER + '/' + name, Long.parseLong(rejected.group(1)), file.getLen()));
            }
        }
        found.sort(Comparator.comparingLong(Rejected::checkpoint).reversed().thenComparing(Rejected::name));
        return found;
    }

    private static String part(long checkpoint, String name, int subtask, int subtasks) {
        return ResultNames.checkpoint(checkpoint)
                + String.format(Locale.ROOT, "/%s-%03d-of-%03d.bin", name, subtask, subtasks);
    }

    /** The files of the subtasks for a checkpoint, besides rows. */
    record Parts(List<OwnerFiles> owners, LedgerCounts ledger) {}

    /**
     * Reads the lists and ledgers that the subtasks wrote for a completed checkpoint.
     *
     * @throws IOException also when a subtask's file is missing
     */
    Parts read(long checkpoint) throws IOException {
        List<OwnerFiles> owners = new ArrayList<>();
        LedgerCounts ledger = LedgerCounts.NONE;
        List<Path> parts = parts(checkpoint);
        for (Path part : parts) {
            byte[] bytes = bytes(part);
            if (part.getName().startsWith(OWNER)) {
                owners.add(OwnerFiles.of(bytes));
            } else {
                ledger = ledger.plus(LedgerCounts.read(bytes));
            }
        }
        int missing = missing(parts);
        if (owners.isEmpty() || missing != 0) {
            throw new IOException("checkpoint " + checkpoint + " in " + folder + " lacks files of subtasks: owners="
                    + owners.size() + " missing=" + missing);
        }
        return new Parts(owners, ledger);
    }

    /** Whether all files that the subtasks write for a checkpoint are there. */
    boolean isComplete(long checkpoint) throws IOException {
        List<Path> parts = parts(checkpoint);
        return parts.stream().anyMatch(part -> part.getName().startsWith(OWNER)) && missing(parts) == 0;
    }

    /** Deletes the files that {@link #read} reads, the lists of owners first. Rows and windows stay. */
    void deleteParts(long checkpoint) throws IOException {
        List<Path> parts = new ArrayList<>(parts(checkpoint));
        parts.sort(Comparator.comparing(part -> !part.getName().startsWith(OWNER)));
        for (Path part : parts) {
            boolean unused = files().delete(part, false);
        }
    }

    private List<Path> parts(long checkpoint) throws IOException {
        return list(ResultNames.checkpoint(checkpoint)).stream()
                .map(FileStatus::getPath)
                .filter(path -> PART.matcher(path.getName()).matches())
                .toList();
    }

    /** Number of missing parts of the operators that have a part. */
    private static int missing(List<Path> parts) {
        Map<String, Integer> found = new TreeMap<>();
        int expected = 0;
        for (Path path : parts) {
            Matcher part = PART.matcher(path.getName());
            // Parts of another number of subtasks are of an abandoned checkpoint with the same number.
            if (part.matches() && found.merge(part.group(1) + part.group(3), 1, Integer::sum) == 1) {
                expected += Integer.parseInt(part.group(3));
            }
        }
        return expected - parts.size();
    }

    /** Whether the files of a checkpoint are there. */
    boolean hasOwners(long checkpoint) throws IOException {
        return list(ResultNames.checkpoint(checkpoint)).stream()
                .anyMatch(file -> file.getPath().getName().startsWith(OWNER));
    }

    /** The files of closed windows that owners wrote, or were about to write, for a checkpoint. */
    Set<String> windowFiles(long checkpoint) throws IOException {
        Set<String> names = new TreeSet<>();
        for (FileStatus file : list(ResultNames.checkpoint(checkpoint))) {
            String name = file.getPath().getName();
            if (name.startsWith(WINDOW_NAMES)) {
                // If the owner was killed, the last line may be a part of a name, which may be the name of a folder.
                new String(bytes(file.getPath()), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> WINDOW.matcher(line).matches())
                        .forEach(names::add);
            } else if (name.startsWith(OWNER)) {
                try {
                    OwnerFiles.of(bytes(file.getPath()))
                            .windows()
                            .forEach(window -> names.add(window.file().file()));
                } catch (EOFException e) {
                    // The owner was killed while it wrote its list. It had written the names before.
                }
            }
        }
        return names;
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = file.getFileSystem().open(file)) {
            return in.readAllBytes();
        }
    }

    private List<FileStatus> list(String name) throws IOException {
        FileStatus[] found;
        try {
            found = files().listStatus(path(name));
        } catch (FileNotFoundException e) {
            return List.of();
        }
        return found == null ? List.of() : Arrays.asList(found);
    }

    /** The checkpoints that have manifests, ascending. */
    List<Long> manifests() throws IOException {
        return list(ResultNames.MANIFESTS).stream()
                .map(file -> ResultNames.checkpoint(file.getPath().getName()))
                .filter(OptionalLong::isPresent)
                .map(OptionalLong::getAsLong)
                .sorted()
                .toList();
    }

    /** The checkpoints that have folders, ascending. */
    List<Long> checkpoints() throws IOException {
        List<Long> found = new ArrayList<>();
        for (FileStatus file : list(ResultNames.CHECKPOINTS)) {
            String name = file.getPath().getName();
            if (file.isDir() && name.matches("\\d{20}")) {
                found.add(Long.parseLong(name));
            }
        }
        return found.stream().sorted().toList();
    }

    Manifest readManifest(long checkpoint) throws IOException {
        return readManifest(path(ResultNames.manifest(checkpoint)));
    }

    private Manifest readManifest(Path path) throws IOException {
        try (InputStream in = files().open(path)) {
            return Manifest.read(in, path.toString());
        }
    }

    /** Writes a manifest, which readers see only when it is complete. There must be no manifest with its number yet. */
    void writeManifest(Manifest manifest) throws IOException {
        write(manifest, path(ResultNames.manifest(manifest.checkpoint())));
    }

    /** Writes a list. */
    void writeList(Windows kind, Manifest list) throws IOException {
        deleteList(kind, list.checkpoint());
        write(list, path(kind.file(list.checkpoint())));
    }

    /** The checkpoints that have lists of this kind, ascending. */
    List<Long> lists(Windows kind) throws IOException {
        return list(ResultNames.MANIFESTS).stream()
                .map(file -> kind.pattern.matcher(file.getPath().getName()))
                .filter(Matcher::matches)
                .map(name -> Long.parseLong(name.group(1)))
                .sorted()
                .toList();
    }

    Manifest readList(Windows kind, long checkpoint) throws IOException {
        return readManifest(path(kind.file(checkpoint)));
    }

    void deleteList(Windows kind, long checkpoint) throws IOException {
        delete(kind.file(checkpoint));
    }

    private void write(Manifest manifest, Path target) throws IOException {
        Path unfinished = path(ResultNames.MANIFESTS + "/." + target.getName() + ".tmp");
        try (OutputStream out = files().create(unfinished, FileSystem.WriteMode.OVERWRITE)) {
            manifest.writeTo(out);
        }
        Manifest unused = readManifest(unfinished); // it must be readable, because other results are removed next
        if (!files().rename(unfinished, target)) {
            throw new IOException(unfinished + " could not be renamed to " + target);
        }
    }

    void deleteManifest(long checkpoint) throws IOException {
        delete(ResultNames.manifest(checkpoint));
    }

    void deleteCheckpoint(long checkpoint) throws IOException {
        delete(ResultNames.checkpoint(checkpoint));
    }

    /** Deletes a file, or a folder with all that is in it, if it is there. */
    void delete(String name) throws IOException {
        boolean unused = files().delete(path(name), true);
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
