package io.summarizer.core.recovery;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.state.DamagedStateException;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.text.TimestampText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder of checkpoints. A checkpoint is a state file {@code NUMBER.state} that also has positions in the journal.
 * The two newest checkpoints are kept, so that damage to the newest checkpoint costs only a longer replay. A checkpoint
 * is deleted only after two newer checkpoints were written, forced to the disk, and read back. A damaged checkpoint is
 * reported and set aside as {@code NUMBER.state.damaged}.
 *
 * <p>One thread at a time; any thread may call {@link #neededFrom} and {@link #definitions}.
 */
public final class Checkpoints {
    /** Number of checkpoints that are kept. */
    static final int KEPT = 2;

    private static final String DAMAGED = ".damaged";
    private static final Pattern FILE = Pattern.compile("(\\d{10,18})\\.state");

    private final Disk disk;
    private final int threads;
    private final Consumer<String> notes;

    /** The kept checkpoints, oldest first. Guarded by itself. */
    private final Deque<Kept> kept = new ArrayDeque<>();

    /**
     * Checkpoints to be deleted. If a deletion fails, the checkpoint is also in {@link #undeleted}, and the failure is
     * reported once.
     */
    private final Deque<String> superseded = new ArrayDeque<>();

    private final Set<String> undeleted = new HashSet<>();

    private long lastNumber;
    private int damaged;
    /** Number of the newest damaged checkpoint. */
    private long newestDamaged = -1;

    private record Kept(long number, String file, CheckpointInfo info) {}

    /** Makes a value from a checkpoint. */
    @FunctionalInterface
    public interface Loader<T> {
        /** Reads a file. If this method throws a {@link DamagedStateException}, the caller sets the file aside. */
        T load(StateFile file, CheckpointInfo info) throws IOException, InterruptedException;
    }

    private Checkpoints(Disk disk, int threads, Consumer<String> notes) {
        this.disk = disk;
        this.threads = threads;
        this.notes = notes;
    }

    /**
     * Refuses a folder if one of its checkpoints can only be read by a newer program. Called at the start, before any
     * file is changed. Ignores damaged checkpoints.
     *
     * @throws StateException if there is such a checkpoint; the message has the name of the file and its version
     */
    public static void checkFormats(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (FILE.matcher(String.valueOf(file.getFileName())).matches()) {
                    checkFormat(file);
                }
            }
        }
    }

    private static void checkFormat(Path file) throws IOException {
        try {
            StateFile.open(file).close();
        } catch (DamagedStateException e) {
            return; // the file is reported and set aside when it is loaded
        }
    }

    /**
     * Opens a folder, which need not exist, and finds its checkpoints. Deletes unfinished files of killed processes, so
     * no other process may use the folder.
     *
     * @param threads number of threads that work on a file
     * @param notes receives messages about checkpoints that are set aside
     */
    public static Checkpoints open(Disk folder, int threads, Consumer<String> notes) throws IOException {
        StateWriter.sweep(folder);
        Checkpoints checkpoints = new Checkpoints(folder, threads, notes);
        checkpoints.look();
        return checkpoints;
    }

    private void look() throws IOException {
        List<String> files = disk.list();
        damaged = (int) files.stream().filter(file -> file.endsWith(DAMAGED)).count();
        List<Long> numbers =
                files.stream().<Long>mapMulti(Checkpoints::number).sorted().toList();
        for (long number : numbers) {
            lastNumber = Math.max(lastNumber, number);
            String file = file(number);
            try (StateFile state = StateFile.open(disk, file)) {
                CheckpointInfo info = CheckpointInfo.of(state).orElseThrow();
                kept.addLast(new Kept(number, file, info));
            } catch (DamagedStateException e) {
                setAside(number, file, e);
            } catch (NoSuchElementException e) {
                throw new IOException(
                        disk + "/" + file + " is a state file, but no checkpoint; move it out of this folder", e);
            }
        }
    }

    private static void number(String file, Consumer<Long> out) {
        Matcher matcher = FILE.matcher(file);
        if (matcher.matches()) {
            out.accept(Long.parseLong(matcher.group(1)));
        }
    }

    private static String file(long number) {
        return String.format(Locale.ROOT, "%010d.state", number);
    }

    private void setAside(long number, String file, DamagedStateException why) throws IOException {
        String aside = file + DAMAGED;
        notes.accept("the checkpoint " + why.getMessage() + "; it is kept as " + aside);
        disk.rename(file, aside);
        damaged++;
        newestDamaged = Math.max(newestDamaged, number);
    }

    /**
     * Loads the newest sound checkpoint, and sets damaged checkpoints aside.
     *
     * @param loader called for one file after the other, the newest first, until a call returns a value
     * @return empty when there are no checkpoints
     * @throws IOException when all checkpoints are damaged, when a sound checkpoint cannot be loaded, or when a file or
     *     folder cannot be used
     */
    public <T> Optional<T> newest(Loader<T> loader) throws IOException, InterruptedException {
        while (true) {
            Kept newest;
            synchronized (kept) {
                newest = kept.peekLast();
            }
            if (newest == null) {
                break;
            }
            try (StateFile state = StateFile.open(disk, newest.file)) {
                T loaded = loader.load(state, newest.info);
                if (newestDamaged > newest.number) {
                    notes.accept("going on from the checkpoint " + newest.file + " of "
                            + TimestampText.toString(state.takenAtMicros())
                            + "; of later messages, the rows get only what the journal has");
                }
                return Optional.of(loaded);
            } catch (DamagedStateException e) {
                setAside(newest.number, newest.file, e);
                synchronized (kept) {
                    kept.removeLast();
                }
            }
        }
        if (damaged > 0) {
            throw new IOException(
                    "no sound checkpoint is left in " + disk + ", so the rows are lost, except for the messages that"
                            + " the journal still has: put a copy of a checkpoint there; or, to go on with these messages only, delete the"
                            + " damaged ones (docs/operate/backup.md)");
        }
        return Optional.empty();
    }

    /**
     * Writes a checkpoint, reads it back, and deletes the checkpoints that it supersedes. When this method throws, all
     * earlier checkpoints still exist.
     *
     * @param cut a cut that the caller holds, and that is never revoked
     * @param more parts in addition to those of the cut
     * @return number of bytes of the file
     */
    public long write(Cut cut, CheckpointInfo info, CutPart... more) throws IOException, InterruptedException {
        long number = ++lastNumber;
        String file = file(number);
        List<CutPart> parts = new ArrayList<>();
        parts.add(info.part());
        parts.addAll(List.of(more));
        parts.addAll(cut.parts());
        long bytes = StateWriter.write(cut, disk, file, threads, parts);
        try (StateFile written = StateFile.open(disk, file)) {
            written.verify(threads);
        } catch (DamagedStateException e) {
            setAside(number, file, e);
            throw e;
        }
        synchronized (kept) {
            kept.addLast(new Kept(number, file, info));
            while (kept.size() > KEPT) {
                superseded.addLast(kept.removeFirst().file);
            }
        }
        deleteSuperseded();
        return bytes;
    }

    /**
     * Deletes superseded checkpoints. The new checkpoint counts as written even if a deletion fails; the next
     * checkpoint tries the deletion again.
     */
    private void deleteSuperseded() {
        for (Iterator<String> files = superseded.iterator(); files.hasNext(); ) {
            String file = files.next();
            try {
                disk.delete(file);
                files.remove();
                undeleted.remove(file);
            } catch (IOException e) {
                if (undeleted.add(file)) {
                    notes.accept("the checkpoint " + disk + "/" + file + " is superseded and could not be deleted: "
                            + e.getMessage());
                }
            }
        }
    }

    /** The folder, as a text for the log. */
    String folder() {
        return disk.toString();
    }

    /** Whether there are no checkpoints. */
    public boolean isEmpty() {
        synchronized (kept) {
            return kept.isEmpty();
        }
    }

    /** The first sequence in the journal that the kept checkpoints need; 0 when there is no checkpoint. */
    public long neededFrom() {
        return least(CheckpointInfo::from);
    }

    /** Number of the first control in the journal that a kept checkpoint needs; 0 when there is no checkpoint. */
    public long controlsFrom() {
        return least(CheckpointInfo::controls);
    }

    private long least(ToLongFunction<CheckpointInfo> of) {
        synchronized (kept) {
            return kept.stream().map(Kept::info).mapToLong(of).min().orElse(0);
        }
    }

    /** Names of the definitions of the kept checkpoints. */
    public Set<String> definitions() {
        synchronized (kept) {
            return kept.stream()
                    .map(checkpoint -> checkpoint.info.definitions())
                    .collect(Collectors.toSet());
        }
    }

    /** Number of damaged checkpoints. */
    public int damaged() {
        return damaged;
    }
}
