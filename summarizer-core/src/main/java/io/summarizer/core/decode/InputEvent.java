package io.summarizer.core.decode;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A decoded payload. Decoders fill the event; all other code reads it as an {@link IInputEvent}, which describes the
 * records. A field consists of a presence bit and a long. The long has a meaning only while the bit is set.
 *
 * <p>A <em>string reference</em> is a long that names a range of bytes, either in the message or in the event's scratch
 * space. The scratch space holds unescaped and computed strings. A list is also a long. This long has the number of the
 * list's first record, and the number of elements.
 *
 * <p>Belongs to one parser worker. Allocates nothing after its arrays have grown to the size of the events. Each array
 * has a bound; an event that needs a larger array is rejected.
 */
/*
 * Records are bump-allocated from one long[]:
 *
 *   next | presence of slots 0..63 | slot 0 | ... | slot 63 | presence of slots 64..127 | slot 64 | ...
 *
 * So the place of a slot depends only on its number, and only one long for every 64 slots has to be cleared in a new
 * record. A string reference has the scratch flag in bit 63, the offset in bits 32 to 62 and the length in the lower
 * bits. A list has the number of its first record instead of the offset.
 */
public final class InputEvent implements IInputEvent {
    /** The event's own record. */
    public static final int ROOT = 0;
    /** The string reference that stands for null. No string has this reference. */
    public static final long NULL_STRING = -1;

    /** Bound on the longs of all records: 16 MiB. */
    static final int MAX_CELLS = 1 << 21;
    /** Initial bytes of scratch space. */
    private static final int SCRATCH_BYTES = 512;
    /** Bound on the bytes of scratch space. */
    static final int MAX_SCRATCH_BYTES = 1 << 28;

    private static final long SCRATCH = Long.MIN_VALUE;

    private final int scratchBytesMax;
    private byte[] message = new byte[0];
    private byte[] scratch = new byte[SCRATCH_BYTES];
    private int scratchLimit;
    /** Whether there was no room for a string. */
    private boolean refused;

    private long[] cells = new long[128];
    private int limit;
    private int repaired;

    /** Makes an event whose scratch space is enough for a message of any size. */
    public InputEvent() {
        this(MAX_SCRATCH_BYTES);
    }

    /**
     * Makes an event with at most {@code scratchBytesMax} bytes of scratch space. Strings that do not fit become null.
     */
    public InputEvent(int scratchBytesMax) {
        this.scratchBytesMax = Math.min(scratchBytesMax, MAX_SCRATCH_BYTES);
    }

    /**
     * Empties the event. String references that are made afterwards may point into the bytes of {@code message}. This
     * method, and all methods that change fields, are only for decoders.
     */
    public void reset(IMessage message, int slots) throws BadPayloadException {
        this.message = message.bytes();
        scratchLimit = 0;
        refused = false;
        limit = 0;
        repaired = 0;
        newRecord(slots);
    }

    /** Appends a record without any field. */
    public int newRecord(int slots) throws BadPayloadException {
        int base = limit;
        int size = size(slots);
        if (base + size > cells.length) {
            grow(base + size);
        }
        long[] cells = this.cells;
        cells[base] = 0;
        for (int at = base + 1; at < base + size; at += 65) {
            cells[at] = 0;
        }
        limit = base + size;
        return base;
    }

    private void grow(int needed) throws BadPayloadException {
        if (needed > MAX_CELLS) {
            throw new BadPayloadException("too many list elements");
        }
        cells = Arrays.copyOf(cells, Math.min(MAX_CELLS, Math.max(needed, cells.length * 2)));
    }

    private static int presenceCell(int slot) {
        return 1 + (slot >>> 6) * 65;
    }

    private static int valueCell(int slot) {
        return 2 + slot + (slot >>> 6);
    }

    @Override
    public boolean has(int record, int slot) {
        return (cells[record + presenceCell(slot)] & 1L << slot) != 0;
    }

    @Override
    public long get(int record, int slot) {
        return cells[record + valueCell(slot)];
    }

    /** Sets a field. */
    public void set(int record, int slot, long value) {
        cells[record + valueCell(slot)] = value;
        cells[record + presenceCell(slot)] |= 1L << slot;
    }

    /** Sets the fields from {@code first} (inclusive) to {@code end} (exclusive) to null. */
    public void clear(int record, int first, int end) {
        for (int slot = first; slot < end; slot = (slot | 63) + 1) {
            // Clear the bits from this slot to the end of its presence cell, or to `end`.
            long from = -1L << slot;
            long to = end > (slot | 63) ? -1L : ~(-1L << end);
            cells[record + presenceCell(slot)] &= ~(from & to);
        }
    }

