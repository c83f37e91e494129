package io.summarizer.core.disk;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Texts for the errors of a disk. Stateless. */
public final class DiskErrors {
    private DiskErrors() {}

    /**
     * Describes an exception by its message. If the message of the JDK is only the path, adds what is wrong with the
     * path.
     */
    public static String describe(Throwable e) {
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + ": no such file";
        }
        if (e instanceof AccessDeniedException) {
            return e.getMessage() + ": permission denied";
        }
        if (e instanceof FileAlreadyExistsException) {
            return e.getMessage() + ": is there already, and not a folder";
        }
        if (e instanceof NotDirectoryException) {
            return e.getMessage() + ": is no folder";
        }
        if (e instanceof FileSystemException file && file.getReason() == null) {
            return e.getMessage() + ": " + e.getClass().getSimpleName();
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
