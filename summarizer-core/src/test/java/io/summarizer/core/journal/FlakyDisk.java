package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A disk with switches: an operation fails until the switch is reset. Any thread. */
final class FlakyDisk implements Disk {
    private final Disk disk;
    private final Switches switches;

    private static final class Switches {
        volatile @Nullable String forces;
        volatile @Nullable String writes;
        volatile @Nullable String creates;
        volatile @Nullable String syncs;
        volatile boolean broken;
    }

    FlakyDisk(Disk disk) {
        this(disk, new Switches());
    }

    private FlakyDisk(Disk disk, Switches switches) {
        this.disk = disk;
        this.switches = switches;
    }

    /** Makes forces fail with this message; null: no more. */
    void failForces(@Nullable String message) {
        switches.forces = message;
    }

    /** Makes writes fail. */
    void failWrites(@Nullable String message) {
        switches.writes = message;
    }

    /** Makes the creation of files fail. */
    void failCreates(@Nullable String message) {
        switches.creates = message;
    }

    /** Makes syncs of names fail. */
    void failSyncs(@Nullable String message) {
        switches.syncs = message;
    }

    /** Makes forces end in a fault of the program. */
    void breakForces(boolean broken) {
        switches.broken = broken;
    }

    private static void check(@Nullable String message) throws IOException {
        if (message != null) {
            throw new IOException(message);
        }
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public DiskFile create(String name) throws IOException {
        check(switches.creates);
        return new FlakyFile(disk.create(name));
    }

    @Override
    public DiskFile open(String name, boolean write) throws IOException {
        return new FlakyFile(disk.open(name, write));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
    }

    @Override
    public void sync() throws IOException {
        check(switches.syncs);
        disk.sync();
    }

    @Override
    public Disk folder(String name) {
        return new FlakyDisk(disk.folder(name), switches);
    }

    private final class FlakyFile implements DiskFile {
        private final DiskFile file;

        FlakyFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            check(switches.writes);
            file.write(bytes, position);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void force() throws IOException {
            check(switches.forces);
            if (switches.broken) {
                throw new IllegalStateException("broken");
            }
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
