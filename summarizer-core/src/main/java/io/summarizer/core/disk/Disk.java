package io.summarizer.core.disk;

import java.io.IOException;
import java.util.List;

/**
 * A folder of files, as far as a journal and checkpoints need one; so that tests can put a disk in its place that forgets, tears and fails.
 * Names are plain file names. Safe for any thread.
 *
 * <p>What survives a loss of power: of a file's bytes those that were written before {@link DiskFile#force} returned; of the
 * folder's entries those before {@link #sync} returned. Of everything else any part may be there.
 */
public interface Disk {
    /** Names of all files, in no order; empty when the folder is not there. */
    List<String> list() throws IOException;

    /** A new, empty file, open. Makes the folder, too. */
    DiskFile create(String name) throws IOException;

    /**
     * An existing file, open.
     *
     * @param write whether it will be written, too
     */
    DiskFile open(String name, boolean write) throws IOException;

    /** Gives a file another name; what had that name is gone. */
    void rename(String from, String to) throws IOException;

    /** Deletes a file, if it is there. */
    void delete(String name) throws IOException;

    /** Has the entries of the folder survive a loss of power. */
    void sync() throws IOException;

    /** A folder within this one; made when something is written to it. */
    Disk folder(String name);

    /** Where it is, for messages to people. */
    @Override
    String toString();
}
