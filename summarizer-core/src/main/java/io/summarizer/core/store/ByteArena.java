package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;
import java.util.Arrays;

/**
 * Byte strings of any length: string keys, first and last strings, and integers that outgrew their cell. A row refers
 * to a byte string by an int, its handle. There is no object per byte string.
 *
 * <p>A chunk belongs to one size class and is cut into slots of that class's size. Sizes are multiples of {@value
 * #UNIT} bytes, a unit. Above six units, they grow by a fifth to two thirds from class to class. The free slots of a
 * class form a linked list. Each link is in the free slot itself; a slot that is freed becomes the head of the list. A
 * handle is the position of a slot in units; 0 means that there is no byte string. A slot holds {@code int length |
 * bytes}. A text that needs more than the largest slot is a chain of largest slots: {@code int length | int next |
 * bytes} in the first slot, and {@code int next | bytes} in each further slot. An integer of 128 bits fills a slot of
 * the smallest class.
 *
 * <p>A {@link Region} has chunks and free slots of its own, and is released as a whole. One owner thread writes. A
 * {@link View} is frozen together with the rows that refer to its bytes. When a slot is freed or rewritten after the
 * freeze, the view still has the old bytes, because every write goes to a chunk that no view sees.
 */
final class ByteArena {
    private static final int UNIT = 16;
    private static final int UNIT_BITS = 4;
    private static final int CHUNK_UNIT_BITS = 10;
    private static final int CHUNK_UNITS = 1 << CHUNK_UNIT_BITS;
    private static final int MAX_CHUNKS = 1 << (31 - CHUNK_UNIT_BITS);
    private static final int LARGEST = ChunkedBytes.CHUNK_BYTES / 2;
    private static final int FIRST_PIECE = LARGEST - 8;
    private static final int NEXT_PIECE = LARGEST - 4;

    /** The slot size of each class, in units. */
    private static final int[] CLASS_UNITS = {
        1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 42, 56, 73, 102, 146, 204, 341, 512
    };

    private static final byte[] CLASS_OF_UNITS = new byte[LARGEST / UNIT + 1];
    private static final int LARGEST_CLASS = CLASS_UNITS.length - 1;

    static {
        int sizeClass = 0;
        for (int units = 1; units < CLASS_OF_UNITS.length; units++) {
            sizeClass += units > CLASS_UNITS[sizeClass] ? 1 : 0;
            CLASS_OF_UNITS[units] = (byte) sizeClass;
        }
    }

    private final ChunkedBytes chunks = new ChunkedBytes();

    /** Byte strings that are released together. Belongs to the owner of the arena. */
    static final class Region {
        private final ChunkedBytes.Region chunks;
        /** For each class, the first free slot, or 0. */
        private final int[] free = new int[CLASS_UNITS.length];
        /**
         * For each class, the handle of the first never used slot of the youngest chunk. {@link #freshSlots} has the
         * number of slots from this one to the end of the chunk.
         */
        private final int[] fresh = new int[CLASS_UNITS.length];

        private final int[] freshSlots = new int[CLASS_UNITS.length];

        /** A region without byte strings; {@code account} is charged for its bytes. */
        Region(ByteAccount account) {
            chunks = new ChunkedBytes.Region(account);
        }

        long bytesUsed() {
            return chunks.allocatedBytes();
        }

        private boolean hasRoom() {
            return chunks.account().hasRoom();
        }

        private boolean hasSlot(int sizeClass) {
            return free[sizeClass] != 0 || freshSlots[sizeClass] != 0;
        }
    }

    /**
     * Whether {@link #put} may store {@code length} bytes: the account allows more bytes, or the bytes fit into memory
     * that the arena already has.
     */
    boolean hasRoom(Region region, int handle, int length) {
        if (region.hasRoom()) {
            return true;
        }
        if (!isInline(length)) {
            return false;
        }
        int sizeClass = classOf(length);
        if (region.hasSlot(sizeClass)) {
            return true;
        }
        int present = handle == 0 ? Integer.MAX_VALUE : length(handle);
        return isInline(present) && classOf(present) == sizeClass;
    }

    /** Whether {@link #putWide} may store an integer: the account allows more bytes, or a slot is free. */
    static boolean hasRoomForWide(Region region) {
        return region.hasRoom() || region.hasSlot(0);
    }

