package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;
import java.util.Arrays;

/**
 * Slots of a few fixed sizes in freezable chunks. Each size class numbers its slots from 0 and allocates them slab by
 * slab. A slab takes about 1 KiB; its number of slots is a power of two. The slabs of all classes come from the same
 * chunks, so that an arena with few sets has one chunk, not one chunk per class. Freed slots form a linked list; each
 * link is in the freed slot itself. A {@link Region} has slabs and chunks of its own, and is released as a whole.
 *
 * <p>Written by one owner thread. Any thread may read the notes of {@link #freeze} after a safe hand-over.
 *
 * <p>A place in the chunks is counted in units of {@link #UNIT} bytes, so that an int reaches 8 GiB; the size of every
 * slot is a multiple of this unit. The table of a class maps the number of a slab to its place. Views can share the
 * tables while they grow at their end, because a view uses no slot that was allocated after the view was made. The
 * number of a released slab is used again; if views may have the table, a copy of the table gets the new place.
 */
final class Slabs {
    /** Alignment of slots in bytes. */
    static final int UNIT = 4;

    private static final int UNITS_PER_CHUNK_SHIFT = 12;
    private static final int UNIT_MASK = (1 << UNITS_PER_CHUNK_SHIFT) - 1;
    private static final int SLAB_BYTES = 1024;
    /** Bits of the number of a slab. */
    private static final int SLAB_BITS = SetLayout.SLOT_BITS;
    /** Bytes that a slab takes in tables: its place, and its entry in the region. */
    private static final int SLAB_TABLE_BYTES = 2 * Integer.BYTES;

    /** Stands for an absent {@link #extent}. */
    static final long NO_EXTENT = -1;

    private static final int[] NONE = {};

    private final ChunkedBytes chunks = new ChunkedBytes();
    private final Shape shape;
    /**
     * The table of each class. This array is never changed, because views share it: when a table is replaced, a new
     * array replaces this one.
     */
    private int[][] tables;
    /** For each class, the number of slabs, with released ones. */
    private final int[] slabs;

    /** For each class, the numbers of released slabs; {@link #releasedCount} has the number of entries in use. */
    private final int[][] released;

    private final int[] releasedCount;

    /** Number of freezes. A table that was copied after the last freeze is in no view. */
    private int freezes;

    private final int[] tableFreezes;

    /** Slots that are released together. Belongs to the owner of the slabs. */
    static final class Region {
        private final ChunkedBytes.Region chunks;
        /** For each class, the slot that is used next; the first slot of a slab stands for a slab not taken yet. */
        private final int[] next;
        /**
         * For each class, the number of the first freed slot, plus one; 0 for none. Each freed slot begins with the
         * number of the next freed slot, plus one.
         */
        private final int[] freed;

        /** The slabs, each as {@code class << SLAB_BITS | number}; {@link #slabCount} entries are in use. */
        private int[] slabs = NONE;

        private int slabCount;

        /**
         * The free rest of the current chunk, and the largest free rest of an earlier chunk: start and end of each, in
         * bytes from the start of the first chunk.
         */
        private long currentFrom;

        private long currentTo;
        private long spareFrom;
        private long spareTo;

        /** A region without slots for slabs of this shape; {@code account} is charged for its bytes. */
        Region(Shape shape, ByteAccount account) {
            chunks = new ChunkedBytes.Region(account);
            next = new int[shape.slotUnits.length];
            freed = new int[shape.slotUnits.length];
        }

        private void add(int sizeClass, int slab) {
            if (slabCount == slabs.length) {
                slabs = Arrays.copyOf(slabs, Math.max(4, slabCount + (slabCount >>> 1)));
            }
            slabs[slabCount++] = sizeClass << SLAB_BITS | slab;
            chunks.account().add(SLAB_TABLE_BYTES);
        }

        /** Bytes on the heap, free slots and tables included, without copies that only views hold. */
        long bytesUsed() {
            return chunks.allocatedBytes() + (long) slabCount * SLAB_TABLE_BYTES;
        }
    }

