package io.summarizer.core.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A folder of files, with the operations that a journal and checkpoints need. Names are plain file names. Thread-safe.
 * Tests use an implementation that loses unsynced bytes, writes incompletely, and fails.
 *
 * <p>After a loss of power, a file has all bytes that were written before a completed call of {@link DiskFile#force}.
 * The folder has all entries that were made before a completed call of {@link #sync}. Any other bytes and entries may
 * survive in part, or not at all.
 */
public interface Disk {
    /** Names of all files, in no order; empty when the folder does not exist. */
    List<String> list() throws IOException;

    /** Makes a new, empty file and opens it. Makes the folder, too. */
    DiskFile create(String name) throws IOException;

    /**
     * Opens an existing file.
     *
     * @param write whether the file may also be written
     */
    DiskFile open(String name, boolean write) throws IOException;

    /** Renames a file. Replaces a file that has the new name. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file, if it exists. */
    void delete(String name) throws IOException;

    /** Makes the entries of the folder survive a loss of power. */
    void sync() throws IOException;

    /** Size of a file, in bytes. */
    default long size(String name) throws IOException {
        try (DiskFile file = open(name, false)) {
            return file.size();
        }
    }

    /** The bytes of a file, at most the first {@code bytesMax}; null when there is no such file. */
    default byte @Nullable [] read(String name, int bytesMax) throws IOException {
        try (DiskFile file = open(name, false)) {
            byte[] bytes = new byte[(int) Math.min(file.size(), bytesMax)];
            int read = file.read(ByteBuffer.wrap(bytes), 0);
            return Arrays.copyOf(bytes, read);
        } catch (NoSuchFileException | FileNotFoundException e) {
            return null;
        }
    }

    /**
     * Makes or replaces a file, which then survives a loss of power. At any time, the folder has the whole former file
     * or the whole new file under the name.
     *
     * @param temporary name of the unfinished file
     */
    default void replace(String name, String temporary, byte[] bytes) throws IOException {
        try (DiskFile file = create(temporary)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.force();
        }
        rename(temporary, name);
        sync();
    }

    /** A folder within this folder. It is created when a file is written to it. */
    Disk folder(String name);

    /** The path, for messages. */
    @Override
    String toString();
}