    /**
     * Stores a copy of {@code length} bytes; returns its handle. If {@code handle} is not 0, the copy replaces the
     * bytes under {@code handle}, which belong to the region.
     */
    int put(Region region, int handle, byte[] source, int offset, int length) {
        if (handle != 0) {
            int present = length(handle);
            if (isInline(present) && isInline(length) && classOf(present) == classOf(length)) {
                writeInline(handle, source, offset, length);
                return handle;
            }
            free(region, handle);
        }
        return isInline(length) ? putInline(region, source, offset, length) : putChain(region, source, offset, length);
    }

    /** Stores an integer of 128 bits, given in two halves; returns its handle. */
    int putWide(Region region, long low, long high) {
        int handle = allocate(region, 0);
        setWide(handle, low, high);
        return handle;
    }

    void setWide(int handle, long low, long high) {
        byte[] chunk = chunks.writable(chunk(handle));
        int at = offset(handle);
        Bytes.putLong(chunk, at, low);
        Bytes.putLong(chunk, at + 8, high);
    }

    long low(int handle) {
        return Bytes.getLong(chunks.readable(chunk(handle)), offset(handle));
    }

    long high(int handle) {
        return Bytes.getLong(chunks.readable(chunk(handle)), offset(handle) + 8);
    }

    /** Whether the bytes under {@code handle} are equal to the given bytes. */
    boolean matches(int handle, byte[] other, int from, int length) {
        byte[] chunk = chunks.readable(chunk(handle));
        int at = offset(handle);
        if (Bytes.getInt(chunk, at) != length) {
            return false;
        }
        if (isInline(length)) {
            return equal(chunk, at + 4, other, from, length);
        }
        int next = Bytes.getInt(chunk, at + 4);
        int piece = FIRST_PIECE;
        at += 8;
        int end = from + length;
        for (int done = from; ; ) {
            int count = Math.min(piece, end - done);
            if (!equal(chunk, at, other, done, count)) {
                return false;
            }
            done += count;
            if (done == end) {
                return true;
            }
            chunk = chunks.readable(chunk(next));
            at = offset(next);
            next = Bytes.getInt(chunk, at);
            at += 4;
            piece = NEXT_PIECE;
        }
    }

    /**
     * Reads the first byte of a slot, to prefetch its first cache line. Returns a meaningless value; use it, so that
     * the read is not optimized away. Reads nothing if there is no byte string, or if the handle is from a chunk that
     * is gone (-1).
     */
    int prefetch(int handle) {
        return handle <= 0 ? 0 : chunks.readable(chunk(handle))[offset(handle)];
    }

    /** Releases all byte strings of a region, which must not be used any more. */
    void release(Region region) {
        chunks.release(region.chunks);
    }

    /**
     * Freezes the chunks of all texts, as {@link ChunkedBytes#freeze(FrozenTables, boolean)}. Returns the number of the
     * note, from which a {@link View} can be made.
     */
    int freeze(FrozenTables into, boolean finished) {
        return chunks.freeze(into, finished);
    }

    private int length(int handle) {
        return Bytes.getInt(chunks.readable(chunk(handle)), offset(handle));
    }

    private int putInline(Region region, byte[] source, int offset, int length) {
        int handle = allocate(region, classOf(length));
        writeInline(handle, source, offset, length);
        return handle;
    }

    private void writeInline(int handle, byte[] source, int offset, int length) {
        byte[] chunk = chunks.writable(chunk(handle));
        int at = offset(handle);
        Bytes.putInt(chunk, at, length);
        System.arraycopy(source, offset, chunk, at + 4, length);
    }

    private int putChain(Region region, byte[] source, int offset, int length) {
        // Write pieces from the last to the first, because each piece contains the handle of the next piece.
        int beyondFirst = length - FIRST_PIECE;
        int pieces = (beyondFirst + NEXT_PIECE - 1) / NEXT_PIECE;
        int next = 0;
        for (int i = pieces - 1; i >= 0; i--) {
            int from = i * NEXT_PIECE;
            int handle = allocate(region, LARGEST_CLASS);
            byte[] chunk = chunks.writable(chunk(handle));
            int at = offset(handle);
            Bytes.putInt(chunk, at, next);
            System.arraycopy(
                    source, offset + FIRST_PIECE + from, chunk, at + 4, Math.min(NEXT_PIECE, beyondFirst - from));
            next = handle;
        }
        int handle = allocate(region, LARGEST_CLASS);
        byte[] chunk = chunks.writable(chunk(handle));
        int at = offset(handle);
        Bytes.putInt(chunk, at, length);
        Bytes.putInt(chunk, at + 4, next);
        System.arraycopy(source, offset, chunk, at + 8, FIRST_PIECE);
        return handle;
    }

