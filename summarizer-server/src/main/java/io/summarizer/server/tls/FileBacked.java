package io.summarizer.server.tls;

import io.summarizer.core.disk.DiskErrors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * A value loaded from files. The files may be replaced while the value is in use; {@link #refresh} loads changes. When
 * the files cannot be used, the previous value stays in force. Any thread may use the value; one thread refreshes it.
 *
 * @param <T> type of the loaded value; immutable
 */
public abstract class FileBacked<T> {
    private static final System.Logger LOGGER = System.getLogger(FileBacked.class.getName());

    private final List<Path> files;
    private final Source<T> source;
    private final LongAdder reloads = new LongAdder();
    private final LongAdder failedReloads = new LongAdder();
    private List<String> stamps;
    private volatile T held;
    private volatile boolean refused;

    /** Reads the files. */
    @FunctionalInterface
    protected interface Source<T> {
        T read() throws IOException;
    }

    /**
     * Reads the files.
     *
     * @throws IOException when a file cannot be used; the message names the file and says what to do
     */
    protected FileBacked(List<Path> files, Source<T> source) throws IOException {
        this.files = files;
        this.source = source;
        stamps = stamps(files);
        held = source.read();
    }

    /**
     * Returns the state of files. The states of two calls differ if a file was written to, replaced, added or removed
     * in between. The method follows links. Cost: a system call for each file.
     */
    static List<String> stamps(List<Path> files) {
        return files.stream().map(FileBacked::stamp).toList();
    }

    private static String stamp(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Reads a small file.
     *
     * @param tooLarge reason why a file of more bytes is refused
     * @throws IOException when the file has more than {@code bytesMax} bytes or cannot be read; the message names the
     *     file
     */
    public static byte[] read(Path file, long bytesMax, String tooLarge) throws IOException {
        try {
            if (Files.size(file) > bytesMax) {
                throw new IOException(file + ": " + tooLarge);
            }
            return Files.readAllBytes(file);
        } catch (FileSystemException e) {
            throw new IOException(DiskErrors.describe(e), e);
        } catch (IOException e) {
            throw Files.isDirectory(file) ? new IOException(file + ": is a folder", e) : e;
        }
    }

    /** The value in force: the value of the last files that could be used. */
    protected final T held() {
        return held;
    }

    /**
     * Checks that a value may replace the value in force.
     *
     * @throws IOException when the value in force is better; the message says why
     */
    protected void checkReplaces(T now) throws IOException {}

    /** Returns the line for the log after a change. */
    protected abstract String changed(T now);

    /** Returns the start of the log line about files that cannot be used. */
    protected abstract String unusable();

    /**
     * Reads the files again if they changed since the last look, or if they could not be used then. The reason may be
     * gone without a change of the files, as after a change of their owner.
     */
    public final void refresh() {
        List<String> now = stamps(files);
        boolean changed = !now.equals(stamps);
        if (!changed && !refused) {
            return;
        }
        stamps = now; // the state before the read, so that the next call sees changes during the read
        try {
            T read = source.read();
            checkReplaces(read);
            held = read;
            refused = false;
            reloads.increment();
            LOGGER.log(System.Logger.Level.INFO, changed(read));
        } catch (IOException | RuntimeException e) {
            refused = true;
            if (changed) {
                failedReloads.increment();
                LOGGER.log(System.Logger.Level.WARNING, unusable() + ": " + e.getMessage());
            }
        }
    }

    /** Number of times that changed files were loaded. */
    public final long reloads() {
        return reloads.sum();
    }

    /** Number of times that changed files could not be used. */
    public final long failedReloads() {
        return failedReloads.sum();
    }

    /** Whether the value in force comes from the present files. */
    public final boolean isCurrent() {
        return !refused;
    }
}
