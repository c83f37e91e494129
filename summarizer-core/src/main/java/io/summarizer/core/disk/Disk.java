package io.summarizer.core.disk;

import java.io.IOException;
import java.util.List;

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

    /** A folder within this folder. It is created when a file is written to it. */
    Disk folder(String name);

    /** The path, for messages. */
    @Override
    String toString();
}
