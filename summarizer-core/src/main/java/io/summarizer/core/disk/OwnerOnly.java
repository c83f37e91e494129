package io.summarizer.core.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Makes files (mode 0600) and folders (mode 0700) that only their owner may read, whatever the process's umask. On a
 * file system without POSIX permissions, the file system's own rules apply. Stateless.
 */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private static final FileAttribute<?>[] FOLDER = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
    };
    private static final FileAttribute<?>[] FILE = {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
    };
    private static final FileAttribute<?>[] NONE = {};

    private OwnerOnly() {}

    /**
     * The outcome of {@link #tighten}.
     *
     * @param changed files and folders that others can no longer reach
     * @param left files and folders that others can still reach, because another user owns them
     */
    public record Tightened(int changed, List<Path> left) {}

    /** Makes a folder and its missing parents. They survive a loss of power. */
    public static void createDirectories(Path folder) throws IOException {
        // An existing folder may be a link, and Files.createDirectories rejects links.
        if (!Files.isDirectory(folder)) {
            FileDisk.makeFolder(folder, isPosix(folder) ? FOLDER : NONE);
        }
    }

    /** Opens a file. If the options make a new file, only its owner can read it. */
    public static FileChannel open(Path path, OpenOption... options) throws IOException {
        return FileChannel.open(path, Set.of(options), isPosix(path) ? FILE : NONE);
    }

    /**
     * Removes the permissions of group and others from {@code root} and everything below it. Links are not followed.
     */
    public static Tightened tighten(Path root) throws IOException {
        if (!isPosix(root) || !Files.exists(root)) {
            return new Tightened(0, List.of());
        }
        int[] changed = {0};
        List<Path> left = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return visitFile(folder, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                if (!attributes.isSymbolicLink()) {
                    try {
                        changed[0] += tightenOne(path) ? 1 : 0;
                    } catch (IOException e) {
                        left.add(path);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException failure) {
                return FileVisitResult.CONTINUE; // deleted meanwhile, or not ours to look into
            }
        });
        return new Tightened(changed[0], left);
    }

    private static boolean tightenOne(Path path) throws IOException {
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (OWNER.containsAll(allowed)) {
            return false;
        }
        Set<PosixFilePermission> kept = EnumSet.copyOf(OWNER);
        kept.retainAll(allowed);
        Files.setPosixFilePermissions(path, kept);
        return true;
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