    /** The division of slabs into slots, by class. Immutable. */
    static final class Shape {
        private final int[] slotUnits;
        private final int[] slabShift;

        /**
         * @param slotBytes size of a slot of each class in bytes, a multiple of {@link #UNIT} and at most a chunk
         */
        Shape(int[] slotBytes) {
            slotUnits = new int[slotBytes.length];
            slabShift = new int[slotBytes.length];
            for (int i = 0; i < slotBytes.length; i++) {
                assert slotBytes[i] % UNIT == 0 && slotBytes[i] <= ChunkedBytes.CHUNK_BYTES;
                slotUnits[i] = slotBytes[i] / UNIT;
                slabShift[i] = Math.max(0, 31 - Integer.numberOfLeadingZeros(SLAB_BYTES / slotBytes[i]));
            }
        }

        /**
         * Place of a slot according to the given tables. The tables are a value that {@link #tables} had at some time
         * after the slot was allocated.
         */
        int place(int[][] tables, int sizeClass, int slot) {
            int shift = slabShift[sizeClass];
            int slab = slot >>> shift;
            return tables[sizeClass][slab] + (slot - (slab << shift)) * slotUnits[sizeClass];
        }
    }

    /** Slabs of this shape, without slots. */
    Slabs(Shape shape) {
        assert 1 << UNITS_PER_CHUNK_SHIFT == ChunkedBytes.CHUNK_BYTES / UNIT;
        int classes = shape.slotUnits.length;
        assert classes <= 1 << (31 - SLAB_BITS);
        this.shape = shape;
        tables = new int[classes][];
        Arrays.fill(tables, NONE);
        released = tables.clone();
        releasedCount = new int[classes];
        tableFreezes = new int[classes];
        slabs = new int[classes];
    }

    /**
     * Takes a free slot of class {@code sizeClass}; the slot has its old contents.
     *
     * @throws IllegalStateException when the class has 2^{@value SetLayout#SLOT_BITS} slots in use
     */
    int allocate(Region region, int sizeClass) {
        int head = region.freed[sizeClass];
        if (head != 0) {
            int slot = head - 1;
            int place = place(sizeClass, slot);
            region.freed[sizeClass] = Bytes.getInt(readable(place), offset(place));
            return slot;
        }
        int slot = region.next[sizeClass];
        if ((slot & ((1 << shape.slabShift[sizeClass]) - 1)) == 0) {
            slot = addSlab(region, sizeClass);
        }
        region.next[sizeClass] = slot + 1;
        return slot;
    }

    /** Adds a slab to a region; returns its first slot. */
    private int addSlab(Region region, int sizeClass) {
        int shift = shape.slabShift[sizeClass];
        boolean again = releasedCount[sizeClass] > 0;
        int slab = again ? released[sizeClass][releasedCount[sizeClass] - 1] : slabs[sizeClass];
        if (slab >>> (SetLayout.SLOT_BITS - shift) != 0) {
            throw new IllegalStateException(
                    "slots=" + (slab << shift) + " of slotUnits=" + shape.slotUnits[sizeClass] + " in use");
        }
        int place = cut(region, (shape.slotUnits[sizeClass] * UNIT) << shift);
        int[] table = tables[sizeClass];
        if (slab == table.length) {
            table = replaceTable(sizeClass, Math.max(4, slab + (slab >>> 1)));
        } else if (again && tableFreezes[sizeClass] != freezes) {
            table = replaceTable(sizeClass, table.length);
        }
        table[slab] = place;
        region.add(sizeClass, slab);
        if (again) {
            releasedCount[sizeClass]--;
        } else {
            slabs[sizeClass]++;
        }
        return slab << shift;
    }

    private int[] replaceTable(int sizeClass, int length) {
        int[] table = Arrays.copyOf(tables[sizeClass], length);
        tables = tables.clone();
        tables[sizeClass] = table;
        tableFreezes[sizeClass] = freezes;
        return table;
    }

