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
 * link is in the freed slot itself.
 *
 * <p>Written by one owner thread. Any thread may read the notes of {@link #freeze} after a safe hand-over.
 *
 * <p>A place in the chunks is counted in units of {@link #UNIT} bytes, so that an int reaches 8 GiB; the size of every
 * slot is a multiple of this unit. The table of a class maps the number of a slab to its place. Views can share the
 * tables, because a table grows only at its end, and a view uses no slot that was allocated after the view was made.
 */
final class Slabs {
    /** Alignment of slots in bytes. */
    static final int UNIT = 4;

    private static final int UNITS_PER_CHUNK_SHIFT = 12;
    private static final int UNIT_MASK = (1 << UNITS_PER_CHUNK_SHIFT) - 1;
    private static final int SLAB_BYTES = 1024;

    /** Stands for an absent {@link #extent}. */
    static final long NO_EXTENT = -1;

    private final ChunkedBytes chunks;
    private final ByteAccount account;
    private final int slotBits;
    private final Shape shape;
    /**
     * The table of each class. The array is never changed, because views share it: when a table changes, a new array
     * replaces the old one.
     */
    private int[][] tables;
    /**
     * For each class, the number of slots that were ever in use. When no freed slot is left, the next new slot gets
     * this number.
     */
    private final int[] used;
    /**
     * For each class, the number of the first freed slot, plus one; 0 for none. Each freed slot begins with the number
     * of the next freed slot, plus one.
     */
    private final int[] freed;

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

    /**
     * The free rest of the current chunk, and the largest free rest of an earlier chunk: start and end of each, in
     * bytes from the start of the first chunk.
     */
    private long currentFrom;

    private long currentTo;
    private long spareFrom;
    private long spareTo;

    /**
     * @param slotBits slot numbers are below 2^slotBits
     * @param account charged for the bytes of chunks
     */
    Slabs(Shape shape, int slotBits, ByteAccount account) {
        this.account = account;
        chunks = new ChunkedBytes(ChunkedBytes.CHUNK_BYTES, account);
        assert 1 << UNITS_PER_CHUNK_SHIFT == ChunkedBytes.CHUNK_BYTES / UNIT;
        this.slotBits = slotBits;
        int classes = shape.slotUnits.length;
        this.shape = shape;
        tables = new int[classes][];
        used = new int[classes];
        freed = new int[classes];
        for (int i = 0; i < classes; i++) {
            tables[i] = new int[0];
        }
    }

    /**
     * Takes a free slot of class {@code sizeClass}; the slot has its old contents.
     *
     * @throws IllegalStateException when the class has 2^slotBits slots in use
     */
    int allocate(int sizeClass) {
        int head = freed[sizeClass];
        if (head != 0) {
            int slot = head - 1;
            int place = place(sizeClass, slot);
            freed[sizeClass] = Bytes.getInt(readable(place), offset(place));
            return slot;
        }
        int slot = used[sizeClass];
        if (slot >>> slotBits != 0) {
            throw new IllegalStateException(
                    "slots=" + slot + " of slotUnits=" + shape.slotUnits[sizeClass] + " in use");
        }
        int shift = shape.slabShift[sizeClass];
        int slab = slot >>> shift;
        if (slab << shift == slot) {
            addSlab(sizeClass, slab);
        }
        used[sizeClass] = slot + 1;
        return slot;
    }

    private void addSlab(int sizeClass, int slab) {
        int[] table = tables[sizeClass];
        if (slab == table.length) {
            table = Arrays.copyOf(table, Math.max(4, slab + (slab >>> 1)));
            account.add((table.length - slab) * (long) Integer.BYTES);
            tables = tables.clone();
            tables[sizeClass] = table;
        }
        table[slab] = cut((shape.slotUnits[sizeClass] * UNIT) << shape.slabShift[sizeClass]);
    }

    /** Cuts {@code length} bytes from the chunks; returns their place. */
    private int cut(int length) {
        if (spareTo - spareFrom >= length) {
            spareFrom += length;
            return placeOf(spareFrom - length, length);
        }
        if (currentTo - currentFrom < length) {
            if (currentTo - currentFrom > spareTo - spareFrom) {
                spareFrom = currentFrom;
                spareTo = currentTo;
            }
            int chunk = chunks.count() == 0 ? chunks.appendSmall() : chunks.append();
            currentFrom = (long) chunk * ChunkedBytes.CHUNK_BYTES;
            currentTo = currentFrom + ChunkedBytes.CHUNK_BYTES;
        }
        currentFrom += length;
        return placeOf(currentFrom - length, length);
    }

    /**
     * Converts a position in bytes to a place. Grows the chunks if necessary, so that {@code length} bytes fit at this
     * place.
     */
    private int placeOf(long position, int length) {
        int chunk = (int) (position / ChunkedBytes.CHUNK_BYTES);
        var unused = chunks.grow(chunk, (int) (position % ChunkedBytes.CHUNK_BYTES) + length);
        return Math.toIntExact(position / UNIT);
    }

    /** Frees a slot. Its contents may be overwritten from now on. */
    void free(int sizeClass, int slot) {
        int place = place(sizeClass, slot);
        Bytes.putInt(writable(place), offset(place), freed[sizeClass]);
        freed[sizeClass] = slot + 1;
    }

    /** Place of a slot. */
    int place(int sizeClass, int slot) {
        return shape.place(tables, sizeClass, slot);
    }

    /**
     * Extent of a slot: the place in the upper half, the size in units in the lower half. {@link #NO_EXTENT} when the
     * class has no slots.
     */
    long extent(int sizeClass, int slot) {
        return tables[sizeClass].length == 0
                ? NO_EXTENT
                : (long) place(sizeClass, slot) << 32 | shape.slotUnits[sizeClass];
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

    /** Bytes on the heap, free slots and tables included, without copies that only views hold. */
    long bytesUsed() {
        long bytes = chunks.allocatedBytes();
        for (int[] table : tables) {
            bytes += 16 + (long) table.length * Integer.BYTES;
        }
        return bytes;
    }

    /**
     * Makes a note of the chunks of all slots as they are now, and then a note of the {@link #tables}. Returns the
     * index of the first note.
     */
    int freeze(FrozenTables into) {
        int number = chunks.freeze(into);
        into.note(tables, 0);
        return number;
    }

    /**
     * The sizes of slots and slabs. A view finds the place of a slot from these sizes and from the tables of its cut.
     */
    Shape shape() {
        return shape;
    }
}
