package io.summarizer.core.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file of a {@link Disk}. Safe for any thread; positions are in bytes from its start. */
public interface DiskFile extends AutoCloseable {
    /** Bytes of the file. */
    long size() throws IOException;

    /** Writes all that remains in {@code bytes}; the file grows where need be. */
    void write(ByteBuffer bytes, long position) throws IOException;

    /** Reads until {@code into} is full or the file ends; returns how many bytes. */
    int read(ByteBuffer into, long position) throws IOException;

    /**
     * Has everything written so far survive a loss of power. When this throws, nobody knows what does: to call it again and
     * believe the answer would be wrong, as the system may have given up what it could not write.
     */
    void force() throws IOException;

    @Override
    void close() throws IOException;
}
