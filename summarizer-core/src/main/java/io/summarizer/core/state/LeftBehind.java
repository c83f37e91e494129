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
 * Names of the unfinished files beside a state file, {@code .NAME.PID.tmp}, and their end when a process was killed while it
 * wrote one.
 */
final class LeftBehind {
    /** A writer in another container has a number that means nothing here, but is at it all the time. */
    private static final Duration AGE = Duration.ofMinutes(10);

    private static final String SUFFIX = ".tmp";

    private final Path folder;
    private final String name;

    /** Beside {@code target}, an absolute path. */
    LeftBehind(Path target) {
        folder = Objects.requireNonNull(target.getParent());
        name = String.valueOf(target.getFileName());
    }

    /** Name of the state file. */
    String name() {
        return name;
    }

    /** Name of the unfinished file of the process at hand. */
    String temporary() {
        return temporary(name);
    }

    /** Name of the unfinished file, beside the one of this name, of the process at hand. */
    static String temporary(String name) {
        return prefix(name) + ProcessHandle.current().pid() + SUFFIX;
    }

    private static String prefix(String name) {
        return "." + name + ".";
    }

    /** Deletes those that no process writes any more. What cannot be deleted is left, as it is in nobody's way. */
    void sweep() {
        Instant old = Instant.now().minus(AGE);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, this::isOfNobody)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(old)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // the file that is to be written matters, and says more if the folder is of no use
        }
    }

    /** Deletes all on a disk that belongs to the process at hand alone. */
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