    /** Number of elements of the list in a field. */
    public static int listLength(long list) {
        return (int) list;
    }

    /** First record of a list that is not empty. */
    public static int listHead(long list) {
        return (int) (list >>> 32);
    }

    @Override
    public int next(int record) {
        return (int) cells[record];
    }

    /** Copies the fields of record {@code source} to record {@code target}. Both have {@code slots} slots. */
    void copyRecord(int source, int target, int slots) {
        System.arraycopy(cells, source + 1, cells, target + 1, size(slots) - 1);
    }

    private static int size(int slots) {
        return 1 + slots + ((slots + 63) >>> 6);
    }

    /** A list of {@code length} records, the first of which is {@code head}. */
    public static long list(int head, int length) {
        return (long) head << 32 | length;
    }

    /** Links {@code next} to {@code record}, as the next record of the same list. */
    public void link(int record, int next) {
        cells[record] = next;
    }

    @Override
    public byte[] stringBytes(long reference) {
        return reference < 0 ? scratch : message;
    }

    /** Offset of the string in {@link #stringBytes}. */
    public static int stringOffset(long reference) {
        return (int) (reference >>> 32) & Integer.MAX_VALUE;
    }

    /** Length of the string in bytes. */
    public static int stringLength(long reference) {
        return (int) reference;
    }

    /** A reference to a range of the message's bytes. */
    public static long messageString(int offset, int length) {
        return (long) offset << 32 | length;
    }

    /** A reference to a range of scratch space. */
    public static long scratchString(int offset, int length) {
        return SCRATCH | (long) offset << 32 | length;
    }

    /** A reference to {@code length} bytes from {@code offset} on, in the same array as the string {@code within}. */
    public static long slice(long within, int offset, int length) {
        return (within & SCRATCH) | (long) offset << 32 | length;
    }

    @Override
    public String string(long reference) {
        return new String(
                stringBytes(reference), stringOffset(reference), stringLength(reference), StandardCharsets.UTF_8);
    }

    /** The scratch space; bytes from {@link #scratchLimit()} on are free. */
    public byte[] scratch() {
        return scratch;
    }

    /** End of the scratch bytes in use. This position is also the argument of {@link #releaseScratch}. */
    public int scratchLimit() {
        return scratchLimit;
    }

    /** Sets the end of the scratch bytes in use. */
    public void scratchLimit(int limit) {
        assert limit >= scratchLimit && limit <= scratch.length;
        scratchLimit = limit;
    }

    /** Discards all strings that were made since {@link #scratchLimit()} was {@code mark}. */
    public void releaseScratch(int mark) {
        scratchLimit = mark;
    }

    /** Discards all strings in scratch space. If the space has more than {@code kept} bytes, releases its memory. */
    public void clearScratch(int kept) {
        scratchLimit = 0;
        if (scratch.length > kept) {
            scratch = new byte[SCRATCH_BYTES];
        }
    }

    /**
     * Provides {@code count} free bytes of scratch space. May replace the array.
     *
     * @return false when the scratch space would exceed its bound
     */
    public boolean reserveScratch(int count) {
        if (count <= scratch.length - scratchLimit) {
            return true;
        }
        if (count > scratchBytesMax - scratchLimit) {
            refused = true;
            return false;
        }
        scratch = Arrays.copyOf(scratch, Math.max(scratchLimit + count, Math.min(scratchBytesMax, scratch.length * 2)));
        return true;
    }

    /** Whether a string did not fit into scratch space since the last call of this method. */
    public boolean wasRefused() {
        boolean was = refused;
        refused = false;
        return was;
    }

    /** Copies bytes to scratch space. Returns {@link #NULL_STRING} when the bytes do not fit. */
    public long copyToScratch(byte[] source, int offset, int length) {
        if (!reserveScratch(length)) {
            return NULL_STRING;
        }
        int at = scratchLimit;
        System.arraycopy(source, offset, scratch, at, length);
        scratchLimit = at + length;
        return scratchString(at, length);
    }

    /**
     * Returns the string itself when it is well-formed UTF-8. Otherwise returns a copy with U+FFFD for malformed bytes,
     * and counts the string.
     */
    public long repair(long reference) {
        byte[] bytes = stringBytes(reference);
        int from = stringOffset(reference);
        int to = from + stringLength(reference);
        if (Utf8.isValid(bytes, from, to)) {
            return reference;
        }
        repaired++;
        byte[] replaced = string(reference).getBytes(StandardCharsets.UTF_8);
        return copyToScratch(replaced, 0, replaced.length);
    }

    /** Counts a string in which malformed bytes became U+FFFD. */
    void countRepaired() {
        repaired++;
    }

    @Override
    public int repaired() {
        return repaired;
    }
}