    private void free(Region region, int handle) {
        int length = length(handle);
        if (isInline(length)) {
            release(region, handle, classOf(length));
            return;
        }
        int next = Bytes.getInt(chunks.readable(chunk(handle)), offset(handle) + 4);
        release(region, handle, LARGEST_CLASS);
        while (next != 0) {
            int following = Bytes.getInt(chunks.readable(chunk(next)), offset(next));
            release(region, next, LARGEST_CLASS);
            next = following;
        }
    }

    private void release(Region region, int handle, int sizeClass) {
        Bytes.putInt(chunks.writable(chunk(handle)), offset(handle), region.free[sizeClass]);
        region.free[sizeClass] = handle;
    }

    private int allocate(Region region, int sizeClass) {
        int handle = region.free[sizeClass];
        if (handle != 0) {
            region.free[sizeClass] = Bytes.getInt(chunks.readable(chunk(handle)), offset(handle));
            return handle;
        }
        if (region.freshSlots[sizeClass] == 0) {
            cutChunk(region, sizeClass);
        }
        handle = region.fresh[sizeClass];
        region.fresh[sizeClass] = handle + CLASS_UNITS[sizeClass];
        region.freshSlots[sizeClass]--;
        var unused = chunks.grow(region.chunks, chunk(handle), offset(handle) + CLASS_UNITS[sizeClass] * UNIT);
        return handle;
    }

    private void cutChunk(Region region, int sizeClass) {
        if (chunks.isFull(MAX_CHUNKS)) {
            throw new IllegalStateException("32 GiB of text in one partition of a summary: no handles left");
        }
        int chunk = region.fresh[sizeClass] == 0 ? chunks.appendSmall(region.chunks) : chunks.append(region.chunks);
        region.fresh[sizeClass] = chunk << CHUNK_UNIT_BITS;
        region.freshSlots[sizeClass] = CHUNK_UNITS / CLASS_UNITS[sizeClass];
        if (chunk == 0) {
            // Handle 0 stands for no byte string, so the slot with this handle is never used.
            region.fresh[sizeClass] += CLASS_UNITS[sizeClass];
            region.freshSlots[sizeClass]--;
        }
    }

    private static boolean isInline(int length) {
        return length <= LARGEST - 4;
    }

    private static int classOf(int length) {
        return CLASS_OF_UNITS[(length + 4 + UNIT - 1) >>> UNIT_BITS];
    }

    private static int chunk(int handle) {
        return handle >>> CHUNK_UNIT_BITS;
    }

    private static int offset(int handle) {
        return (handle & (CHUNK_UNITS - 1)) << UNIT_BITS;
    }

    private static boolean equal(byte[] a, int aFrom, byte[] b, int bFrom, int length) {
        return Arrays.equals(a, aFrom, aFrom + length, b, bFrom, bFrom + length);
    }

    /**
     * A view of all bytes at the moment of a freeze, valid while its lease holds. Thread-safe. Each method checks the
     * lease before returning, and throws {@code CutRevokedException} when the lease has ended.
     */
    record View(ChunkedBytes.Frozen chunks) {
        int length(int handle) {
            int length = Bytes.getInt(chunks.chunk(chunk(handle)), offset(handle));
            chunks.check();
            return length;
        }

        long low(int handle) {
            return half(handle, 0);
        }

        long high(int handle) {
            return half(handle, 8);
        }

        private long half(int handle, int offset) {
            long half = Bytes.getLong(chunks.chunk(chunk(handle)), offset(handle) + offset);
            chunks.check();
            return half;
        }

        /** Copies the bytes under {@code handle}; {@code length} is the result of {@link #length}. */
        void copyTo(int handle, int length, byte[] target, int targetOffset) {
            byte[] chunk = chunks.chunk(chunk(handle));
            int at = offset(handle);
            if (isInline(length)) {
                System.arraycopy(chunk, at + 4, target, targetOffset, length);
                chunks.check();
                return;
            }
            int next = Bytes.getInt(chunk, at + 4);
            System.arraycopy(chunk, at + 8, target, targetOffset, FIRST_PIECE);
            for (int done = FIRST_PIECE; done < length; done += NEXT_PIECE) {
                chunks.check(); // before a handle is followed that may be wrong
                chunk = chunks.chunk(chunk(next));
                at = offset(next);
                next = Bytes.getInt(chunk, at);
                System.arraycopy(chunk, at + 4, target, targetOffset + done, Math.min(NEXT_PIECE, length - done));
            }
            chunks.check();
        }
    }
}
