package io.summarizer.core.reject;

import io.summarizer.core.disk.OwnerOnly;
import io.summarizer.core.disk.RepeatedFailures;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one reason and their index: the two files being written, and a buffer for each of them. Thread-safe,
 * because the methods for callers take the monitor. Frames are written before their index lines, so that an index never
 * refers to missing frames.
 */
final class RejectFile {
    private static final Logger LOG = System.getLogger(RejectFile.class.getName());

    private static final int FRAME_BUFFER_BYTES = 16 * 1024;
    private static final int LOG_BUFFER_BYTES = 8 * 1024;
    private static final long NONE = -1;
    /** Time that somebody who moves both files has for the second one. */
    private static final long MOVE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final RepeatedFailures failures;
    private final Path folder;
    private final String reason;
    private final Path framesPath;
    private final Path logPath;
    /**
     * Number of the generation that is being written, while somebody moves the two files, one after the other. Another
     * file of the same name would be moved in place of the second file. {@link #NONE} at all other times.
     */
    private long detached = NONE;

    private long detachedAtNanos;
    private final LongSupplier nanoTime;

    private long bytesMax;
    private final Generations generations;

    private final ByteBuffer frameBuffer = ByteBuffer.allocate(FRAME_BUFFER_BYTES);
    private final ByteBuffer logBuffer = ByteBuffer.allocate(LOG_BUFFER_BYTES);
    private final RejectIndex index = new RejectIndex();
    private @Nullable FileChannel frames;
    private @Nullable FileChannel log;
    /** The identity of each file in the file system; null when the file system has no identities. */
    private @Nullable Object framesKey;

    private @Nullable Object logKey;
    /** Sizes of the two files, buffered bytes included. */
    private long frameBytes;

    private long logBytes;
    private long framesInFile;
    private long framesInBuffer;
    private long kept;
    private long lost;
    private long diskErrors;
    private long retryAtNanos;
    private boolean unforced;
    /** Whether a file was made or renamed since the folder was last forced to the disk. */
    private boolean folderUnforced;

    private boolean broken;
    private boolean closed;

    RejectFile(Path folder, String reason, long bytesMax, Generations generations) throws IOException {
        this(folder, reason, bytesMax, generations, System::nanoTime);
    }

    RejectFile(Path folder, String reason, long bytesMax, Generations generations, LongSupplier nanoTime)
            throws IOException {
        this.nanoTime = nanoTime;
        this.folder = folder;
        this.reason = reason;
        this.framesPath = folder.resolve(reason + ".frames");
        failures = new RepeatedFailures(LOG, framesPath.toString());
        this.logPath = folder.resolve(reason + ".log");
        this.bytesMax = bytesMax;
        this.generations = generations;
        if (Files.exists(framesPath)) {
            open();
        }
    }

    /** The name of the files, without ending. */
    String name() {
        return reason;
    }

    /** Sets the size at which the file becomes a generation. */
    synchronized void limit(long bytesMax) {
        this.bytesMax = bytesMax;
        if (frames == null || frameBytes + logBytes <= bytesMax) {
            return;
        }
        try {
            flushBuffers();
            rotate();
        } catch (IOException e) {
            fail(e);
        }
    }

    /**
     * Appends a frame and its line. If they are larger than a file should be, they become a generation of their own.
     *
     * @param name name of the last member of each line of the index
     * @param text value of the last member of the index line
     */
    synchronized void append(IMessage message, String name, String text) {
        byte[] bytes = message.bytes();
        int length = Math.max(0, message.length(MessageBatch.FRAME));
        // Receivers do not accept a frame whose count is 0, so an empty message only has a line in the index.
        byte[] count = length == 0 ? new byte[0] : (length + " ").getBytes(StandardCharsets.US_ASCII);
        if (closed || !usable()) {
            lost++;
            return;
        }
        int needed = count.length + length + RejectIndex.LINE_BYTES_MAX;
        boolean counted = false;
        try {
            if (needed > bytesMax && !generations.makeRoom(needed)) {
                lost++;
                return;
            }
            if (frameBytes + logBytes > 0 && frameBytes + logBytes + needed > bytesMax) {
                flushBuffers();
                rotate();
            }
            if (count.length + length > frameBuffer.remaining() || RejectIndex.LINE_BYTES_MAX > logBuffer.remaining()) {
                flushBuffers();
            }
            byte[] line = index.line(message, frameBytes, length, name, text);
            framesInBuffer++;
            kept++;
            counted = true;
            put(frames, frameBuffer, count, 0, count.length);
            put(frames, frameBuffer, bytes, message.offset(MessageBatch.FRAME), length);
            put(log, logBuffer, line, 0, line.length);
            frameBytes += count.length + length;
            logBytes += line.length;
            if (count.length + length > FRAME_BUFFER_BYTES) {
                writeBuffers(); // the line must go with its frame, which is in the file already
            }
            if (needed > bytesMax) {
                flushBuffers();
                rotate();
            }
        } catch (IOException e) {
            fail(e);
            lost += counted ? 0 : 1; // the error occurred before the message was in the buffer
        }
    }

