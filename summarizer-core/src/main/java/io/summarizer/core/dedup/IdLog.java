package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;
import java.util.Arrays;

/**
 * Ids in the order of their arrival, each with the stamp of its event: a ring of chunks. The ring grows as long as it
 * may take more memory ({@link #extend}). After that, the oldest chunk of the ring becomes the newest chunk ({@link
 * #recycle}), and new ids overwrite the ids of this chunk one by one. Not thread-safe; for views see {@link
 * ChunkedBytes}.
 *
 * <p>A place is {@code chunk << 10 | slot}. An id takes 24 bytes, hash and stamp; a stamp of 0 marks an empty place.
 */
final class IdLog {
    static final int ID_BYTES = 24;

    private static final int SLOT_BITS = 10;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private final ChunkedBytes chunks;
    private final int idsPerChunk;

    /** For each chunk: the latest stamp in the chunk, and the number of the next chunk in the ring. */
    private int[] next = new int[4];

    private long[] latest = new long[4];

    /** The newest chunk; the oldest one follows it. */
    private int tail;

    /** Number of ids added to the newest chunk since it became the newest. */
    private int used;

    IdLog(int chunkBytes, ByteAccount account) {
        chunks = new ChunkedBytes(chunkBytes, account);
        idsPerChunk = idsPerChunk(chunkBytes);
        used = idsPerChunk;
    }

    static int idsPerChunk(int chunkBytes) {
        return Math.min(chunkBytes / ID_BYTES, 1 << SLOT_BITS);
    }

    int chunks() {
        return chunks.count();
    }

    long allocatedBytes() {
        return chunks.allocatedBytes();
    }

    /**
     * Whether the ring is full. Before another id is added to a full ring, the ring must be extended, or a chunk
     * recycled.
     */
    boolean isFull() {
        return used == idsPerChunk;
    }

    /** The latest stamp in the oldest chunk. Call this method only if there is a chunk. */
    long latestOfOldest() {
        return latest[next[tail]];
    }

    /** Makes a fresh chunk the newest. */
    void extend() {
        int chunk = chunks.append();
        if (chunk == next.length) {
            next = Arrays.copyOf(next, chunk * 2);
            latest = Arrays.copyOf(latest, chunk * 2);
        }
        next[chunk] = next[tail]; // the first chunk follows itself
        next[tail] = chunk;
        tail = chunk;
        used = 0;
    }

    /** Makes the oldest chunk the newest. Call this method only if there is a chunk. */
    void recycle() {
        tail = next[tail];
        latest[tail] = 0;
        used = 0;
    }

    /** The place of the next id. */
    int nextPlace() {
        return tail << SLOT_BITS | used;
    }

    /**
     * Returns the second half of the old id that a later addition will overwrite. {@code others} additions come before
     * this addition. Returns 0 if there is no such id, or if its place is not in the newest chunk.
     */
    long lowAhead(int others) {
        int slot = used + others;
        return slot < idsPerChunk ? Bytes.getLong(chunks.readable(tail), slot * ID_BYTES + 8) : 0;
    }

    /** Puts an id at {@link #nextPlace}. Overwrites an id that is there. */
    void add(long high, long low, long stamp) {
        byte[] chunk = chunks.writable(tail);
        int at = used * ID_BYTES;
        Bytes.putLong(chunk, at, high);
        Bytes.putLong(chunk, at + 8, low);
        Bytes.putLong(chunk, at + 16, stamp);
        used++;
        latest[tail] = Math.max(latest[tail], stamp);
    }

    /** Empties the place of the id that was added last. Call this method at most once after an addition. */
    void removeLast() {
        used--;
        Bytes.putLong(chunks.writable(tail), used * ID_BYTES + 16, 0);
    }

    boolean is(int place, long high, long low) {
        byte[] chunk = chunks.readable(place >>> SLOT_BITS);
        int at = (place & SLOT_MASK) * ID_BYTES;
        return Bytes.getLong(chunk, at) == high && Bytes.getLong(chunk, at + 8) == low;
    }

    long high(int place) {
        return Bytes.getLong(chunks.readable(place >>> SLOT_BITS), (place & SLOT_MASK) * ID_BYTES);
    }

    long low(int place) {
        return Bytes.getLong(chunks.readable(place >>> SLOT_BITS), (place & SLOT_MASK) * ID_BYTES + 8);
    }

    /** The stamp at a place; 0 when the place never had an id. */
    long stamp(int place) {
        return Bytes.getLong(chunks.readable(place >>> SLOT_BITS), (place & SLOT_MASK) * ID_BYTES + 16);
    }

    ChunkedBytes.Frozen freeze(FrozenTables into) {
        return into.view(chunks.freeze(into, false));
    }

    /** Visits all ids, in no order. */
    void forEach(IdVisitor visitor) {
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            IdVisitor.ofChunk(chunks.readable(chunk), idsPerChunk, visitor);
        }
    }
}
