package io.summarizer.core.reject;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.disk.OwnerOnly;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.queue.Threads;
import io.summarizer.core.queue.Waiting;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps refused messages on disk, in files that users can send again without changes.
 *
 * <p>For each reason there are two files. {@code REASON.frames} has the raw bytes as octet-counted frames ({@code
 * LENGTH SP bytes}, RFC 6587). {@code REASON.log} has one line of JSON for each frame: the arrival of the message, the
 * offset and length of its frame, its topic and the error. A file that has reached its size becomes generation {@code
 * REASON.N.frames}, and its index {@code REASON.N.log}; N counts up. When all files together reach the bound, the log
 * finds the reason that takes the most bytes, and deletes the oldest generation of this reason. The deleted frames are
 * counted as dropped. Therefore, a flood of messages of one kind does not displace the messages of another kind.
 *
 * <p>Thread-safe; writers of different reasons do not contend. A buffer is written out when it is full, {@value
 * #FLUSH_INTERVAL_MS} ms after the last write, at {@link #flush} and at {@link #close}. After a disk error, the frames
 * in the buffer are lost. The log counts the error and the lost frames, and resumes writing after {@value
 * #RETRY_INTERVAL_MS} ms. The caller gets no exception.
 *
 * <p>Users may move or delete files at any time. Before the log writes a buffer, it checks whether the open file still
 * has its name. If not, the log closes this file, begins a new one, and writes the buffer to the new file. While only
 * one of the two files has its name, the new file is a generation, for up to a minute.
 */
public final class RejectLog implements RejectSink, AutoCloseable {
    /** Default bound on all files together. */
    public static final long DEFAULT_BYTES_MAX = 256L << 20;
    /** Smallest bound on all files together. Each file gets a sixteenth of the bound. */
    public static final long BYTES_MAX_MIN = 1L << 20;

    static final int FLUSH_INTERVAL_MS = 200;
    static final int RETRY_INTERVAL_MS = 1000;

    private static final String UNMATCHED = "unmatched";
    private static final String DETAIL = "detail";

    private final RejectFile[] files = new RejectFile[RejectReason.values().length];
    /** The files of {@link #files}, and that of {@link #unmatched}. */
    private final List<RejectFile> all = new ArrayList<>();

    private final @Nullable RejectFile unmatched;
    private final @Nullable LateFiles late;
    private final Generations generations;
    private final Thread flusher;
    private volatile boolean closed;

    /**
     * Opens the log, and continues the files of an earlier process. Cuts off an unfinished frame at the end of a file.
     *
     * @param folder the folder; the log makes it when it is missing
     * @param bytesMax bound on all files together, in bytes, at least {@link #BYTES_MAX_MIN}
     * @param keepUnmatched whether {@link #unmatched} keeps messages
     * @throws IOException when the folder cannot be made, read or written; the message names the folder and the reason
     */
    public RejectLog(Path folder, long bytesMax, boolean keepUnmatched) throws IOException {
        this(folder, bytesMax, keepUnmatched, null);
    }

    /**
     * Opens the log as {@link #RejectLog(Path, long, boolean)} does.
     *
     * @param late the files for late messages; this log flushes, forces and closes them. Null to keep no late messages
     */
    public RejectLog(Path folder, long bytesMax, boolean keepUnmatched, @Nullable LateFiles late) throws IOException {
        this.late = late;
        if (bytesMax < BYTES_MAX_MIN) {
            throw new IllegalArgumentException("bytesMax must be at least " + BYTES_MAX_MIN + ", was " + bytesMax);
        }
        // The bound of the generations excludes the active files: one for each reason, and one for unmatched messages.
        long fileBytesMax = bytesMax / 16;
        try {
            OwnerOnly.createDirectories(folder);
            if (!Files.isWritable(folder)) {
                throw new AccessDeniedException(folder.toString());
            }
            generations = new Generations(folder, bytesMax - fileBytesMax * files.length);
            for (RejectReason reason : RejectReason.values()) {
                if (reason != RejectReason.NONE) {
                    RejectFile file = new RejectFile(folder, reason.label(), fileBytesMax, generations);
                    files[reason.ordinal()] = file;
                    all.add(file);
                }
            }
            unmatched = keepUnmatched ? new RejectFile(folder, UNMATCHED, fileBytesMax, generations) : null;
            if (unmatched != null) {
                all.add(unmatched);
            }
        } catch (IOException e) {
            throw new IOException("cannot keep rejected messages: " + DiskErrors.describe(e), e);
        }
        flusher = Threads.start("rejects-flusher", this::flushWhenQuiet);
    }

    @Override
    public void reject(IMessage message, RejectReason reason, String detail) {
        if (reason == RejectReason.NONE) {
            throw new IllegalArgumentException("a message refused without a reason");
        }
        files[reason.ordinal()].append(message, DETAIL, detail);
    }

    @Override
    public void unmatched(IMessage message) {
        if (unmatched != null) {
            unmatched.append(message, DETAIL, "no event type takes this topic");
        }
    }

    @Override
    public boolean keepsLate() {
        return late != null;
    }

    @Override
    public void late(String summary, long window, IMessage message) {
        if (late != null) {
            late.keep(summary, window, message);
        }
    }

    /** Writes out the buffers. */
    public void flush() {
        if (late != null) {
            late.files().forEach(RejectFile::flush);
        }
        all.forEach(RejectFile::flush);
    }

    /**
     * Forces all files to disk, and waits for the disk. All messages that were refused before the call are then
     * durable, as far as they can be written.
     */
    public void force() {
        if (late != null) {
            late.files().forEach(RejectFile::force);
        }
        all.forEach(RejectFile::force);
    }

    /** Number of frames that were written, or are in a buffer to be written. */
    public long kept() {
        return all.stream().mapToLong(RejectFile::kept).sum();
    }

    /** Number of frames that were kept and later deleted, because the files had reached their bound. */
    public long dropped() {
        return generations.droppedFrames();
    }

    /**
     * Number of frames that were not kept because of a disk error, because they were larger than all full files
     * together may be, or because the log was closed.
     */
    public long lost() {
        return all.stream().mapToLong(RejectFile::lost).sum();
    }

    /** Number of disk errors. */
    public long diskErrors() {
        return generations.diskErrors()
                + all.stream().mapToLong(RejectFile::diskErrors).sum();
    }

    /** Bytes of all files, buffers included. */
    public long bytesUsed() {
        return generations.bytes() + all.stream().mapToLong(RejectFile::bytes).sum();
    }

    /** Writes out the buffers and closes the files; later messages are counted as lost. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(flusher);
        Waiting.uninterruptibly(() -> flusher.join(TimeUnit.SECONDS.toMillis(5)));
        if (late != null) {
            late.close();
        }
        all.forEach(RejectFile::close);
    }

    private void flushWhenQuiet() {
        while (!closed) {
            LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(FLUSH_INTERVAL_MS));
            flush();
        }
    }
}
