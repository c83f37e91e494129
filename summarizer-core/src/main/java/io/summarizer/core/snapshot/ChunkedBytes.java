package io.summarizer.core.snapshot;

import io.summarizer.core.bytes.ByteAccount;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in chunks of 16 KiB that can be frozen at any moment: {@link #freeze} hands out a table of chunks and starts a
 * new epoch. A chunk that a view may still see is copied before the first write to it in an epoch. Written by one owner
 * thread; any thread may read a {@link Frozen} view after a safe hand-over, by the rules of {@link CutLease}.
 *
 * <p>There are two tables of the same chunks, one for the owner and one for views. The owner's table is flat, and has
 * one bit per chunk that tells whether the chunk was written in this epoch. For 160,000 chunks (2.6 GB), the references
 * take 640 KB and the bits 20 KB. The bits are therefore in the cache when an update reads them. An epoch of 4 bytes
 * per chunk in place of the bit would take 640 KB, and reading it would cost cache misses. The table for views has two
 * levels: a root and leaves of {@value #LEAF} chunks. The table is path-copied: the first replacement of a chunk in an
 * epoch copies the root, and the first replacement in each leaf copies the leaf.
 *
 * <p>A freeze clears the bits (about 0.3 µs for 100,000 chunks) and copies nothing. The first write to a chunk after a
 * freeze copies the chunk (1 to 2 µs) and possibly a leaf of 1 KiB. It copies nothing if all views that saw the chunk
 * have ended. Growth doubles the flat tables (100,000 references in less than 0.2 ms) and never moves a full chunk.
 *
 * <p>A table with few bytes may begin with smaller chunks ({@link #appendSmall}) and {@link #grow} them.
 */
public final class ChunkedBytes {
    /** Default bytes of a chunk. */
    public static final int CHUNK_BYTES = 16 * 1024;

    /**
     * Bytes that a chunk takes in addition to its content: a header, a reference in each of the two tables, the epoch
     * of its birth, and its number in its region.
     */
    private static final int OVERHEAD = 16 + 4 + 4 + 4 + 4;

    /** Bytes of a chunk that {@link #appendSmall} makes. */
    private static final int SMALL_BYTES = 1024;
    /** Entries of the first leaf, before it grows. */
    private static final int FIRST_LEAF = 4;

    private static final byte[][][] NO_CHUNKS = {};
    private static final int[] NO_NUMBERS = {};
    private static final byte[] GONE = gone(CHUNK_BYTES);

    private static final int LEAF_BITS = 8;
    private static final int LEAF = 1 << LEAF_BITS;
    private static final int LEAF_MASK = LEAF - 1;

    private final int chunkBytes;
    /** In place of a released chunk, for prefetches. */
    private final byte[] gone;
    /** The region of the chunks that are appended without a region. */
    private final Region whole;

    private byte[][] chunks = new byte[4][];
    private int count;
    /** Numbers of released chunks; {@link #releasedCount} entries are in use. */
    private int[] released = NO_NUMBERS;

    private int releasedCount;
    /** A bit for each chunk, set when the chunk was made or copied in this epoch, so that no view sees it. */
    private long[] own = new long[1];
    /**
     * A bit for each chunk, set when an unmanaged view sees the chunk; only the garbage collector ends such a view. The
     * array is empty before the first unmanaged view.
     */
    private long[] pinned = {};
    /** For each chunk, the epoch in which it was made or copied. */
    private int[] births = new int[4];

    /** The sequence of the lease of the last view; 0 before the first view. */
    private int epoch;
    /** The memory that tracks all managed views; null before the first managed view. */
    private @Nullable CutMemory memory;

    private byte[][][] root = new byte[1][][];
    /** Number of freezes. A root or leaf that was made or copied after the last freeze is in no view. */
    private int freezes;

    private int rootFreezes;
    private int[] leafFreezes = new int[1];

    /** A table without chunks; each chunk will have {@value #CHUNK_BYTES} bytes. */
    public ChunkedBytes() {
        this(CHUNK_BYTES, ByteAccount.unbounded());
    }

    /** A table without chunks; each chunk will have {@code chunkBytes} bytes, charged to {@code account}. */
    public ChunkedBytes(int chunkBytes, ByteAccount account) {
        this.chunkBytes = chunkBytes;
        whole = new Region(account);
        gone = chunkBytes <= CHUNK_BYTES ? GONE : gone(chunkBytes);
    }

    private static byte[] gone(int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) -1);
        return bytes;
    }

    /**
     * Chunks of a table that are released together (region-based memory management, Tofte and Talpin 1997). A table may
     * have several regions. Belongs to the owner of the table.
     */
    public static final class Region {
        private final ByteAccount account;
        private int[] numbers = NO_NUMBERS;
        private int count;
        /** Bytes of all chunks. */
        private long bytes;

        /** A region without chunks; the bytes of its chunks are charged to {@code account}. */
        public Region(ByteAccount account) {
            this.account = account;
        }

        /** The account of the bytes of the chunks. */
        public ByteAccount account() {
            return account;
        }

        /** Number of chunks. */
        public int count() {
            return count;
        }

        /**
         * The numbers of the chunks, in the order in which the chunks were appended. The first {@link #count} entries
         * are in use, and never change; the array must not be written.
         */
        public int[] numbers() {
            return numbers;
        }

        /** Number of the chunk that was appended last. */
        public int last() {
            return numbers[count - 1];
        }

        /** Bytes of the chunks on the heap, without chunks that only views hold. */
        public long allocatedBytes() {
            return bytes + (long) count * OVERHEAD;
        }

        private void add(int chunk, int length) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, Math.max(1, 2 * count));
            }
            numbers[count++] = chunk;
            grew(length + OVERHEAD, length);
        }

        private void grew(int charged, int more) {
            account.add(charged);
            bytes += more;
        }
    }

    /** Number of chunks, with released ones whose numbers were not used again. */
    public int count() {
        return count;
    }

    /** Whether the next chunk would have the number {@code max} or a greater one. */
    public boolean isFull(int max) {
        return releasedCount == 0 && count >= max;
    }

    /** Bytes of the chunks that were appended without a region, as {@link Region#allocatedBytes}. */
    public long allocatedBytes() {
        return whole.allocatedBytes();
    }

    /** Appends a zeroed chunk that is never released; returns its number. */
    public int append() {
        return append(whole);
    }

    /** Appends a zeroed chunk; returns its number, which may be the number of a released chunk. */
    public int append(Region region) {
        return append(region, chunkBytes);
    }

    /**
     * Appends a chunk as {@link #append(Region)} does. It has only {@value #SMALL_BYTES} bytes at first. Call {@link
     * #grow} before using bytes beyond this size.
     */
    public int appendSmall(Region region) {
        return append(region, Math.min(chunkBytes, SMALL_BYTES));
    }

    private int append(Region region, int length) {
        byte[] fresh = new byte[length];
        int chunk = releasedCount > 0 ? released[--releasedCount] : count;
        region.add(chunk, length);
        if (chunk < count) {
            replace(chunk, fresh);
        } else {
            append(fresh);
        }
        births[chunk] = epoch;
        own[chunk >>> 6] |= 1L << chunk;
        if (isPinned(chunk)) {
            pinned[chunk >>> 6] &= ~(1L << chunk); // the views have the released chunk of this number
        }
        return chunk;
    }

    private void append(byte[] fresh) {
        int chunk = count;
        if (chunk == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunk * 2);
            births = Arrays.copyOf(births, chunk * 2);
        }
        if (chunk >>> 6 == own.length) {
            own = Arrays.copyOf(own, own.length * 2);
        }
        chunks[chunk] = fresh;
        // A view reads only the chunks that existed when the view was made, so entries for later chunks may change.
        int leaf = chunk >>> LEAF_BITS;
        if ((chunk & LEAF_MASK) == 0) {
            if (leaf == root.length) {
                root = Arrays.copyOf(root, leaf * 2);
                leafFreezes = Arrays.copyOf(leafFreezes, leaf * 2);
                rootFreezes = freezes;
            }
            root[leaf] = new byte[leaf == 0 ? FIRST_LEAF : LEAF][];
            leafFreezes[leaf] = freezes;
        } else if ((chunk & LEAF_MASK) == root[leaf].length) {
            ownRoot();
            root[leaf] = Arrays.copyOf(root[leaf], 2 * root[leaf].length);
            leafFreezes[leaf] = freezes;
        }
        root[leaf][chunk & LEAF_MASK] = fresh;
        count = chunk + 1;
    }

    /**
     * Releases all chunks of a region. Views still have them. Neither the region nor its chunks may be used any more;
     * its account keeps the bytes until {@link ByteAccount#release}. Cost: some ns per chunk, and a leaf of 1 KiB that
     * is copied for each 256 neighbours.
     */
    public void release(Region region) {
        drop(region);
        recycle(region);
    }

    /**
     * Does the first part of {@link #release}: afterwards, the chunks are no longer in memory, but no new chunk gets
     * one of their numbers before {@link #recycle}. Until then, a read finds only bytes that are -1.
     */
    public void drop(Region region) {
        int[] numbers = region.numbers;
        for (int i = 0; i < region.count; ) {
            // Neighbours together: the code for a window of millions of rows may run for the first time.
            int leaf = numbers[i] >>> LEAF_BITS;
            byte[][] entries = ownLeaf(leaf);
            for (; i < region.count && numbers[i] >>> LEAF_BITS == leaf; i++) {
                int chunk = numbers[i];
                chunks[chunk] = gone;
                entries[chunk & LEAF_MASK] = gone;
                own[chunk >>> 6] &= ~(1L << chunk);
            }
        }
    }

    /** Does the second part of {@link #release}: new chunks may get the numbers of the chunks. */
    public void recycle(Region region) {
        if (released.length < releasedCount + region.count) {
            released = Arrays.copyOf(released, Math.max(2 * releasedCount, releasedCount + region.count));
        }
        for (int i = region.count - 1; i >= 0; i--) {
            released[releasedCount++] = region.numbers[i];
        }
    }

    /**
     * Grows a chunk of a region to at least {@code length} bytes. {@code length} is at most the size of a full chunk.
     * Returns the chunk for writing.
     */
    public byte[] grow(Region region, int chunk, int length) {
        byte[] present = writable(chunk);
        if (length <= present.length) {
            return present;
        }
        byte[] fresh = Arrays.copyOf(present, Math.min(chunkBytes, Math.max(length, 2 * present.length)));
        region.grew(fresh.length - present.length, fresh.length - present.length);
        replace(chunk, fresh);
        return fresh;
    }

    /** Chunk {@code chunk}, read-only. */
    public byte[] readable(int chunk) {
        return chunks[chunk];
    }

    /** Returns chunk {@code chunk} for writing. If a view may still see the chunk, a copy replaces the chunk first. */
    public byte[] writable(int chunk) {
        return (own[chunk >>> 6] >>> chunk & 1) != 0 ? chunks[chunk] : owned(chunk);
    }

    /** Makes a chunk belong to the owner alone. */
    private byte[] owned(int chunk) {
        byte[] present = chunks[chunk];
        byte[] fresh = present;
        CutMemory memory = this.memory;
        if (isPinned(chunk)) {
            fresh = present.clone();
            replace(chunk, fresh);
            pinned[chunk >>> 6] &= ~(1L << chunk);
        } else if (memory != null) {
            byte[] target = memory.target(epoch, births[chunk], present.length);
            if (target != null) {
                fresh = target;
                System.arraycopy(present, 0, fresh, 0, present.length);
                replace(chunk, fresh);
                memory.superseded(present, epoch, births[chunk]); // last, because the chunk may be reused at once
            }
        }
        births[chunk] = epoch;
        own[chunk >>> 6] |= 1L << chunk;
        return fresh;
    }

    private boolean isPinned(int chunk) {
        return chunk >>> 6 < pinned.length && (pinned[chunk >>> 6] >>> chunk & 1) != 0;
    }

    private void replace(int chunk, byte[] fresh) {
        chunks[chunk] = fresh;
        ownLeaf(chunk >>> LEAF_BITS)[chunk & LEAF_MASK] = fresh;
    }

    /** Returns a leaf that belongs to the owner alone. */
    private byte[][] ownLeaf(int leaf) {
        if (leafFreezes[leaf] != freezes) {
            ownRoot();
            root[leaf] = root[leaf].clone();
            leafFreezes[leaf] = freezes;
        }
        return root[leaf];
    }

    /** Makes the root belong to the owner alone. */
    private void ownRoot() {
        if (rootFreezes != freezes) {
            root = root.clone();
            rootFreezes = freezes;
        }
    }

    /**
     * A view of all bytes as they are now; valid as long as {@code lease} holds. Use leases in the order of their
     * creation.
     */
    public Frozen freeze(CutLease lease) {
        FrozenTables tables = new FrozenTables(lease, 1);
        int number = freeze(tables, false);
        return tables.add().view(number);
    }

    /**
     * Freezes this table as {@link #freeze(CutLease)} does, and notes it in {@code into}, which can have notes of
     * several tables.
     *
     * @param finished whether the views will read only chunks that are not written any more. Then later writes to other
     *     chunks need no copies
     * @return the number of the note
     */
    public int freeze(FrozenTables into, boolean finished) {
        if (!finished) {
            beginEpoch(into.lease());
        }
        freezes++;
        return into.note(count == 0 ? NO_CHUNKS : root, count);
    }

    private void beginEpoch(CutLease lease) {
        int words = (count + 63) >>> 6;
        CutMemory memory = lease.memory();
        if (memory == null) {
            pinned = Arrays.copyOf(pinned, Math.max(words, pinned.length));
            if (words > 0) {
                Arrays.fill(pinned, 0, words - 1, -1L);
                pinned[words - 1] |= -1L >>> -count; // the bits beyond belong to future chunks
            }
        } else {
            assert this.memory == null || this.memory == memory : "two memories for one table";
            assert lease.sequence > epoch : "lease " + lease.sequence + " after " + epoch;
            this.memory = memory;
            epoch = lease.sequence;
        }
        Arrays.fill(own, 0, words, 0L);
    }

    /** A view: the bytes of one moment, until its lease ends. */
    public static final class Frozen {
        private final FrozenTables tables;
        private final int number;
        private final int count;

        Frozen(FrozenTables tables, int number, int count) {
            this.tables = tables;
            this.number = number;
            this.count = count;
        }

        /** Number of chunks. */
        public int count() {
            return count;
        }

        /**
         * Returns chunk {@code chunk}. Read-only. Call {@link #check} after reading its bytes and before using them.
         *
         * @throws CutRevokedException when the lease has ended
         */
        public byte[] chunk(int chunk) {
            byte[][][] root = (byte[][][]) tables.noted(number);
            return root[chunk >>> LEAF_BITS][chunk & LEAF_MASK];
        }

        /**
         * Confirms that everything read so far belongs to the view.
         *
         * @throws CutRevokedException when the lease has ended
         */
        public void check() {
            tables.lease().check();
        }
    }
}
