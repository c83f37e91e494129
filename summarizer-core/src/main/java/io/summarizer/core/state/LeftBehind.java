package io.summarizer.core.state;

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
    private final String prefix;

    /** Beside {@code target}, an absolute path. */
    LeftBehind(Path target) {
        folder = Objects.requireNonNull(target.getParent());
        prefix = "." + target.getFileName() + ".";
    }

    /** The unfinished file of a process. */
    Path of(long pid) {
        return folder.resolve(prefix + pid + SUFFIX);
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

    /** Deletes all in a folder that belongs to the process at hand alone. */
    static void sweepAll(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ".*" + SUFFIX)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private boolean isOfNobody(Path file) {
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
