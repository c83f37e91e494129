package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.ChunkedBytes;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.AggregateType.Operand;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a summary: its rows, and a store of the same kind for each nested summary, whose rows carry the id of
 * the row they lie under.
 *
 * <p>One thread at a time calls {@link #apply} and {@link #freeze}; when that is always the same one, say so by
 * {@link #ownedBy} and assertions check it. Views may be read by any thread. Rows live in chunks of bytes laid out by the
 * definition, texts and sets in arenas beside them: no object per key or row, and nothing allocated but chunks and index
 * segments when the store grows or a chunk is first written to after a freeze.
 *
 * <p>Values of aggregates, whatever the order of updates: an integer sum that would leave int64 stays at the bound it
 * reached and each observation lost to that is counted in {@link #saturations()}; a sum of doubles does the same at
 * ±{@link Double#MAX_VALUE}; a row beyond the {@link RowLimit} is not made, and what it was meant to take is skipped and
 * counted in {@link #limitRejected()}. Doubles must be finite.
 *
 * <p>Cost: {@code io.summarizer.bench.store.RowUpdateBenchmark}.
 */
public final class SummaryStore {
    private final SummaryLayout layout;
    private final RowFormat format;
    private final RowLimit limit;
    private final SummaryStore[] children;

    private final ChunkedBytes rows;
    private final RowIndex index = new RowIndex();
    private final ByteArena texts = new ByteArena();
    /** For each value column its sets, or null; columns of the same parameters share one. */
    private final @Nullable MultisetArena[] sets;

    private final int maxChunks;
    /** Slots in use in the last chunk. */
    private int slotsUsed;

    private long rowCount;
    private long updates;
    private long saturations;
    private long limitRejected;
    /** Of the whole tree of stores; tells {@link #apply} whether the record met a full summary. */
    private final Refusals refusals;

    private @Nullable Thread owner;

    /** An empty partition of top-level summary {@code layout}. */
    public SummaryStore(SummaryLayout layout, RowLimit limit) {
        this(layout, limit, false, Integer.MAX_VALUE, new Refusals());
    }

    SummaryStore(SummaryLayout layout, RowLimit limit, boolean nested, int maxChunks, Refusals refusals) {
        this.layout = layout;
        this.refusals = refusals;
        this.limit = limit;
        format = new RowFormat(layout, nested);
        rows = new ChunkedBytes(format.chunkBytes);
        slotsUsed = format.rowsPerChunk;
        // The id of the last slot of the last chunk, plus one, must still be an int.
        this.maxChunks = Math.min(maxChunks, (1 << (31 - format.slotBits)) - 1);
        sets = sets(layout.values());
        children = new SummaryStore[layout.nested().size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = new SummaryStore(layout.nested().get(i), limit.nested(i), true, maxChunks, refusals);
        }
    }

    private static @Nullable MultisetArena[] sets(List<ValueColumn> columns) {
        MultisetArena[] sets = new MultisetArena[columns.size()];
        for (int i = 0; i < sets.length; i++) {
            ValueColumn column = columns.get(i);
            if (column.type() != AggregateType.MULTISET64) {
                continue;
            }
            for (int j = 0; j < i && sets[i] == null; j++) {
                ValueColumn other = columns.get(j);
                if (sets[j] != null && other.log2m() == column.log2m() && other.regwidth() == column.regwidth()) {
                    sets[i] = sets[j];
                }
            }
            if (sets[i] == null) {
                sets[i] = new MultisetArena(column.log2m(), column.regwidth());
            }
        }
        return sets;
    }

    /** Shape of this summary. */
    public SummaryLayout layout() {
        return layout;
    }

    /** The store of the nested summary with this position. */
    public SummaryStore nested(int position) {
        return children[position];
    }

    /** Says that only this thread will write from now on (null: any, one at a time); assertions then check it. */
    public void ownedBy(@Nullable Thread owner) {
        this.owner = owner;
        for (SummaryStore child : children) {
            child.ownedBy(owner);
        }
    }

    /**
     * Applies the record of an {@link UpdateBatch} that starts at {@code offset}; it must be one of this summary.
     *
     * @return false when a row, the record's own or a nested one, was refused because its summary is full
     */
    public boolean apply(byte[] bytes, int offset) {
        long refusalsBefore = refusals.count;
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        long stamp = Bytes.getLong(bytes, offset + UpdateBatch.STAMP_OFFSET);
        int key = offset + UpdateBatch.KEY_OFFSET;
        int row = rowFor(bytes, key, Bytes.getLong(bytes, offset + UpdateBatch.HASH_OFFSET), 0);
        if (row >= 0) {
            update(row, bytes, key + keyLength(bytes, key), offset + Bytes.getInt(bytes, offset), stamp);
        }
        return refusals.count == refusalsBefore;
    }

    /**
     * Brings the memory that {@link #apply} of the same record will need into the cache, without effect otherwise. Worth it
     * when called for a dozen records before any of them is applied: their cache misses then overlap, where applying
     * takes them one after the other.
     *
     * @return nothing of meaning; add it to something, so that the reads are not optimized away
     */
    public int touch(byte[] bytes, int offset) {
        int hash = RowIndex.mix(Bytes.getLong(bytes, offset + UpdateBatch.HASH_OFFSET), 0);
        long[] segment = index.segment(hash);
        long slot = segment[hash & RowIndex.mask(segment)];
        if (!RowIndex.isOf(slot, hash)) {
            return 0; // a new row, or one some slots further on
        }
        int row = RowIndex.row(slot);
        byte[] chunk = rows.readable(row >>> format.slotBits);
        int base = (row & format.slotMask) * format.width;
        return chunk[base] + chunk[base + format.width - 1];
    }

    /** Applies a nested block whose hash lies at {@code at}; returns the place behind its LEAVE. */
    private int applyNested(int parent, byte[] bytes, int at, int end, long stamp) {
        int key = at + 8;
        int row = rowFor(bytes, key, Bytes.getLong(bytes, at), parent);
        int ops = key + keyLength(bytes, key);
        return row >= 0 ? update(row, bytes, ops, end, stamp) : skip(bytes, ops);
    }

    /** Applies ops to a row, up to {@code end} or behind the LEAVE that ends a nested block; returns that place. */
    private int update(int row, byte[] bytes, int from, int end, long stamp) {
        RowFormat format = this.format;
        int[] cells = format.cells;
        byte[] chunk = rows.writable(row >>> format.slotBits);
        int base = (row & format.slotMask) * format.width;
        updates++;
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(bytes, at);
            at += 2;
            if (column >= UpdateBatch.ENTER) {
                if (column == UpdateBatch.LEAVE) {
                    return at;
                }
                at = children[column & ~UpdateBatch.ENTER].applyNested(row, bytes, at, end, stamp);
                continue;
            }
            int descriptor = cells[column];
            int cell = base + RowFormat.offset(descriptor);
            switch (RowFormat.kind(descriptor)) {
                case RowFormat.SUM_INT32 -> addInt32(chunk, cell, Bytes.getLong(bytes, at));
                case RowFormat.SUM_INT64 ->
                    Bytes.putLong(chunk, cell, saturatedSum(Bytes.getLong(chunk, cell), Bytes.getLong(bytes, at)));
                case RowFormat.COUNT -> Bytes.putLong(chunk, cell, Bytes.getLong(chunk, cell) + 1);
                case RowFormat.MULTISET -> addToSet(column, chunk, cell, Bytes.getLong(bytes, at));
                case RowFormat.SUM_DOUBLE ->
                    putDouble(chunk, cell, saturatedSum(getDouble(chunk, cell), getDouble(bytes, at)));
                case RowFormat.FIRST_STRING, RowFormat.LAST_STRING -> {
                    int length = Bytes.getInt(bytes, at);
                    at += 4;
                    boolean first = RowFormat.kind(descriptor) == RowFormat.FIRST_STRING;
                    putText(first, chunk, cell, stamp, bytes, at, length);
                    at += length;
                    continue;
                }
                default -> {
                    int bit = (base << 3) + format.presence[column];
                    if (isPresent(chunk, bit)) {
                        combine(RowFormat.kind(descriptor), chunk, cell, stamp, Bytes.getLong(bytes, at));
                    } else {
                        chunk[bit >>> 3] |= (byte) (1 << (bit & 7));
                        start(RowFormat.kind(descriptor), chunk, cell, stamp, Bytes.getLong(bytes, at));
                    }
                }
            }
            at += 8;
        }
        return at;
    }

    /** Steps over the ops of a nested row that was refused, nested blocks within included. */
    private int skip(byte[] bytes, int from) {
        int at = from;
        while (true) {
            int column = Bytes.getShort(bytes, at);
            at += 2;
            if (column == UpdateBatch.LEAVE) {
                return at;
            }
            if (column >= UpdateBatch.ENTER) {
                SummaryStore child = children[column & ~UpdateBatch.ENTER];
                int key = at + 8;
                at = child.skip(bytes, key + child.keyLength(bytes, key));
            } else if (layout.values().get(column).type().operand() == Operand.STRING) {
                at += 4 + Bytes.getInt(bytes, at);
            } else {
                at += 8;
            }
        }
    }

    // Rows and keys

    /** The row with the key at {@code key} under this parent, made if need be; -1 when it may not be made. */
    private int rowFor(byte[] bytes, int key, long keyHash, int parent) {
        int hash = RowIndex.mix(keyHash, parent);
        long[] segment = index.segment(hash);
        int mask = RowIndex.mask(segment);
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            long slot = segment[i];
            if (slot == 0) {
                return newRow(bytes, key, hash, parent);
            }
            if (RowIndex.isOf(slot, hash) && hasKey(RowIndex.row(slot), bytes, key, parent)) {
                return RowIndex.row(slot);
            }
        }
    }

    private boolean hasKey(int row, byte[] bytes, int key, int parent) {
        RowFormat format = this.format;
        byte[] chunk = rows.readable(row >>> format.slotBits);
        int base = (row & format.slotMask) * format.width;
        int keyOffset = format.keyOffset;
        if (keyOffset != 0 && Bytes.getInt(chunk, base) != parent) {
            return false;
        }
        int fixed = format.key.fixedBytes();
        if (!equal(chunk, base + keyOffset, bytes, key, fixed)) {
            return false;
        }
        if (format.tailOffset < 0) {
            return true;
        }
        int tail = key + fixed;
        int handle = Bytes.getInt(chunk, base + format.tailOffset);
        return texts.matches(handle, bytes, tail + 4, Bytes.getInt(bytes, tail));
    }

    private static boolean equal(byte[] a, int aFrom, byte[] b, int bFrom, int length) {
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            if (Bytes.getLong(a, aFrom + i) != Bytes.getLong(b, bFrom + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (a[aFrom + i] != b[bFrom + i]) {
                return false;
            }
        }
        return true;
    }

    private int newRow(byte[] bytes, int key, int hash, int parent) {
        RowFormat format = this.format;
        if ((slotsUsed == format.rowsPerChunk && rows.count() >= maxChunks) || !limit.tryAdd()) {
            limitRejected++;
            refusals.count++;
            return -1;
        }
        if (slotsUsed == format.rowsPerChunk) {
            rows.append();
            slotsUsed = 0;
        }
        int chunkNumber = rows.count() - 1;
        int slot = slotsUsed++;
        rowCount++;
        byte[] chunk = rows.writable(chunkNumber);
        int base = slot * format.width;
        if (format.keyOffset != 0) {
            Bytes.putInt(chunk, base, parent);
        }
        int fixed = format.key.fixedBytes();
        System.arraycopy(bytes, key, chunk, base + format.keyOffset, fixed);
        if (format.tailOffset >= 0) {
            int tail = key + fixed;
            Bytes.putInt(chunk, base + format.tailOffset, texts.put(0, bytes, tail + 4, Bytes.getInt(bytes, tail)));
        }
        int row = chunkNumber << format.slotBits | slot;
        index.insert(hash, row);
        return row;
    }

    private int keyLength(byte[] bytes, int key) {
        int fixed = format.key.fixedBytes();
        return format.tailOffset < 0 ? fixed : fixed + 4 + Bytes.getInt(bytes, key + fixed);
    }

    // Aggregates

    /**
     * A 32-bit cell whose lowest bit tells what the upper 31 are: the sum itself, or the handle of an exact 64-bit cell in
     * the arena, where a sum goes once it does not fit.
     */
    private void addInt32(byte[] chunk, int cell, long operand) {
        int present = Bytes.getInt(chunk, cell);
        if ((present & 1) == 0) {
            long sum = saturatedSum(present >> 1, operand);
            if (sum << 33 >> 33 == sum) {
                Bytes.putInt(chunk, cell, (int) sum << 1);
            } else {
                Bytes.putInt(chunk, cell, texts.putLong(sum) << 1 | 1);
            }
        } else {
            int handle = present >>> 1;
            texts.setLong(handle, saturatedSum(texts.getLong(handle), operand));
        }
    }

    private long saturatedSum(long present, long operand) {
        long sum = present + operand;
        boolean stuck = (present ^ (present >> 63)) == Long.MAX_VALUE;
        if (stuck || ((present ^ sum) & (operand ^ sum)) < 0) {
            saturations += operand == 0 ? 0 : 1;
            if (stuck) {
                return present;
            }
            return operand < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return sum;
    }

    private double saturatedSum(double present, double operand) {
        assert Double.isFinite(operand);
        double sum = present + operand;
        boolean stuck = Math.abs(present) == Double.MAX_VALUE;
        if (stuck || Double.isInfinite(sum)) {
            saturations += operand == 0 ? 0 : 1;
            return stuck ? present : Math.copySign(Double.MAX_VALUE, operand);
        }
        return sum;
    }

    private void addToSet(int column, byte[] chunk, int cell, long hash) {
        MultisetArena arena = sets[column];
        assert arena != null;
        int present = Bytes.getInt(chunk, cell);
        int handle = arena.add(present, hash);
        if (handle != present) {
            Bytes.putInt(chunk, cell, handle);
        }
    }

    private static boolean isPresent(byte[] chunk, int bit) {
        return (chunk[bit >>> 3] >>> (bit & 7) & 1) != 0;
    }

    /** The first observation of a cell with a presence bit. */
    private static void start(int kind, byte[] chunk, int cell, long stamp, long operand) {
        if (kind == RowFormat.FIRST_INT64 || kind == RowFormat.LAST_INT64) {
            Bytes.putLong(chunk, cell, stamp);
            Bytes.putLong(chunk, cell + 8, operand);
        } else {
            Bytes.putLong(chunk, cell, operand);
        }
    }

    /** A further observation of a cell with a presence bit. */
    private static void combine(int kind, byte[] chunk, int cell, long stamp, long operand) {
        long present = Bytes.getLong(chunk, cell);
        switch (kind) {
            case RowFormat.MIN_INT64 -> Bytes.putLong(chunk, cell, Math.min(present, operand));
            case RowFormat.MAX_INT64 -> Bytes.putLong(chunk, cell, Math.max(present, operand));
            case RowFormat.MIN_DOUBLE ->
                putDouble(chunk, cell, Math.min(Double.longBitsToDouble(present), Double.longBitsToDouble(operand)));
            case RowFormat.MAX_DOUBLE ->
                putDouble(chunk, cell, Math.max(Double.longBitsToDouble(present), Double.longBitsToDouble(operand)));
            case RowFormat.FIRST_INT64 -> {
                if (stamp < present) {
                    start(kind, chunk, cell, stamp, operand);
                }
            }
            case RowFormat.LAST_INT64 -> {
                if (stamp >= present) {
                    start(kind, chunk, cell, stamp, operand);
                }
            }
            default -> throw new AssertionError(kind);
        }
    }

    private void putText(boolean first, byte[] chunk, int cell, long stamp, byte[] source, int offset, int length) {
        int handle = Bytes.getInt(chunk, cell + 8);
        if (handle != 0) {
            long present = Bytes.getLong(chunk, cell);
            if (first ? stamp >= present : stamp < present) {
                return;
            }
        }
        Bytes.putLong(chunk, cell, stamp);
        Bytes.putInt(chunk, cell + 8, texts.put(handle, source, offset, length));
    }

    private static double getDouble(byte[] bytes, int offset) {
        return Double.longBitsToDouble(Bytes.getLong(bytes, offset));
    }

    private static void putDouble(byte[] bytes, int offset, double value) {
        Bytes.putLong(bytes, offset, Double.doubleToRawLongBits(value));
    }

    // What the owner publishes

    /**
     * A view of all rows, nested ones included, as they are now. Cost: a copy of the tables of chunks, and afterwards one
     * copy of each chunk of 16 KiB that is written to.
     */
    public StoreView freeze() {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        MultisetArena.View[] setViews = new MultisetArena.View[sets.length];
        for (int i = 0; i < sets.length; i++) {
            MultisetArena arena = sets[i];
            int same = arena == null ? -1 : Arrays.asList(sets).indexOf(arena);
            if (arena != null) {
                setViews[i] = same < i ? setViews[same] : arena.freeze();
            }
        }
        List<StoreView> nested = new ArrayList<>(children.length);
        for (SummaryStore child : children) {
            nested.add(child.freeze());
        }
        return new StoreView(layout, format, rows.freeze(), rowCount, slotsUsed, texts.freeze(), setViews, nested);
    }

    /** Rows of this summary, without those of nested ones. */
    public long rows() {
        return rowCount;
    }

    /** Row updates so far: records, or nested blocks, that found or made their row. */
    public long updates() {
        return updates;
    }

    /** Observations lost because a sum stood at its bound. Without those of nested summaries. */
    public long saturations() {
        return saturations;
    }

    /** As {@link #saturations()}, with those of nested summaries. */
    public long saturationsInAll() {
        long all = saturations;
        for (SummaryStore child : children) {
            all += child.saturationsInAll();
        }
        return all;
    }

    /** Records, or nested blocks, skipped because their row would have been one too many. Without nested summaries'. */
    public long limitRejected() {
        return limitRejected;
    }

    /** Bytes of rows, index, texts and sets, nested summaries included; not what views alone hold. */
    public long bytesUsed() {
        long bytes = rows.allocatedBytes() + index.allocatedBytes() + texts.allocatedBytes();
        for (int i = 0; i < sets.length; i++) {
            MultisetArena arena = sets[i];
            if (arena != null && Arrays.asList(sets).indexOf(arena) == i) {
                bytes += arena.bytesUsed();
            }
        }
        for (SummaryStore child : children) {
            bytes += child.bytesUsed();
        }
        return bytes;
    }

    private boolean isOwner() {
        return owner == null || owner == Thread.currentThread();
    }

    /** Rows refused in a tree of stores. */
    static final class Refusals {
        private long count;
    }
}
