package io.summarizer.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A file that no reader ever sees half-written. The content is written to a temporary file in the same folder, and
 * {@link #commit} renames the temporary file. Closing without a commit deletes the temporary file. If the name is a
 * link, the link stays and its target is replaced. A target that is no regular file, such as a device or a pipe, is
 * written to directly.
 */
final class AtomicFile implements AutoCloseable {
    private static final int LINKS_MAX = 40;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path file;
    /** Path of the temporary file; null when {@link #file} is written directly. */
    private final @Nullable Path temporary;

    private final OutputStream stream;

    /** Begins to replace {@code file}. */
    AtomicFile(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            this.file = file;
            temporary = null;
            stream = Files.newOutputStream(file);
        } else {
            this.file = target(file.toAbsolutePath());
            Path folder = this.file.getParent();
            if (folder != null && !Files.isDirectory(folder)) {
                throw new IOException(file + ": there is no folder " + folder);
            }
            // Others may be able to write to the folder. So they must not know the name, or a link of this name would
            // make this process overwrite the file that the link names.
            temporary = this.file.resolveSibling(
                    "." + this.file.getFileName() + "." + Long.toHexString(RANDOM.nextLong()) + ".tmp");
            stream = Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
    }

    /** Returns the target of a chain of links. The target need not exist. */
    private static Path target(Path file) throws IOException {
        Path target = file;
        for (int links = 0; Files.isSymbolicLink(target) && links < LINKS_MAX; links++) {
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /** The stream to write to. */
    OutputStream stream() {
        return stream;
    }

    /** Moves the written file to its place. */
    void commit() throws IOException {
        stream.close();
        if (temporary == null) {
            return;
        }
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
        if (temporary != null) {
            Files.deleteIfExists(temporary);
        }
    }
}
