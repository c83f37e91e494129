package io.summarizer.server.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A new folder that is deleted with its contents when closed. */
public final class TemporaryFolder implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(TemporaryFolder.class.getName());

    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    /** Makes a folder among the system's temporary files. */
    public static TemporaryFolder create(String prefix) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(prefix));
    }

    /** Makes a folder in the folder {@code parent}. */
    public static TemporaryFolder createIn(Path parent, String prefix) throws IOException {
        return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
    }

    /** Makes a folder in memory. If the system has no file system in memory, makes a folder as {@link #create} does. */
    public static TemporaryFolder createInMemory(String prefix) throws IOException {
        return Files.isWritable(MEMORY) ? createIn(MEMORY, prefix) : create(prefix);
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            delete(path);
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "could not delete all of " + path, e);
        }
    }

    /** Deletes a folder with its contents, even while others delete the same folder. */
    public static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path inner, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(inner);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
