package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteAccount;
import java.util.Arrays;

/**
 * An index of the ids in an {@link IdLog}, with open addressing and linear probing. It has 256 segments, which grow one
 * at a time, so that an insertion never moves many slots. No sender can choose the hash of an id, because the hash
 * depends on a secret key. So the bits of the hash are used without further mixing. The index uses the low 64 bits of
 * the hash: their upper eight bits choose the segment, and their lower 32 bits choose the slot.
 *
 * <p>A slot is a long with 32 bits of the hash, and the id's place in the log plus one; 0 marks a free slot. A deletion
 * closes the gap by moving later slots, so that a probe can end at the first free slot. The last long of a segment is
 * the number of ids in the segment. Not thread-safe. Cost: 8 bytes per slot, 11 to 22 per id.
 */
final class IdIndex {
    private static final int SEGMENTS = 256;
    private static final int FIRST_SLOTS = 8;

    /** A segment before its first id: one free slot. Never written. */
    private static final long[] EMPTY = new long[2];

    private final long[][] segments = new long[SEGMENTS][];
    private final ByteAccount account;
    private int size;
    private long slots;

    /** An empty index. Its bytes are taken from {@code account}. */
    IdIndex(ByteAccount account) {
        this.account = account;
        Arrays.fill(segments, EMPTY);
    }

    /** The segment to probe. A probe begins at slot {@code (int) low & mask(segment)} and ends at a slot that is 0. */
    long[] segment(long low) {
        return segments[(int) (low >>> 56)];
    }

    static int mask(long[] segment) {
        return segment.length - 2;
    }

    /** Whether this occupied slot may belong to the id: the slot has the same bits of the hash. */
    static boolean mayBe(long slot, long low) {
        return (int) (slot >>> 32) == (int) low;
    }

    static int place(long slot) {
        return (int) slot - 1;
    }

    /** Number of ids. */
    int size() {
        return size;
    }

    /** Bytes of all slots. */
    long allocatedBytes() {
        return slots * 8;
    }

    /** Adds a new id. */
    void insert(long low, int place) {
        int number = (int) (low >>> 56);
        long[] segment = segments[number];
        if (segment[segment.length - 1] >= (segment.length - 1) / 4 * 3L) {
            segment = grown(segment);
            segments[number] = segment;
        }
        put(segment, low << 32 | (place + 1));
        size++;
    }

    /**
     * Removes the id at this place. Returns false when the index has no entry for this place: the id was seen again,
     * and its entry has the later place.
     */
    boolean remove(long low, int place) {
        long[] segment = segment(low);
        int mask = mask(segment);
        long wanted = low << 32 | (place + 1);
        int at = (int) low & mask;
        while (segment[at] != wanted) {
            if (segment[at] == 0) {
                return false;
            }
            at = (at + 1) & mask;
        }
        int hole = at;
        for (int next = (at + 1) & mask; segment[next] != 0; next = (next + 1) & mask) {
            int home = (int) (segment[next] >>> 32) & mask;
            if (((next - home) & mask) >= ((next - hole) & mask)) {
                segment[hole] = segment[next];
                hole = next;
            }
        }
        segment[hole] = 0;
        segment[segment.length - 1]--;
        size--;
        return true;
    }

    private long[] grown(long[] segment) {
        long[] more = new long[Math.max(FIRST_SLOTS, (segment.length - 1) * 2) + 1];
        for (int i = 0; i < segment.length - 1; i++) {
            if (segment[i] != 0) {
                put(more, segment[i]);
            }
        }
        int added = more.length - (segment == EMPTY ? 0 : segment.length);
        slots += added;
        account.add(added * 8L);
        return more;
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
}
