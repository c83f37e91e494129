package io.summarizer.core.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder of the file system. Threads that use the files must not be interrupted: the JDK closes a file when a thread
 * that uses the file is interrupted.
 */
public final class FileDisk implements Disk {
    private final Path folder;
    private final boolean ownerOnly;

    private FileDisk(Path folder, boolean ownerOnly) {
        this.folder = folder;
        this.ownerOnly = ownerOnly;
    }

    /** A folder, which need not exist yet. Who may read new files depends on the process's umask. */
    public FileDisk(Path folder) {
        this(folder, false);
    }

    /** A folder, which need not exist yet, of files that {@linkplain OwnerOnly only their owner} can read. */
    public static FileDisk ofOwner(Path folder) {
        return new FileDisk(folder, true);
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, Files::isRegularFile)) {
            for (Path path : paths) {
                names.add(path.getFileName().toString());
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    @Override
    public DiskFile create(String name) throws IOException {
        OpenOption[] options = {StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE};
        Path path = folder.resolve(name);
        if (!Files.isDirectory(folder)) {
            if (ownerOnly) {
                OwnerOnly.createDirectories(folder);
            } else {
                makeFolder(folder);
            }
        }
        // Truncating instead would follow a link that another user made here, and empty the file that the link names.
        Files.deleteIfExists(path);
        return new OpenFile(ownerOnly ? OwnerOnly.open(path, options) : FileChannel.open(path, options));
    }

    /** Makes a folder, and the folders above it, so that they survive a loss of power. */
    static void makeFolder(Path folder, FileAttribute<?>... attributes) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        while (above != null && !Files.isDirectory(above)) {
            above = above.getParent();
        }
        Files.createDirectories(folder, attributes);
        for (Path made = folder.toAbsolutePath(); !made.equals(above); ) {
            made = made.getParent();
            if (made == null) {
                break;
            }
            force(made);
        }
    }

    /** Makes the entries of a folder survive a loss of power. */
    private static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public DiskFile open(String name, boolean write) throws IOException {
        Path path = folder.resolve(name);
        return new OpenFile(
                write
                        ? FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)
                        : FileChannel.open(path, StandardOpenOption.READ));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                folder.resolve(from),
                folder.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    @Override
    public void sync() throws IOException {
        force(folder);
    }

    @Override
    public Disk folder(String name) {
        return new FileDisk(folder.resolve(name), ownerOnly);
    }

    @Override
    public String toString() {
        return folder.toString();
    }

    private record OpenFile(FileChannel channel) implements DiskFile {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            long at = position;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            int total = 0;
            while (into.hasRemaining()) {
                int read = channel.read(into, position + total);
                if (read < 0) {
                    break;
                }
                total += read;
            }
            return total;
        }

        /**
         * Forces the data and the length of the file, but not the times of the file. This saves a write when the length
         * has not changed.
         */
        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