    /** Cuts {@code length} bytes from the chunks of a region; returns their place. */
    private int cut(Region region, int length) {
        if (region.spareTo - region.spareFrom >= length) {
            region.spareFrom += length;
            return placeOf(region, region.spareFrom - length, length);
        }
        if (region.currentTo - region.currentFrom < length) {
            if (region.currentTo - region.currentFrom > region.spareTo - region.spareFrom) {
                region.spareFrom = region.currentFrom;
                region.spareTo = region.currentTo;
            }
            int chunk = region.chunks.count() == 0 ? chunks.appendSmall(region.chunks) : chunks.append(region.chunks);
            region.currentFrom = (long) chunk * ChunkedBytes.CHUNK_BYTES;
            region.currentTo = region.currentFrom + ChunkedBytes.CHUNK_BYTES;
        }
        region.currentFrom += length;
        return placeOf(region, region.currentFrom - length, length);
    }

    /**
     * Converts a position in bytes to a place. Grows the chunks if necessary, so that {@code length} bytes fit at this
     * place.
     */
    private int placeOf(Region region, long position, int length) {
        int chunk = (int) (position / ChunkedBytes.CHUNK_BYTES);
        var unused = chunks.grow(region.chunks, chunk, (int) (position % ChunkedBytes.CHUNK_BYTES) + length);
        return Math.toIntExact(position / UNIT);
    }

    /** Frees a slot of a region. Its contents may be overwritten from now on. */
    void free(Region region, int sizeClass, int slot) {
        int place = place(sizeClass, slot);
        Bytes.putInt(writable(place), offset(place), region.freed[sizeClass]);
        region.freed[sizeClass] = slot + 1;
    }

    /** Releases all slots of a region, which must not be used any more. */
    void release(Region region) {
        for (int i = region.slabCount - 1; i >= 0; i--) {
            int sizeClass = region.slabs[i] >>> SLAB_BITS;
            int count = releasedCount[sizeClass]++;
            if (count == released[sizeClass].length) {
                released[sizeClass] = Arrays.copyOf(released[sizeClass], Math.max(4, 2 * count));
            }
            released[sizeClass][count] = region.slabs[i] & ((1 << SLAB_BITS) - 1);
        }
        chunks.release(region.chunks);
    }

    /** Place of a slot. */
    int place(int sizeClass, int slot) {
        return shape.place(tables, sizeClass, slot);
    }

    /**
     * Extent of a slot: the place in the upper half, the size in units in the lower half. {@link #NO_EXTENT} when the
     * class has no slots.
     *
     * @param mask -1 for the place of the slot; 0 for the start of the chunks, where a slot of the class fits at any
     *     time
     */
    long extent(int sizeClass, int slot, int mask) {
        return tables[sizeClass].length == 0
                ? NO_EXTENT
                : (long) (place(sizeClass, slot) & mask) << 32 | shape.slotUnits[sizeClass];
    }

    /**
     * Reads the start and the end of a slot, to prefetch both; the length of a list is at the end. Returns a
     * meaningless value.
     */
    int prefetch(long extent) {
        assert extent != NO_EXTENT;
        int place = (int) (extent >>> 32);
        byte[] bytes = readable(place);
        int first = offset(place);
        return bytes[first] + bytes[first + ((int) extent - 1) * UNIT];
    }

    /** Offset of a place in its chunk, in bytes. */
    static int offset(int place) {
        return (place & UNIT_MASK) * UNIT;
    }

    /** The number of the chunk of a place. */
    static int chunk(int place) {
        return place >>> UNITS_PER_CHUNK_SHIFT;
    }

    /** The chunk of a place, read-only. */
    byte[] readable(int place) {
        return chunks.readable(chunk(place));
    }

    /** The chunk of a place, for writing. */
    byte[] writable(int place) {
        return chunks.writable(chunk(place));
    }

    /**
     * Makes a note of the chunks of all slots as {@link ChunkedBytes#freeze(FrozenTables, boolean)}, and then a note of
     * the {@link #tables}. Returns the index of the first note.
     */
    int freeze(FrozenTables into, boolean finished) {
        int number = chunks.freeze(into, finished);
        into.note(tables, 0);
        freezes++;
        return number;
    }
}
