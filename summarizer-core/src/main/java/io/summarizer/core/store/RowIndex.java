package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows by the hash of their key. Uses extendible hashing (Fagin et al. 1979) over small open-addressing segments.
 *
 * <p>A directory refers to segments. Some bits of the hash choose the segment; other bits choose the slot where a
 * linear probe begins. A slot is a long with 32 bits of hash and the row's id plus one. Because a slot has these bits
 * of hash, a probe almost never reads the row of another key, and an index can grow without reading rows. A segment
 * that is three quarters full doubles, up to {@value #SEGMENT_SLOTS} slots; a segment of this size splits in two. An
 * insertion therefore moves a few thousand slots at worst.
 *
 * <p>Not thread-safe. Cost: 8 bytes per slot, 11 to 21 bytes per row.
 */
final class RowIndex {
    static final int SEGMENT_SLOTS = 4096;

    private static final int FIRST_SLOTS = 64;
    private static final int SEGMENT_BITS = 12;
    /**
     * Maximum number of directory bits. With this number, the directory uses all hash bits that the slots keep, so full
     * segments double instead of splitting.
     */
    private static final int MAX_DEPTH = 32 - SEGMENT_BITS;

    /**
     * The segments. The number of slots of a segment is a power of two; after its slots, a segment has a long with
     * {@code depth << 32 | rows}.
     */
    private long[][] directory = {new long[FIRST_SLOTS + 1]};

    private int directoryMask;

    private long slots = FIRST_SLOTS;

    /** Number of entries of the directory that the present sweep has visited. */
    private int swept;

    private final ByteAccount account;

    /** An empty index; {@code account} is charged for the bytes beyond its first slots. */
    RowIndex(ByteAccount account) {
        this.account = account;
    }

    /**
     * The 32 bits of hash that the index uses for a key under parent row {@code parent}. In a top-level summary, {@code
     * parent} is 0.
     */
    static int mix(long hash, int parent) {
        // The high bits of the given hash are the same for all keys here, because they chose the partition. The
        // multiplication carries every bit of the hash into the upper half.
        return (int) (((hash ^ (parent * 0x9E3779B97F4A7C15L)) * 0xD6E8FEB86659FD93L) >>> 32);
    }

    /**
     * The segment to probe for a hash. A probe begins at slot {@code hash & mask(segment)} and ends at a slot that is
     * 0.
     */
    long[] segment(int hash) {
        return directory[(hash >>> SEGMENT_BITS) & directoryMask];
    }

    /**
     * The segment, while there is only one; otherwise null. For a small index, this object and its directory would be
     * two more cache misses, so the tables keep the segment until the next insertion.
     */
    long @Nullable [] only() {
        return directoryMask == 0 ? directory[0] : null;
    }

    /** Reads the slot where a probe will begin, without other effect; see {@link RowPrefetch}. */
    int prefetch(int hash) {
        long[] segment = segment(hash);
        // All segments of a large index have the same size, so the processor predicts this branch. The processor
        // therefore reads the slot without waiting for the segment's length, which is not near other data.
        return segment.length == SEGMENT_SLOTS + 1
                ? (int) segment[hash & (SEGMENT_SLOTS - 1)]
                : (int) segment[hash & mask(segment)];
    }

    static int mask(long[] segment) {
        return segment.length - 2;
    }

    /** Whether an occupied slot was inserted under this hash. */
    static boolean isOf(long slot, int hash) {
        return (int) (slot >>> 32) == hash;
    }

    static int row(long slot) {
        return (int) slot - 1;
    }

    /** Adds a new row. */
    void insert(int hash, int row) {
        long[] segment = segment(hash);
        while (rows(segment) >= (segment.length - 1) / 4 * 3) {
            makeRoom(segment, hash);
            segment = segment(hash);
        }
        put(segment, (long) hash << 32 | (row + 1));
    }

    /**
     * Does a step of a sweep, which removes rows of chunks that are gone: removes them from one segment.
     *
     * @param gone a bit for each chunk that is gone; all chunks that were gone when the sweep began stay gone until its
     *     end
     * @param slotBits bits of a row's slot in its chunk
     * @return whether this was the last step; the next step then begins another sweep
     */
    boolean sweep(BitSet gone, int slotBits) {
        int at = swept++;
        long[] segment = directory[at];
        if (at >>> depth(segment) == 0) { // the first entry of the segment
            removeGone(at, segment, gone, slotBits);
        }
        boolean last = swept >= directory.length;
        swept = last ? 0 : swept;
        return last;
    }

    private void removeGone(int at, long[] segment, BitSet gone, int slotBits) {
        int kept = 0;
        for (int i = 0; i < segment.length - 1; i++) {
            kept += segment[i] != 0 && !gone.get(row(segment[i]) >>> slotBits) ? 1 : 0;
        }
        if (kept == rows(segment)) {
            return;
        }
        int length = segment.length - 1;
        while (length > FIRST_SLOTS && kept < length / 4) {
            length /= 2;
        }
        long[] fresh = new long[length + 1];
        fresh[length] = (long) depth(segment) << 32;
        for (int i = 0; i < segment.length - 1; i++) {
            if (segment[i] != 0 && !gone.get(row(segment[i]) >>> slotBits)) {
                put(fresh, segment[i]);
            }
        }
        replaceAt(at, depth(segment), fresh);
        grew(length - (segment.length - 1));
    }

    /** Bytes of the directory and the segments. */
    long allocatedBytes() {
        return slots * 8 + directory.length * 8L;
    }

    /** The part of {@link #allocatedBytes} that the account was charged for. */
    long accountedBytes() {
        return allocatedBytes() - FIRST_SLOTS * 8L - 8;
    }

    private void makeRoom(long[] segment, int hash) {
        int depth = depth(segment);
        if (segment.length <= SEGMENT_SLOTS || depth == MAX_DEPTH) {
            replace(hash, depth, rehashed(segment, new long[(segment.length - 1) * 2 + 1]));
            grew(segment.length - 1);
        } else {
            split(segment, hash, depth);
        }
    }

    private void split(long[] segment, int hash, int depth) {
        if (1 << depth > directoryMask) {
            long[][] doubled = new long[directory.length * 2][];
            System.arraycopy(directory, 0, doubled, 0, directory.length);
            System.arraycopy(directory, 0, doubled, directory.length, directory.length);
            account.add(directory.length * 8L);
            directory = doubled;
            directoryMask = doubled.length - 1;
        }
        long[] low = new long[SEGMENT_SLOTS + 1];
        long[] high = new long[SEGMENT_SLOTS + 1];
        low[SEGMENT_SLOTS] = (long) (depth + 1) << 32;
        high[SEGMENT_SLOTS] = (long) (depth + 1) << 32;
        for (int i = 0; i < SEGMENT_SLOTS; i++) {
            long slot = segment[i];
            if (slot != 0) {
                put(((slot >>> (32 + SEGMENT_BITS + depth)) & 1) == 0 ? low : high, slot);
            }
        }
        int at = (hash >>> SEGMENT_BITS) & ((1 << depth) - 1);
        for (int step = 1 << depth; at < directory.length; at += 2 * step) {
            directory[at] = low;
            directory[at + step] = high;
        }
        grew(SEGMENT_SLOTS);
    }

    private void grew(int more) {
        slots += more;
        account.add(more * 8L);
    }

    private void replace(int hash, int depth, long[] segment) {
        replaceAt((hash >>> SEGMENT_BITS) & ((1 << depth) - 1), depth, segment);
    }

    private void replaceAt(int first, int depth, long[] segment) {
        for (int at = first; at < directory.length; at += 1 << depth) {
            directory[at] = segment;
        }
    }

    private static long[] rehashed(long[] from, long[] to) {
        to[to.length - 1] = (long) depth(from) << 32;
        for (int i = 0; i < from.length - 1; i++) {
            if (from[i] != 0) {
                put(to, from[i]);
            }
        }
        return to;
    }

    private static void put(long[] segment, long slot) {
        int mask = mask(segment);
        int at = (int) (slot >>> 32) & mask;
        while (segment[at] != 0) {
            at = (at + 1) & mask;
        }
        segment[at] = slot;
        segment[segment.length - 1]++;
    }

    private static int rows(long[] segment) {
        return (int) segment[segment.length - 1];
    }

    private static int depth(long[] segment) {
        return (int) (segment[segment.length - 1] >>> 32);
    }
}
