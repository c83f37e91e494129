package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.sketch.HllFormat;
import io.summarizer.core.sketch.HllWriter;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.ChunkedBytes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the rows of a {@link StoreView}. It visits the rows in the order of their creation, or goes to the row
 * that {@link #seek} names. Reading allocates nothing, except a buffer that grows with the longest text. Not
 * thread-safe.
 *
 * <p>A cursor never returns wrong data: it copies each row out of the view, and then checks the lease before the row is
 * used. Therefore, {@link #bytes()}, and texts and sets that were read, stay valid until the cursor moves, even if the
 * cut is revoked. Every method that moves the cursor, or reads a text or a set, throws {@code CutRevokedException} when
 * the cut was revoked or released.
 *
 * <p>Cost: copy and check take about 5 ns per row, or 4 % of the time to write rows as CSV. Copying whole chunks
 * instead took 15 %.
 */
public final class RowCursor {
    private final RowFormat format;
    private final ChunkedBytes.Frozen rows;
    private final RowChunks chunks;
    private final int slotsInLastChunk;
    private final ByteArena.View texts;
    private final @Nullable MultisetArena.View[] sets;
    /** For each value column, the writer of the column's sets; made at the first use. */
    private @Nullable HllWriter[] hllWriters = {};

    private int row = -1;
    /** The current chunk: its position among {@link #chunks}, and its number. */
    private int position = -1;

    private int chunkNumber = -1;
    private int slot;
    private int slots;
    /** The current chunk. The array may have other contents by now; see {@link #copy}. */
    private byte[] source = {};
    /** A copy of the row. */
    private final byte[] chunk;

    private byte[] text = new byte[256];
    private int textOffset;
    private int textLength;
    /** The upper half of the last sum that was read. */
    private long high;
    /** Handle of the key tail that is in {@link #text}; 0 when there is none. */
    private int loadedTail;

    RowCursor(
            RowFormat format,
            ChunkedBytes.Frozen rows,
            RowChunks chunks,
            int slotsInLastChunk,
            ByteArena.View texts,
            @Nullable MultisetArena.View[] sets) {
        this.format = format;
        chunk = new byte[format.width];
        this.rows = rows;
        this.chunks = chunks;
        this.slotsInLastChunk = slotsInLastChunk;
        this.texts = texts;
        this.sets = sets;
    }

    /** Goes to the next row; returns false when there is none. */
    public boolean next() {
        if (++slot >= slots) {
            if (position + 1 >= chunks.count()) {
                slot = slots;
                return false;
            }
            enter(position + 1);
            slot = 0;
        }
        go(slot);
        return true;
    }

    /** Goes to the row with this id, for example to the parent of a nested row, whose id is {@link #parent()}. */
    public void seek(int row) {
        if (row == this.row) {
            return;
        }
        int number = row >>> format.slotBits;
        if (number != chunkNumber) {
            enter(chunks.position(number));
        }
        go(row & format.slotMask);
    }

    /** Goes to the row before which {@link #next} would visit {@code ordinal} rows from the start of the view. */
    public void seekOrdinal(int ordinal) {
        int at = ordinal / format.rowsPerChunk;
        if (at != position) {
            enter(at);
        }
        go(ordinal - at * format.rowsPerChunk);
    }

    private void enter(int at) {
        position = at;
        chunkNumber = chunks.number(at);
        source = rows.chunk(chunkNumber);
        slots = at == chunks.count() - 1 ? slotsInLastChunk : format.rowsPerChunk;
    }

    private void go(int slot) {
        this.slot = slot;
        copy(slot * format.width);
        row = chunkNumber << format.slotBits | slot;
    }

    private void copy(int at) {
        System.arraycopy(source, at, chunk, 0, chunk.length);
        rows.check();
    }

    /** The layout of {@link #bytes}. */
    RowFormat format() {
        return format;
    }

    /** The texts and wide sums to which rows refer. */
    ByteArena.View texts() {
        return texts;
    }

    /** The cursor's own copy of this row, from offset 0 on, in the layout of its {@code RowFormat}. */
    public byte[] bytes() {
        return chunk;
    }

    /** Id of this row within its store; never changes. */
    public int row() {
        return row;
    }

    /** Number of rows before this one in the view. */
    public int ordinal() {
        return position * format.rowsPerChunk + slot;
    }

    /** Id of this row's parent row in the enclosing summary. */
    public int parent() {
        return Bytes.getInt(chunk, 0);
    }

    /** Whether key column {@code column} is null. */
    public boolean isKeyNull(int column) {
        return (chunk[format.keyOffset + (column >>> 3)] >>> (column & 7) & 1) != 0;
    }

    /**
     * The value of key column {@code column}, which is not a string. A bool is 0 or 1; a uint64 is returned as its 64
     * bits.
     */
    public long keyLong(int column) {
        int at = format.keyOffset + format.key.offset(column);
        return switch (format.key.type(column)) {
            case INT64, UINT64, TIMESTAMP -> Bytes.getLong(chunk, at);
            case INT32 -> Bytes.getInt(chunk, at);
            case UINT32 -> Bytes.getInt(chunk, at) & 0xffff_ffffL;
            case BOOL -> chunk[at];
            case STRING -> throw new IllegalArgumentException("column " + column + " is a string");
        };
    }

    /** Reads key column {@code column} into {@link #text}. The column must be a string and not null. */
    public void readKeyText(int column) {
        int handle = Bytes.getInt(chunk, format.tailOffset);
        if (handle != loadedTail) {
            load(handle);
            loadedTail = handle;
        }
        int at = 0;
        for (int i = format.key.offset(column); i > 0; i--) {
            at += 4 + Bytes.getInt(text, at);
        }
        textOffset = at + 4;
        textLength = Bytes.getInt(text, at);
    }

    /** Whether value column {@code column} is a minimum, maximum, first or last without an observation. */
    public boolean isEmpty(int column) {
        return switch (format.kind(column)) {
            case MIN_INT64, MAX_INT64, MIN_DOUBLE, MAX_DOUBLE, FIRST_INT64, LAST_INT64 ->
                (chunk[format.flagByte(column)] & format.flagMask(column)) == 0;
            case FIRST_STRING, LAST_STRING -> textHandle(column) == 0;
            default -> false;
        };
    }

    /**
     * The value of value column {@code column}, which must have an observation. The column is not a text or double. For
     * a multiset, the result is the estimate of its cardinality. For a sum of integers, the result is the lower half,
     * as {@link #sum} returns it.
     */
    public long longValue(int column) {
        int cell = format.cell(column);
        return switch (format.kind(column)) {
            case SUM_INT32, SUM_INT64 -> sum(column);
            case COUNT, MIN_INT64, MAX_INT64 -> Bytes.getLong(chunk, cell);
            case FIRST_INT64, LAST_INT64 -> Bytes.getLong(chunk, cell + 8);
            case MULTISET -> Objects.requireNonNull(sets[column]).cardinality(Bytes.getInt(chunk, cell));
            default -> throw new IllegalArgumentException("column " + column + " does not hold an integer");
        };
    }

    /** Arrival stamp of value column {@code column}, a first or last that has an observation. */
    public long stamp(int column) {
        return Bytes.getLong(chunk, format.cell(column));
    }

    /** The sets of value column {@code column}, a multiset. */
    public MultisetArena.View sets(int column) {
        return Objects.requireNonNull(sets[column]);
    }

    /** The handle, in {@link #sets}, of value column {@code column}, a multiset. */
    public int setHandle(int column) {
        return Bytes.getInt(chunk, format.cell(column));
    }

    /**
     * The lower half of value column {@code column}, a sum of integers. After this call, {@link #high} returns the
     * upper half.
     */
    public long sum(int column) {
        int cell = format.cell(column);
        return switch (format.kind(column)) {
            case SUM_INT32 -> sumInt32(cell);
            case SUM_INT64 -> sumInt64(cell);
            default -> throw new IllegalArgumentException("column " + column + " is no sum of integers");
        };
    }

    /**
     * The lower half of the sum in the {@link CellKind#SUM_INT32} cell at offset {@code cell} of the row. The sum
     * itself may be in the arena. After this call, {@link #high} returns the upper half.
     */
    public long sumInt32(int cell) {
        int present = Bytes.getInt(chunk, cell);
        return (present & 1) == 0 ? narrow(present >> 1) : wide(present >>> 1);
    }

    /** Does the same as {@link #sumInt32} for a {@link CellKind#SUM_INT64} cell. */
    public long sumInt64(int cell) {
        long present = Bytes.getLong(chunk, cell);
        return Cells.isHandle(present) ? wide((int) present) : narrow(present);
    }

    private long narrow(long sum) {
        high = sum >> 63;
        return sum;
    }

    private long wide(int handle) {
        high = texts.high(handle);
        return texts.low(handle);
    }

    /** Compares the sum in a {@link CellKind#SUM_INT32} cell with an integer of 128 bits, given in two halves. */
    public int compareSumInt32(int cell, long low, long high) {
        return compare(sumInt32(cell), this.high, low, high);
    }

    /** Compares the sum in a {@link CellKind#SUM_INT64} cell as {@link #compareSumInt32} does. */
    public int compareSumInt64(int cell, long low, long high) {
        return compare(sumInt64(cell), this.high, low, high);
    }

    /** Compares the sum with an integer of 64 bits, as {@link #compareSumInt32(int, long, long)} does with 128 bits. */
    public int compareSumInt32(int cell, long other) {
        return compareSumInt32(cell, other, other >> 63);
    }

    /** Compares the sum with an integer of 64 bits, as {@link #compareSumInt64(int, long, long)} does with 128 bits. */
    public int compareSumInt64(int cell, long other) {
        return compareSumInt64(cell, other, other >> 63);
    }

    private static int compare(long low, long high, long otherLow, long otherHigh) {
        return high == otherHigh ? Long.compareUnsigned(low, otherLow) : Long.compare(high, otherHigh);
    }

    /**
     * The upper 64 bits of the last sum that was read. If the sum fits into the lower 64 bits, the upper bits only
     * repeat its sign.
     */
    public long high() {
        return high;
    }

    /**
     * The value of value column {@code column}, a sum of doubles, or a minimum or maximum of doubles that has an
     * observation.
     */
    public double doubleValue(int column) {
        return switch (format.kind(column)) {
            case SUM_DOUBLE, MIN_DOUBLE, MAX_DOUBLE ->
                Double.longBitsToDouble(Bytes.getLong(chunk, format.cell(column)));
            default -> throw new IllegalArgumentException("column " + column + " does not hold a double");
        };
    }

    /** Reads value column {@code column}, a first or last string that has an observation, into {@link #text}. */
    public void readText(int column) {
        loadedTail = 0;
        textLength = load(textHandle(column));
        textOffset = 0;
    }

    /**
     * Reads the set of value column {@code column} into {@link #text}. The type of the column must be a multiset. The
     * text is {@code \x} and the hex digits of the set in the HLL storage specification, with PostgreSQL's default type
     * modifiers.
     */
    public void readHll(int column) {
        MultisetArena.View view = Objects.requireNonNull(sets[column]);
        int handle = Bytes.getInt(chunk, format.cell(column));
        if (hllWriters.length == 0) {
            hllWriters = new HllWriter[sets.length];
        }
        HllWriter writer = hllWriters[column];
        if (writer == null) {
            writer = new HllWriter(HllFormat.of(view.log2m(), view.regwidth()));
            hllWriters[column] = writer;
        }
        loadedTail = 0;
        textLength = writer.writeText(view, handle);
        textOffset = 0;
        text = writer.text();
    }

    /**
     * The array with the UTF-8 text that was read last, from {@link #textOffset()} on; valid until the next text is
     * read.
     */
    public byte[] text() {
        return text;
    }

    /** Start of the text in {@link #text()}. */
    public int textOffset() {
        return textOffset;
    }

    /** Bytes of the text. */
    public int textLength() {
        return textLength;
    }

    private int textHandle(int column) {
        return Bytes.getInt(chunk, format.cell(column) + 8);
    }

    private int load(int handle) {
        int length = texts.length(handle);
        if (length > text.length) {
            text = new byte[Math.max(length, text.length * 2)];
        }
        texts.copyTo(handle, length, text, 0);
        return length;
    }
}
