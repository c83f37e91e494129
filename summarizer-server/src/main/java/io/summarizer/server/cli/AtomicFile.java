package io.summarizer.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file of which nobody ever sees half: written beside its place, moved there by {@link #commit}, gone when closed
 * without.
 */
final class AtomicFile implements AutoCloseable {
    private final Path file;
    private final Path temporary;
    private final OutputStream stream;

    /** Begins to replace {@code file}. */
    AtomicFile(Path file) throws IOException {
        this.file = file.toAbsolutePath();
        temporary = this.file.resolveSibling(
                "." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        stream = Files.newOutputStream(temporary);
    }

    /** Where to write. */
    OutputStream stream() {
        return stream;
    }

    /** Puts what was written in its place. */
    void commit() throws IOException {
        stream.close();
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
        Files.deleteIfExists(temporary);
    }
}
