package io.summarizer.core.state;

import io.summarizer.core.disk.Disk;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Finds the temporary files, named {@code .NAME.PID.tmp}, in the folder of a state file. Deletes temporary files of
 * processes that were killed while writing.
 */
final class LeftBehind {
    /**
     * A file that was not changed for this time counts as unused. The process id of a writer in another container means
     * nothing here; the time of the last change shows that such a writer is at work.
     */
    private static final Duration AGE = Duration.ofMinutes(10);

    private static final String SUFFIX = ".tmp";

    private final Path folder;
    private final String name;

    /** The temporary files of {@code target}, an absolute path. */
    LeftBehind(Path target) {
        folder = Objects.requireNonNull(target.getParent());
        name = String.valueOf(target.getFileName());
    }

    /** Name of the state file. */
    String name() {
        return name;
    }

    /** Name of the unfinished file of this process. */
    String temporary() {
        return temporary(name);
    }

    /** Name of the temporary file in which this process writes the state file of this name. */
    static String temporary(String name) {
        return prefix(name) + ProcessHandle.current().pid() + SUFFIX;
    }

    private static String prefix(String name) {
        return "." + name + ".";
    }

    /**
     * Deletes the temporary files that no process writes any more. If a file cannot be deleted, it stays and does no
     * harm.
     */
    void sweep() {
        Instant old = Instant.now().minus(AGE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, this::isOfNobody)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // The caller writes the state file next. If the folder is the problem, that write fails with a better
            // message.
        }
    }

    /** Deletes all temporary files on a disk that only this process uses. */
    static void sweepAll(Disk disk) throws IOException {
        for (String name : disk.list()) {
            if (name.startsWith(".") && name.endsWith(SUFFIX)) {
                disk.delete(name);
            }
        }
    }

    private boolean isOfNobody(Path file) {
        String prefix = prefix(this.name);
        String name = String.valueOf(file.getFileName());
        if (!name.startsWith(prefix) || !name.endsWith(SUFFIX) || name.length() <= prefix.length() + SUFFIX.length()) {
            return false;
        }
        String pid = name.substring(prefix.length(), name.length() - SUFFIX.length());
        return pid.length() <= 10
                && pid.chars().allMatch(digit -> digit >= '0' && digit <= '9')
                && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }
}
