package io.summarizer.core.result;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a folder, for reading only. A held file stays open, so it can be read even after somebody has deleted
 * it. The number of held files is bounded, except for those that are always held. A file beyond the bound is opened
 * only while it is read. Thread-safe.
 */
final class HeldFiles implements Disk {
    /** Maximum number of held files. It is below the usual bounds on the open files of a process. */
    static final int FILES_MAX = 2048;

    private final Disk disk;
    private final int filesMax;
    /** Held files by name. Guarded by this. */
    private final Map<String, Held> held = new HashMap<>();

    private static final class Held {
        final DiskFile file;
        int holders = 1;

        Held(DiskFile file) {
            this.file = file;
        }
    }

    HeldFiles(Disk disk, int filesMax) {
        this.disk = disk;
        this.filesMax = filesMax;
    }

    /**
     * Keeps a file open until {@link #release}.
     *
     * @param always whether the file is held even if too many files are held
     * @return false when the file is not held, because too many files are held
     */
    synchronized boolean hold(String name, boolean always) throws IOException {
        Held present = held.get(name);
        if (present != null) {
            present.holders++;
            return true;
        }
        if (!always && held.size() >= filesMax) {
            return false;
        }
        held.put(name, new Held(disk.open(name, false)));
        return true;
    }

    /** Ends a hold. */
    synchronized void release(String name) {
        Held present = held.get(name);
        if (present == null || present.holders == 0) {
            throw new IllegalStateException(name + " is not held");
        }
        if (--present.holders == 0) {
            held.remove(name);
            try {
                present.file.close();
            } catch (IOException e) {
                // Nothing was written to the file.
            }
        }
    }

    /** Number of held files. */
    synchronized int size() {
        return held.size();
    }

    @Override
    public synchronized DiskFile open(String name, boolean write) throws IOException {
        Held present = held.get(name);
        if (present == null) {
            return disk.open(name, write);
        }
        present.holders++;
        return new Shared(name, present.file);
    }

    /** A held file. Closing it ends one hold. */
    private final class Shared implements DiskFile {
        private final String name;
        private final DiskFile file;
        private boolean closed;

        Shared(String name, DiskFile file) {
            this.name = name;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void write(ByteBuffer bytes, long position) {
            throw readOnly();
        }

        @Override
        public void force() {
            throw readOnly();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                release(name);
            }
        }
    }

    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public Disk folder(String name) {
        return disk.folder(name);
    }

    @Override
    public DiskFile create(String name) {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) {
        throw readOnly();
    }

    @Override
    public void delete(String name) {
        throw readOnly();
    }

    @Override
    public void sync() {
        throw readOnly();
    }

    private UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException(disk + " is read only");
    }

    @Override
    public String toString() {
        return disk.toString();
    }
}
