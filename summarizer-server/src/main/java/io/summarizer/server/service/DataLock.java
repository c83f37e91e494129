package io.summarizer.server.service;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.core.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A process's claim on a data folder. The claim is a lock of the operating system on the folder's file {@code lock},
 * which contains the process's id. The lock ends with the process, in whatever way the process ends. So a left-over
 * file {@code lock} keeps no process out.
 */
public final class DataLock implements AutoCloseable {
    private static final int PID_BYTES_MAX = 32;

    private static final System.Logger LOGGER = System.getLogger(DataLock.class.getName());

    private final FileChannel channel;

    private DataLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Claims a folder. Creates the folder when it is absent.
     *
     * @throws IOException when the folder cannot be made, or when another process has claimed it; the message names
     *     the folder or the other process
     */
    public static DataLock of(Path folder) throws IOException {
        try {
            OwnerOnly.createDirectories(folder);
        } catch (IOException e) {
            throw new IOException(
                    "cannot make the data folder " + folder + " (setting data): " + DiskErrors.describe(e), e);
        }
        warnOfOwner(folder);
        FileChannel channel = OwnerOnly.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw new IOException("the data folder " + folder + " is in use by process " + pid(channel)
                        + "; stop that one, or choose another folder (--set data=DIR)");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
            return new DataLock(channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Warns when root uses the folder of another user, because that user cannot read the files that root makes. */
    private static void warnOfOwner(Path folder) throws IOException {
        String user = System.getProperty("user.name", "");
        if (user.equals("root")) {
            String owner = Files.getOwner(folder).getName();
            if (!owner.equals(user)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "the data folder {0} belongs to {1}, who cannot read the files that root makes in it; before {1}"
                                + " uses it again: chown -R {1}: {0}",
                        folder,
                        owner);
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this same process has the lock
        }
    }

    private static String pid(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PID_BYTES_MAX);
        int read = channel.read(bytes, 0);
        String text = read <= 0 ? "" : new String(bytes.array(), 0, read, StandardCharsets.US_ASCII).strip();
        return text.isEmpty() ? "(unknown)" : text;
    }

    /**
     * Releases the folder. The file stays, because after a deletion two processes could lock two different files of the
     * same name.
     */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
