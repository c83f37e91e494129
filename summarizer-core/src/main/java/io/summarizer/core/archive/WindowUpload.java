package io.summarizer.core.archive;

import io.summarizer.core.bytes.Sha256;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A file on its way to become a closed window; made by {@link WindowFolder#begin}. One thread at a time writes,
 * verifies and prepares the file. {@link #close} deletes the file if it was not put.
 */
public final class WindowUpload implements AutoCloseable {
    private final Disk disk;
    private final DiskFile file;
    private final MessageDigest digest = Sha256.newDigest();
    private final long bytesMax;
    private String name;
    private long bytes;
    private @Nullable String sha256;
    private boolean anyway;

    WindowUpload(Disk disk, String name, long bytesMax) throws IOException {
        this.disk = disk;
        this.name = name;
        this.bytesMax = bytesMax;
        file = disk.create(name);
    }

    /**
     * Appends bytes.
     *
     * @throws WindowRefusedException when the file becomes larger than its limit
     */
    public void write(ByteBuffer more) throws IOException {
        if (bytes + more.remaining() > bytesMax) {
            throw new WindowRefusedException("the file has more than " + bytesMax + " bytes");
        }
        int length = more.remaining();
        digest.update(more.duplicate());
        file.write(more, bytes);
        bytes += length;
    }

    /**
     * Reads the whole file, makes it durable, and checks its sums. Takes about a second per gigabyte.
     *
     * @param threads number of threads that work on the file
     * @throws WindowRefusedException when the file is damaged, or is not a complete state file
     */
    public void verify(int threads) throws IOException, InterruptedException {
        file.force();
        try (StateFile state = StateFile.open(disk, name)) {
            state.verify(threads);
        } catch (StateException e) {
            throw refusal(e);
        }
        sha256 = HexFormat.of().formatHex(digest.digest());
    }

    /** A refusal of the file, which does not tell the client where the service keeps its files. */
    WindowRefusedException refusal(StateException e) {
        return new WindowRefusedException(String.valueOf(e.getMessage()).replace(disk + "/" + name, "the file"));
    }

    /** SHA-256 of the file, in hexadecimal digits. Available only after {@link #verify}. */
    public String sha256() {
        String known = sha256;
        if (known == null) {
            throw new IllegalStateException(name + " was not verified");
        }
        return known;
    }

    /** Lets the file replace a file that it was not made from. */
    public void putAnyway() {
        anyway = true;
    }

    boolean isAnyway() {
        return anyway;
    }

    /** Name of the file in its folder. */
    String name() {
        return name;
    }

    /** Renames the file. */
    void rename(String to) throws IOException {
        disk.rename(name, to);
        name = to;
    }

    @Override
    public void close() throws IOException {
        try (file) {
            disk.delete(name); // a file that was put has another name
        }
    }
}
