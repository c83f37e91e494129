package io.summarizer.bench.journal;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.nio.ByteBuffer;
import java.util.List;

/** A disk that discards everything at once, which leaves the journal's own work. */
final class NoDisk implements Disk {
    @Override
    public List<String> list() {
        return List.of();
    }

    @Override
    public DiskFile create(String name) {
        return new NoFile();
    }

    @Override
    public DiskFile open(String name, boolean write) {
        return new NoFile();
    }

    @Override
    public void rename(String from, String to) {}

    @Override
    public void delete(String name) {}

    @Override
    public void sync() {}

    @Override
    public Disk folder(String name) {
        return this;
    }

    private static final class NoFile implements DiskFile {
        @Override
        public long size() {
            return 0;
        }

        @Override
        public void write(ByteBuffer bytes, long position) {
            bytes.position(bytes.limit());
        }

        @Override
        public int read(ByteBuffer into, long position) {
            return 0;
        }

        @Override
        public void force() {}

        @Override
        public void close() {}
    }
}
