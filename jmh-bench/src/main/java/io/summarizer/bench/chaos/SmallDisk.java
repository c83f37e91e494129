package io.summarizer.bench.chaos;

import io.summarizer.bench.report.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system of a few MiB in memory that can be filled to its last byte. Only root may mount such a file system. One
 * thread.
 */
record SmallDisk(Path folder) implements AutoCloseable {
    private static final int PART_BYTES = 64 * 1024;

    /** Whether a mount may succeed. */
    static boolean isPossible() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("user.name").equals("root");
    }

    /**
     * Mounts a small disk.
     *
     * @throws IOException when the system does not allow the mount
     */
    static SmallDisk mount(Path folder, int mebibytes) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Processes.run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        return new SmallDisk(folder);
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** Fills the disk. */
    void fill() throws IOException {
        byte[] part = new byte[PART_BYTES];
        try (var out = Files.newOutputStream(ballast())) {
            while (true) {
                out.write(part);
            }
        } catch (IOException e) {
            if (Files.notExists(ballast())) {
                throw e;
            }
            // The disk is full.
        }
    }

    /** Frees the space again. */
    void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    @Override
    public void close() throws IOException {
        try {
            Processes.run("umount", folder.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
