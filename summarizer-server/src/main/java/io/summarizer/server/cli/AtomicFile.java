package io.summarizer.server.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * A file of which nobody ever sees half: written beside its place, moved there by {@link #commit}, gone when closed
 * without. A link stays one, and the file that it leads to is replaced; what is there and no file (a device, a pipe) is
 * written to as it is.
 */
final class AtomicFile implements AutoCloseable {
    private static final int LINKS_MAX = 40;

    private final Path file;
    /** Null: {@link #file} itself is written. */
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
            temporary = this.file.resolveSibling("." + this.file.getFileName() + "."
                    + ProcessHandle.current().pid() + ".tmp");
            stream = Files.newOutputStream(temporary);
        }
    }

    /** Where links lead to, which need not be there yet. */
    private static Path target(Path file) throws IOException {
        Path target = file;
        for (int links = 0; Files.isSymbolicLink(target) && links < LINKS_MAX; links++) {
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /** Where to write. */
    OutputStream stream() {
        return stream;
    }

    /** Puts what was written in its place. */
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
