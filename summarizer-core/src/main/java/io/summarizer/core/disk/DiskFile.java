package io.summarizer.core.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Disk}. Thread-safe. Positions are in bytes from the start of the file. */
public interface DiskFile extends AutoCloseable {
    /** Size of the file in bytes. */
    long size() throws IOException;

    /** Writes all remaining bytes. The file grows if necessary. */
    void write(ByteBuffer bytes, long position) throws IOException;

    /** Reads until {@code into} is full or the file ends. Returns the number of bytes read. */
    int read(ByteBuffer into, long position) throws IOException;

    /**
     * Makes everything written so far survive a loss of power. When this method throws, the state of the disk is
     * unknown. A second call that succeeds proves nothing, because the system may have dropped the pages that it could
     * not write.
     */
    void force() throws IOException;

    @Override
    void close() throws IOException;
}