    synchronized void flush() {
        if (framesInBuffer == 0 || broken) {
            return;
        }
        try {
            flushBuffers();
        } catch (IOException e) {
            fail(e);
        }
    }

    /** Writes out the buffers, and makes all written bytes durable. Meanwhile others may append, most of the time. */
    void force() {
        forceMost();
        forceRest();
    }

    /** Forces without the monitor what was written before, because a slow disk would hold up those who append. */
    private void forceMost() {
        FileChannel frames;
        FileChannel log;
        synchronized (this) {
            flush();
            frames = this.frames;
            log = this.log;
        }
        if (frames != null && log != null) {
            try {
                frames.force(false);
                log.force(false);
            } catch (ClosedChannelException e) {
                // Files that others closed meanwhile were forced before.
            } catch (IOException e) {
                synchronized (this) { // a second attempt to force would succeed
                    if (frames == this.frames) {
                        fail(e);
                    }
                }
            }
        }
    }

    private synchronized void forceRest() {
        if (broken || closed || frames == null || log == null) {
            return;
        }
        try {
            flushBuffers();
            forceChannels();
            if (folderUnforced) {
                try (FileChannel entries = FileChannel.open(framesPath.resolveSibling("."), StandardOpenOption.READ)) {
                    entries.force(true);
                }
                folderUnforced = false;
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void forceChannels() throws IOException {
        if (unforced && frames != null && log != null) {
            frames.force(false);
            log.force(false);
            unforced = false;
        }
    }

    synchronized void close() {
        flush();
        closed = true;
        closeChannels();
    }

    synchronized long kept() {
        return kept;
    }

    synchronized long lost() {
        return lost;
    }

    synchronized long diskErrors() {
        return diskErrors;
    }

    synchronized long bytes() {
        return frameBytes + logBytes;
    }

    private boolean usable() {
        if (broken && System.nanoTime() - retryAtNanos >= 0) {
            broken = false;
        }
        if (!broken) {
            try {
                if (frames == null) {
                    open();
                } else if (framesInBuffer == 0) {
                    followNames();
                }
            } catch (IOException e) {
                fail(e);
            }
        }
        return !broken;
    }

    /** Begins new files if somebody moved or deleted the open files. Keeps the buffers. */
    private void followNames() throws IOException {
        if (frames == null) {
            return;
        }
        boolean hasFrames = isAt(framesPath(), framesKey);
        boolean hasLog = isAt(logPath(), logKey);
        if (hasFrames && hasLog) {
            boolean isMoving = Files.exists(framesPath) || Files.exists(logPath);
            if (detached == NONE || (isMoving && nanoTime.getAsLong() - detachedAtNanos < MOVE_NANOS)) {
                return;
            }
            completeDetached();
            detached = NONE;
            removeRest();
        } else {
            forceChannels(); // somebody who moved a file wants to keep it
            closeChannels();
        }
        detach(hasFrames != hasLog || (detached != NONE && isHalfMoved()));
        long begun = frameBytes - frameBuffer.position();
        open();
        if (framesInBuffer > 0) {
            moveIndex(frameBytes - begun);
            frameBytes += frameBuffer.position();
            logBytes += logBuffer.position();
        }
    }

    private Path framesPath() {
        return detached == NONE ? framesPath : generations.frames(reason, detached);
    }

    private Path logPath() {
        return detached == NONE ? logPath : generations.log(reason, detached);
    }

    /** Whether one of the two files is there and the other is not. */
    private boolean isHalfMoved() {
        return Files.exists(framesPath) != Files.exists(logPath);
    }

    private void detach(boolean isMoving) {
        if (detached == NONE) {
            detachedAtNanos = nanoTime.getAsLong();
        }
        detached = isMoving ? generations.next(reason) : NONE;
    }

    /** Closes the files of a detached generation, which is complete. */
    private void completeDetached() throws IOException {
        forceChannels();
        closeChannels();
        long bytes = frameBytes - frameBuffer.position() + logBytes - logBuffer.position();
        if (bytes == 0) {
            Files.deleteIfExists(framesPath());
            Files.deleteIfExists(logPath());
        } else {
            generations.add(reason, detached, bytes, framesInFile);
        }
    }

    /** Removes the file that somebody left there who wanted only the other one. */
    private void removeRest() throws IOException {
        if (!Files.exists(framesPath)) {
            Files.deleteIfExists(logPath);
        } else if (!Files.exists(logPath)) {
            long number = generations.next(reason);
            OwnerOnly.open(generations.log(reason, number), StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .close(); // or another index would be taken for its index
            Files.move(framesPath, generations.frames(reason, number));
            FrameFile.Extent sound = FrameFile.sound(generations.frames(reason, number));
            generations.add(reason, number, sound.bytes(), sound.frames());
        }
    }

    /**
     * Adds {@code by} to the offsets in the buffered lines of the index. Called when the frames of these lines go to
     * another position than planned.
     */
    private void moveIndex(long by) throws IOException {
        byte[] moved = RejectIndex.moved(
                        new String(logBuffer.array(), 0, logBuffer.position(), StandardCharsets.UTF_8), by)
                .getBytes(StandardCharsets.UTF_8);
        logBuffer.clear();
        if (moved.length <= logBuffer.remaining()) {
            logBuffer.put(moved);
        } else if (log != null) {
            writeAll(log, ByteBuffer.wrap(moved)); // offsets became longer
            logBytes += moved.length;
        }
    }

    private static boolean isAt(Path path, @Nullable Object key) {
        try {
            return Objects.equals(keyOf(path), key);
        } catch (IOException e) {
            return false;
        }
    }

    private static @Nullable Object keyOf(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /**
     * Opens both files at their ends. Cuts off a frame or line that an earlier process left unfinished when it died.
     */
    private void open() throws IOException {
        OwnerOnly.createDirectories(folder);
        if (detached == NONE && !Files.exists(framesPath)) {
            generations.completeLast(reason, logPath);
            if (Files.exists(logPath)) {
                detach(true); // somebody moved its frames
            }
        }
        Path framesPath = framesPath();
        Path logPath = logPath();
        FrameFile.Extent sound = FrameFile.sound(framesPath);
        frames = OwnerOnly.open(framesPath, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        frames.truncate(sound.bytes()).position(sound.bytes());
        log = OwnerOnly.open(logPath, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        framesKey = keyOf(framesPath);
        logKey = keyOf(logPath);
        long lines = RejectIndex.end(logPath, sound.bytes());
        log.truncate(lines).position(lines);
        framesInFile = sound.frames();
        frameBytes = sound.bytes();
        logBytes = lines;
        folderUnforced = true;
    }

    private static void put(@Nullable FileChannel file, ByteBuffer buffer, byte[] bytes, int offset, int length)
            throws IOException {
        if (length <= buffer.remaining()) {
            buffer.put(bytes, offset, length);
        } else if (file != null) {
            write(file, buffer);
            writeAll(file, ByteBuffer.wrap(bytes, offset, length));
        }
    }

    private void flushBuffers() throws IOException {
        if (framesInBuffer > 0) {
            followNames();
        }
        writeBuffers();
    }

    private void writeBuffers() throws IOException {
        if (frames != null && log != null && framesInBuffer > 0) {
            unforced = true;
            write(frames, frameBuffer);
            write(log, logBuffer);
            framesInFile += framesInBuffer;
            framesInBuffer = 0;
            failures.succeed();
        }
    }

    private static void write(FileChannel file, ByteBuffer buffer) throws IOException {
        writeAll(file, buffer.flip());
        buffer.clear();
    }

    private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private void rotate() throws IOException {
        if (detached != NONE) {
            completeDetached();
            detach(isHalfMoved());
            open();
            return;
        }
        forceChannels(); // no later call forces it
        closeChannels();
        long number = generations.next(reason);
        Files.move(framesPath, generations.frames(reason, number));
        generations.add(reason, number, frameBytes + logBytes, framesInFile);
        if (!Files.exists(generations.frames(reason, number))) {
            Files.deleteIfExists(logPath); // there was no room for the generation
        }
        open(); // moves the index, too
    }

    /** Handles an error of the disk: the buffered frames are lost, and nothing is written for a while. */
    private void fail(IOException why) {
        diskErrors++;
        lost += framesInBuffer;
        failures.fail(why);
        kept -= framesInBuffer;
        framesInBuffer = 0;
        frameBuffer.clear();
        logBuffer.clear();
        closeChannels();
        broken = true;
        retryAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RejectLog.RETRY_INTERVAL_MS);
    }

    private void closeChannels() {
        for (FileChannel channel : new FileChannel[] {frames, log}) {
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                diskErrors++;
            }
        }
        frames = null;
        log = null;
    }
}
