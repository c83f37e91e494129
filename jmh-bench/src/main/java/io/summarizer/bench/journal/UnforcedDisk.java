package io.summarizer.bench.journal;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Files that are written and never forced, which leaves the journal's work and that of the system's page cache. */
record UnforcedDisk(Disk disk) implements Disk {
    @Override
    public List<String> list() throws IOException {
        return disk.list();
    }

    @Override
    public DiskFile create(String name) throws IOException {
        return new UnforcedFile(disk.create(name));
    }

    @Override
    public DiskFile open(String name, boolean write) throws IOException {
        return new UnforcedFile(disk.open(name, write));
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
    public void sync() {}

    @Override
    public Disk folder(String name) {
        return new UnforcedDisk(disk.folder(name));
    }

    private record UnforcedFile(DiskFile file) implements DiskFile {
        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            file.write(bytes, position);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
