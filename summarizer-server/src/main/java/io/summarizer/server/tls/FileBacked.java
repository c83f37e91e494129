package io.summarizer.server.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Something that is made of files, which may be replaced while it is in use: {@link #refresh} takes up what changed. When the
 * files cannot be used, what they held before stays in force. Any thread may use it; one refreshes.
 *
 * @param <T> what the files hold; immutable
 */
public abstract class FileBacked<T> {
    private static final System.Logger LOGGER = System.getLogger(FileBacked.class.getName());

    private final List<Path> files;
    private final Source<T> source;
    private final LongAdder reloads = new LongAdder();
    private final LongAdder failedReloads = new LongAdder();
    private FileStamps stamps;
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
     * @throws IOException when they cannot be used; the message says which, and what to do
     */
    protected FileBacked(List<Path> files, Source<T> source) throws IOException {
        this.files = files;
        this.source = source;
        stamps = FileStamps.of(files);
        held = source.read();
    }

    /** What the files held when they could be used last. */
    protected final T held() {
        return held;
    }

    /** A line for the log on what is in force now. */
    protected abstract String changed(T now);

    /** The start of a line for the log on files that cannot be used. */
    protected abstract String unusable();

    /** Reads the files anew if they changed since it last looked. */
    public final void refresh() {
        FileStamps now = FileStamps.of(files);
        if (now.equals(stamps)) {
            return;
        }
        stamps = now; // of before they are read: what changes meanwhile is seen the next time
        try {
            T read = source.read();
            held = read;
            refused = false;
            reloads.increment();
            LOGGER.log(System.Logger.Level.INFO, changed(read));
        } catch (IOException e) {
            refused = true;
            failedReloads.increment();
            LOGGER.log(System.Logger.Level.WARNING, unusable() + ": " + e.getMessage());
        }
    }

    /** Times that changed files were taken up. */
    public final long reloads() {
        return reloads.sum();
    }

    /** Times that changed files could not be used. */
    public final long failedReloads() {
        return failedReloads.sum();
    }

    /** Whether what is in force is what the files hold. */
    public final boolean isCurrent() {
        return !refused;
    }
}
