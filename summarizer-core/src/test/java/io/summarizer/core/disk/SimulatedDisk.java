package io.summarizer.core.disk;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk in memory that fails as disks do, by a seed: at a loss of power it forgets, keeps or garbles each sector that
 * was not forced, and keeps a prefix of the changes to its folder; a failing force writes a part and forgets that the
 * rest is missing; the disk runs full; a process can be killed at any call, also in the middle of a write. One thread.
 */
public final class SimulatedDisk implements Disk {
    /** Thrown into a killed process; every later call throws it, too. */
    public static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Killed() {
            super("killed", null, false, false);
        }
    }

    private static final int SECTOR = 512;

    private final Random random;
    private final SimulatedDisk root;
    private final Map<String, SimulatedDisk> folders = new HashMap<>();

    private Map<String, Content> entries = new TreeMap<>();
    private Map<String, Content> durableEntries = new TreeMap<>();
    /** Changes of the folder since its last sync, each as the folder after the change. */
    private final List<Map<String, Content>> changes = new ArrayList<>();

    // Of the root.
    private long capacity = Long.MAX_VALUE;
    private int callsLeft = Integer.MAX_VALUE;
    private boolean killed;
    private double failingForces;
    private double failingWrites;
    private int forces;

    /** The contents of a file: as a process sees them, and as they are on the disk. */
    private static final class Content {
        byte[] seen = {};
        byte[] durable = {};
        final BitSet dirty = new BitSet();
        final BitSet unreadable = new BitSet();
    }

    public SimulatedDisk(Random random) {
        this.random = random;
        root = this;
    }

    private SimulatedDisk(SimulatedDisk root) {
        random = root.random;
        this.root = root;
    }

    /** Kills the process after so many calls. */
    public void killAfter(int calls) {
        callsLeft = calls;
    }

    /** Sets the bytes of all files, in folders, too; more are refused. */
    public void capacity(long capacity) {
        this.capacity = capacity;
    }

    /** Sets the share of forces and of writes that fail, from 0 to 1. */
    public void failing(double forces, double writes) {
        failingForces = forces;
        failingWrites = writes;
    }

    /** Forces that succeeded. */
    public int forces() {
        return forces;
    }

    /** Whether the process was killed, and none has begun since. */
    public boolean isKilled() {
        return root.killed;
    }

    /** Ends the process; the next one sees all that it wrote. */
    public void restart() {
        killed = false;
        callsLeft = Integer.MAX_VALUE;
    }

    /** The power is lost and comes back. */
    public void loseEverythingUnsynced() {
        restart();
        int kept = random.nextInt(changes.size() + 1);
        Map<String, Content> folder = kept == 0 ? durableEntries : changes.get(kept - 1);
        changes.clear();
        entries = new TreeMap<>(folder);
        durableEntries = new TreeMap<>(folder);
        entries.values().forEach(this::loseUnsynced);
        folders.values().forEach(SimulatedDisk::loseEverythingUnsynced);
    }

    private void loseUnsynced(Content content) {
        byte[] kept = content.durable;
        int length = random.nextBoolean() ? content.seen.length : kept.length;
        byte[] after = Arrays.copyOf(kept, length);
        for (int sector = content.dirty.nextSetBit(0); sector >= 0; sector = content.dirty.nextSetBit(sector + 1)) {
            int from = sector * SECTOR;
            int to = Math.min(from + SECTOR, Math.min(length, content.seen.length));
            if (from >= to) {
                continue;
            }
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    // the file stays as it was
                }
                case 3 -> {
                    byte[] garbage = new byte[to - from];
                    random.nextBytes(garbage);
                    System.arraycopy(garbage, 0, after, from, to - from);
                }
                case 4 -> System.arraycopy(content.seen, from, after, from, random.nextInt(to - from + 1));
                default -> System.arraycopy(content.seen, from, after, from, to - from);
            }
        }
        content.dirty.clear();
        content.durable = after;
        content.seen = after.clone();
    }

    /** Changes a byte on the disk. */
    public void flip(String name, long position, int bits) {
        Content content = content(name);
        content.seen[(int) position] ^= (byte) bits;
        content.durable[(int) position] ^= (byte) bits;
    }

    /** Makes a sector all zeros. */
    public void zero(String name, long position) {
        Content content = content(name);
        int from = (int) position / SECTOR * SECTOR;
        int to = Math.min(from + SECTOR, content.seen.length);
        Arrays.fill(content.seen, from, to, (byte) 0);
        Arrays.fill(content.durable, from, to, (byte) 0);
    }

    /** Makes a sector fail when it is read. */
    public void makeUnreadable(String name, long position) {
        content(name).unreadable.set((int) position / SECTOR);
    }

    /** Bytes of a file as a process sees it. */
    public byte[] bytes(String name) {
        return content(name).seen.clone();
    }

    /** Replaces the contents of a file, in the folder and on the disk. */
    public void put(String name, byte[] bytes) {
        Content content = new Content();
        content.seen = bytes.clone();
        content.durable = bytes.clone();
        entries.put(name, content);
        durableEntries.put(name, content);
    }

    private Content content(String name) {
        Content content = entries.get(name);
        if (content == null) {
            throw new IllegalArgumentException(name);
        }
        return content;
    }

    private void call() {
        if (root.killed || --root.callsLeft < 0) {
            root.killed = true;
            throw new Killed();
        }
    }

    private void changed() {
        changes.add(new TreeMap<>(entries));
    }

    @Override
    public List<String> list() {
        call();
        return new ArrayList<>(entries.keySet());
    }

    @Override
    public DiskFile create(String name) {
        call();
        Content content = new Content();
        entries.put(name, content);
        changed();
        return new OpenFile(content);
    }

    @Override
    public DiskFile open(String name, boolean write) throws IOException {
        call();
        Content content = entries.get(name);
        if (content == null) {
            throw new FileNotFoundException(name);
        }
        return new OpenFile(content);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        call();
        Content content = entries.remove(from);
        if (content == null) {
            throw new FileNotFoundException(from);
        }
        entries.put(to, content);
        changed();
    }

    @Override
    public void delete(String name) {
        call();
        if (entries.remove(name) != null) {
            changed();
        }
    }

    @Override
    public void sync() throws IOException {
        call();
        if (random.nextDouble() < root.failingForces) {
            throw new IOException("Input/output error");
        }
        durableEntries = new TreeMap<>(entries);
        changes.clear();
    }

    @Override
    public Disk folder(String name) {
        return folders.computeIfAbsent(name, key -> new SimulatedDisk(root));
    }

    /** Bytes that all files take, except those of folders within this one. */
    public long used() {
        return entries.values().stream()
                .mapToLong(content -> content.seen.length)
                .sum();
    }

    private long usedInAll() {
        return used()
                + folders.values().stream().mapToLong(SimulatedDisk::usedInAll).sum();
    }

    private final class OpenFile implements DiskFile {
        private final Content content;
        private boolean closed;

        OpenFile(Content content) {
            this.content = content;
        }

        private void check() throws IOException {
            call();
            if (closed) {
                throw new IOException("closed");
            }
        }

        @Override
        public long size() throws IOException {
            check();
            return content.seen.length;
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            int from = (int) position;
            if (root.killed || root.callsLeft <= 0) {
                put(bytes, from, random.nextInt(bytes.remaining() + 1)); // in the middle of it
            }
            check();
            int length = bytes.remaining();
            long grows = Math.max(0, from + length - content.seen.length);
            if (root.usedInAll() + grows > root.capacity) {
                put(bytes, from, Math.max(0, Math.min(length, content.seen.length - from)));
                throw new IOException("No space left on device");
            }
            if (random.nextDouble() < root.failingWrites) {
                put(bytes, from, random.nextInt(length + 1));
                throw new IOException("Input/output error");
            }
            put(bytes, from, length);
        }

        private void put(ByteBuffer bytes, int from, int length) {
            if (root.killed) {
                return;
            }
            if (from + length > content.seen.length) {
                content.seen = Arrays.copyOf(content.seen, from + length);
            }
            bytes.get(content.seen, from, length);
            if (length > 0) {
                content.dirty.set(from / SECTOR, (from + length - 1) / SECTOR + 1);
                content.unreadable.clear(from / SECTOR, (from + length - 1) / SECTOR + 1);
            }
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            check();
            int from = (int) position;
            int length = Math.max(0, Math.min(into.remaining(), content.seen.length - from));
            int bad = content.unreadable.nextSetBit(from / SECTOR);
            if (bad >= 0 && bad * SECTOR < from + length) {
                throw new IOException("Input/output error");
            }
            into.put(content.seen, from, length);
            return length;
        }

        @Override
        public void force() throws IOException {
            check();
            boolean fails = random.nextDouble() < root.failingForces;
            byte[] before = content.durable;
            byte[] after = fails ? Arrays.copyOf(before, content.seen.length) : content.seen.clone();
            if (fails) {
                // Some of it was written; the rest counts as clean from now on, and is never tried again.
                for (int sector = content.dirty.nextSetBit(0);
                        sector >= 0;
                        sector = content.dirty.nextSetBit(sector + 1)) {
                    int from = sector * SECTOR;
                    int to = Math.min(from + SECTOR, after.length);
                    if (from < to && random.nextBoolean()) {
                        System.arraycopy(content.seen, from, after, from, to - from);
                    }
                }
                content.dirty.clear();
                content.durable = after;
                throw new IOException("Input/output error");
            }
            for (int sector = 0; sector * SECTOR < after.length; sector++) {
                int from = sector * SECTOR;
                if (!content.dirty.get(sector) && from < before.length) {
                    // Not dirty, so not written: the disk keeps its bytes, though the process may see others.
                    System.arraycopy(
                            before, from, after, from, Math.min(SECTOR, Math.min(before.length, after.length) - from));
                }
            }
            content.dirty.clear();
            content.durable = after;
            root.forces++;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** For messages of tests. */
    @Override
    public String toString() {
        return "simulated disk " + entries.keySet();
    }
}
