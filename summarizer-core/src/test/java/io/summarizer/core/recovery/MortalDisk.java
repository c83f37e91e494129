package io.summarizer.core.recovery;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A disk that a process can lose in the middle of an operation: later writes do not exist for the next process. */
final class MortalDisk implements Disk {
    private final Disk disk;
    private final AtomicBoolean dead;
    private final AtomicBoolean failing;

    MortalDisk(Disk disk) {
        this(disk, new AtomicBoolean(), new AtomicBoolean());
    }

    private MortalDisk(Disk disk, AtomicBoolean dead, AtomicBoolean failing) {
        this.disk = disk;
        this.dead = dead;
        this.failing = failing;
    }

    /** Makes one force fail, of a file that was not just made; the written bytes exist nevertheless. */
    void failOneForce(boolean fail) {
        failing.set(fail);
    }

    /** Acts like SIGKILL: written bytes stay, later ones do not exist. */
    void kill() {
        synchronized (dead) { // not in the middle of a write
            dead.set(true);
        }
    }

    private interface Change {
        void make() throws IOException;
    }

    private void change(Change change) throws IOException {
        synchronized (dead) {
            if (dead.get()) {
                throw new IOException("killed");
            }
            change.make();
        }
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public DiskFile create(String name) throws IOException {
        DiskFile[] made = new DiskFile[1];
        change(() -> made[0] = disk.create(name));
        return new File(made[0], true);
    }

    @Override
    public DiskFile open(String name, boolean write) throws IOException {
        return new File(disk.open(name, write), false);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        change(() -> disk.rename(from, to));
    }

    @Override
    public void delete(String name) throws IOException {
        change(() -> disk.delete(name));
    }

    @Override
    public void sync() throws IOException {
        change(disk::sync);
    }

    @Override
    public Disk folder(String name) {
        return new MortalDisk(disk.folder(name), dead, failing);
    }

    private final class File implements DiskFile {
        private final DiskFile file;
        private final boolean made;

        File(DiskFile file, boolean made) {
            this.file = file;
            this.made = made;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            change(() -> file.write(bytes, position));
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return file.read(into, position);
        }

        /** Does nothing: a kill is no loss of power, so written bytes stay, and tests need not wait for the disk. */
        @Override
        public void force() throws IOException {
            change(() -> {
                if (!made && failing.compareAndSet(true, false)) {
                    throw new IOException("one force fails");
                }
            });
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
