package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Refusals;
import io.summarizer.core.sketch.DistinctCounter;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.time.Windows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a summary, or of one window of a summary. It has the rows of the summary, and a nested store for
 * each nested summary. A nested row carries the id of its parent row.
 *
 * <p>One thread at a time calls {@link #apply} and {@link #freeze}. If this is always the same thread, {@link #ownedBy}
 * lets assertions check it. Any thread may read views. There is no object per key or row: rows are in chunks of bytes,
 * in the layout of {@link RowFormat}, and texts and sets are in separate arenas. The store allocates only chunks and
 * index segments, when it grows or when it first writes to a chunk after a freeze.
 *
 * <p>The methods of {@link Cells} add observations to the cells that {@link RowCode} chooses. A row is not made if it
 * would exceed the {@link RowLimit} or the bound on bytes, or if its key is too long. The updates of such a row go to
 * the overflow store, if there is one; otherwise, they are skipped and counted in {@link #limitRejected()}.
 *
 * <p>This class has more than 500 lines, because index, rows, views and bounds change together with each update. {@link
 * Cells}, {@link RowIndex}, {@link RowLimit} and {@link RowFormat} have the independent parts.
 *
 * <p>{@code io.summarizer.bench.store.RowUpdateBenchmark} measures the cost.
 */
public final class SummaryStore {
    /** The value of {@link #window} for a store whose rows have no windows. */
    public static final long NO_WINDOW = Windows.NO_START;

    private static final byte[] NONE = {};
    private static final SummaryStore[] NO_STORES = {};

    /** Number of bytes that one cache miss loads on most current processors; some load twice as many. */
    private static final int CACHE_LINE = 64;

    // Each update reads these fields. They come first, so that a store takes few cache lines.

    private final StoreTables tables;
    private final RowFormat format;
    private final ChunkedBytes rows;
    private final RowCode code;
    private final Cells cells;
    /** Number of this store's region in {@link #cells}. */
    private final int number;

    private final SummaryStore[] children;

    /** The store that takes the updates of refused keys; null when these updates are refused, too. */
    private @Nullable SummaryStore overflow;

    /** {@link RowIndex#only} of the index, and the mask of its slots. */
    private long @Nullable [] segment;

    private int segmentMask;
    private final RowIndex index;
    private long updates;

    private SummaryLayout layout;
    private final long window;
    private final RowLimit limit;

    /** The store of the parent rows; null in a top-level summary. */
    private @Nullable SummaryStore above;

    /** The values of refused keys; null before the first refused key. */
    private @Nullable KeyCensus census;

    /** Whether a single row takes the updates of all keys; in a nested summary, a single row under each parent. */
    private final boolean keyless;

    private final byte[] noKey;
    private final long noKeyHash;

    /** The chunks of this store in {@link #rows}. */
    private final ChunkedBytes.Region region;

    private final int maxChunks;
    /** Number of slots in use in the last chunk. */
    private int slotsUsed;

    private boolean loading;
    private long rowCount;

    /** The value that {@link #since} set; 0 for a store that replaced no other store. */
    private int since;

    private long limitRejected;
    /** The account of bytes and refusals, which all stores nested in the same top-level store share. */
    private final ByteAccount account;

    private @Nullable Thread owner;

    /**
     * An empty partition of top-level summary {@code layout}. {@code code} updates its rows and was made for the same
     * layout.
     */
    public SummaryStore(SummaryLayout layout, RowCode.Tree code, RowLimit limit) {
        this(layout, code, limit, NO_WINDOW, null);
    }

    /**
     * An empty partition of the window that starts at {@code window}.
     *
     * @param like the store of another window of the partition, which shares its tables with the new store; null when
     *     there is no other window
     */
    SummaryStore(SummaryLayout layout, RowCode.Tree code, RowLimit limit, long window, @Nullable SummaryStore like) {
        this(
                layout,
                code,
                limit,
                window,
                false,
                Integer.MAX_VALUE,
                limit.newAccount(like == null ? new Refusals() : like.tables.refusals),
                like);
    }

    SummaryStore(
            SummaryLayout layout,
            RowCode.Tree code,
            RowLimit limit,
            long window,
            boolean nested,
            int maxChunks,
            ByteAccount account,
            @Nullable SummaryStore like) {
        this.layout = layout;
        this.window = window;
        this.code = code.rows();
        this.account = account;
        this.limit = limit;
        tables = like == null ? new StoreTables(layout, nested, account.refusals()) : like.tables;
        format = tables.format;
        rows = tables.rows;
        region = new ChunkedBytes.Region(account);
        index = new RowIndex(account);
        keepSegment();
        slotsUsed = format.rowsPerChunk;
        // The largest id belongs to the last slot of the last chunk. This id plus one must fit an int.
        this.maxChunks = Math.min(maxChunks, (1 << (31 - format.slotBits)) - 1);
        keyless = layout.isKeyless();
        KeyBuffer nulls = nulls(layout, format.key, window);
        noKey = keyless ? encoded(nulls) : NONE;
        noKeyHash = nulls.hash();
        cells = tables.cells;
        number = cells.add(account, tables.arenas);
        children = layout.nested().isEmpty()
                ? NO_STORES
                : new SummaryStore[layout.nested().size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = new SummaryStore(
                    layout.nested().get(i),
                    code.nested().get(i),
                    limit.nested(i),
                    window,
                    true,
                    maxChunks,
                    account,
                    like == null ? null : like.children[i]);
            children[i].above = this;
        }
    }

    /** The key of the single row of an overflow summary: all columns are null, except the window. */
    private static KeyBuffer nulls(SummaryLayout layout, KeyLayout columns, long window) {
        KeyBuffer key = new KeyBuffer(columns);
        key.reset();
        for (int column = 0; column < columns.columns(); column++) {
            if (layout.window() != null && layout.window().column() == column) {
                key.setLong(column, window);
            } else {
                key.setNull(column);
            }
        }
        return key;
    }

    /** Returns a key in the encoding of records: with the length of the tail. */
    private static byte[] encoded(KeyBuffer key) {
        int fixed = key.layout().fixedBytes();
        int tail = key.length() - fixed;
        byte[] bytes = new byte[fixed + Integer.BYTES + tail];
        System.arraycopy(key.bytes(), 0, bytes, 0, fixed);
        Bytes.putInt(bytes, fixed, tail);
        System.arraycopy(key.bytes(), fixed, bytes, fixed + Integer.BYTES, tail);
        return bytes;
    }

    /** Shape of this summary. */
    public SummaryLayout layout() {
        return layout;
    }

    /**
     * Renames the summary and the summaries nested in it: their new names are the names in {@code layout}. This layout
     * differs from the present layout only in names. Earlier views keep the former names. Called by the thread that
     * writes the store.
     */
    public void relabel(SummaryLayout layout) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        this.layout = layout;
        for (int i = 0; i < children.length; i++) {
            children[i].relabel(layout.nested().get(i));
        }
    }

    /** Start of the window of all rows, in µs since the epoch, or {@link #NO_WINDOW}. */
    public long window() {
        return window;
    }

    /** The store of the nested summary with this position. */
    public SummaryStore nested(int position) {
        return children[position];
    }

    /**
     * Declares the only thread that writes from now on. Assertions then check this. Null stands for any thread, but
     * only one at a time.
     */
    public void ownedBy(@Nullable Thread owner) {
        this.owner = owner;
        for (SummaryStore child : children) {
            child.ownedBy(owner);
        }
    }

    /**
     * Determines what happens to updates of keys beyond the bound of this summary or of a summary nested in it. They go
     * to {@code other} if the bound in {@code layout} has an overflow; they are refused if it has none, or if {@code
     * other} is null. A bound on bytes also holds for all nested summaries. Called by the thread that writes this store
     * and {@code other}.
     */
    public void overflowInto(SummaryLayout layout, @Nullable SummaryStore other) {
        SummaryLimit limit = layout.limit();
        overflowInto(layout, other, limit.bytes() > 0 && limit.overflow() == SummaryLimit.Overflow.OTHER);
    }

    private void overflowInto(SummaryLayout layout, @Nullable SummaryStore other, boolean inAnyCase) {
        assert other == null || other.keyless;
        overflow = inAnyCase || layout.limit().overflow() == SummaryLimit.Overflow.OTHER ? other : null;
        for (int i = 0; i < children.length; i++) {
            children[i].overflowInto(layout.nested().get(i), other == null ? null : other.children[i], inAnyCase);
        }
    }

    /**
     * Applies the record of an {@link UpdateBatch} that starts at {@code offset}. The record must be for this summary.
     *
     * @return false when a part of the record was refused: the row, a nested row, a text, or an addition to a set
     */
    public boolean apply(byte[] bytes, int offset) {
        return applyTo(row(bytes, offset, -1), bytes, offset);
    }

    /**
     * Returns the row of a record, and makes the row if necessary. Returns -1 when the row was refused.
     *
     * @param likelyRow the result of {@link RowPrefetch#likelyRow} for the record; the store may have made more rows
     *     since then
     */
    public int row(byte[] bytes, int offset, int likelyRow) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        int key = offset + UpdateBatch.KEY_OFFSET;
        return likelyRow >= 0 && hasKey(likelyRow, bytes, key, 0)
                ? likelyRow
                : rowFor(bytes, key, Bytes.getLong(bytes, offset + UpdateBatch.HASH_OFFSET), 0);
    }

    /**
     * Applies a record whose row is known, as {@link #apply} does.
     *
     * @param row the result of {@link #row} for this record, or for another record with the same key
     */
    public boolean applyTo(int row, byte[] bytes, int offset) {
        SummaryStore other = overflow;
        if (row < 0 && other == null) {
            return false;
        }
        Refusals refusals = tables.refusals;
        long refusalsBefore = refusals.count();
        int key = offset + UpdateBatch.KEY_OFFSET;
        int ops = key + tables.record.keyLength(bytes, key);
        int end = offset + Bytes.getInt(bytes, offset);
        long stamp = Bytes.getLong(bytes, offset + UpdateBatch.STAMP_OFFSET);
        if (row >= 0) {
            update(row, bytes, ops, end, stamp);
        } else if (other != null) {
            updateOverflow(other, bytes, ops, end, stamp);
        }
        return refusals.count() == refusalsBefore;
    }

    /**
     * Applies all records of a run to their row.
     *
     * @param row the result of {@link #row} for one of the records; not -1
     * @return false when parts of some records were refused: {@link UpdateRun#takeRefused} tells which
     */
    public boolean applyTo(int row, UpdateRun run) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        updates += run.count();
        enterRegion();
        run.ops(tables.record.opsOf(run.bytes(), run.record(0)));
        Refusals refusals = tables.refusals;
        long refusalsBefore = refusals.count();
        code.update(this, row, chunkOf(row), baseOf(row), run);
        return refusals.count() == refusalsBefore;
    }

    /** Whether two records of this summary have the same key. The caller has checked that their hashes are equal. */
    public boolean isSameKey(byte[] bytes, int offset, int other) {
        int key = offset + UpdateBatch.KEY_OFFSET;
        int otherKey = other + UpdateBatch.KEY_OFFSET;
        return code.hasKey(bytes, otherKey - format.keyOffset, bytes, key)
                && tables.record.isSameTail(bytes, key, otherKey);
    }

    /** The layout of records of this summary. */
    public RecordFormat record() {
        return tables.record;
    }

    /**
     * Prefetches the slot of the index for a hash from {@link RowIndex#mix}, without other effect.
     *
     * @return a meaningless value; use it, so that the reads are not optimized away
     */
    int prefetchIndex(int hash) {
        long[] only = segment;
        return only == null ? index.prefetch(hash) : (int) only[hash & segmentMask];
    }

    /**
     * The row that most likely has the key from whose hash {@link RowIndex#mix} made this hash; -1 when no row has this
     * hash. The row may have another key with the same hash; {@link #row} compares the keys.
     */
    int likelyRow(int hash) {
        long[] segment = segment(hash);
        int mask = RowIndex.mask(segment);
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            long slot = segment[i];
            if (RowIndex.isOf(slot, hash) || slot == 0) {
                return RowIndex.row(slot);
            }
        }
    }

    /**
     * Prefetches a row, without other effect.
     *
     * @return a meaningless value; use it, so that the reads are not optimized away
     */
    int prefetchRow(int row) {
        byte[] chunk = rows.readable(row >>> format.slotBits);
        int width = format.width;
        int base = (row & format.slotMask) * width;
        int last = base + width - 1;
        int read = chunk[base] + chunk[Math.min(base + CACHE_LINE, last)] + chunk[last];
        if (width > 2 * CACHE_LINE) {
            for (int at = base + 2 * CACHE_LINE; at < last; at += CACHE_LINE) {
                read += chunk[at];
            }
        }
        return read;
    }

    /** Number of columns that are multisets. */
    int multisets() {
        return tables.setCells.length;
    }

    /**
     * The place of a multiset of a row. Call this method when the row is in the processor's cache.
     *
     * @param number position of the column among the multiset columns, from 0 on; may be beyond the last column
     * @return a place for {@link #prefetchSet}, or {@link MultisetArena#NO_PLACE} when there is nothing to prefetch
     */
    long placeOfSet(int row, int number) {
        MultisetArena[] sets = tables.setsByNumber;
        if (number >= sets.length) {
            return MultisetArena.NO_PLACE;
        }
        int cell = (row & format.slotMask) * format.width + tables.setCells[number];
        return sets[number].placeOf(Bytes.getInt(rows.readable(row >>> format.slotBits), cell));
    }

    /**
     * Prefetches a multiset, as {@link #prefetchRow} prefetches a row. The place is a result of {@link #placeOfSet},
     * other than {@link MultisetArena#NO_PLACE}.
     */
    int prefetchSet(int number, long place) {
        return tables.setsByNumber[number].prefetch(place);
    }

    /** Whether the summary has nested summaries. */
    boolean isNesting() {
        return children != NO_STORES;
    }

    /**
     * Adds the nested rows of a record to {@code into}.
     *
     * @param record start of the record in {@code bytes}
     * @param row the row of the record
     */
    void addNestedRows(byte[] bytes, int record, int row, RowPrefetch into) {
        RecordFormat format = tables.record;
        int end = record + Bytes.getInt(bytes, record);
        for (int at = record + format.opsOf(bytes, record); at < end; ) {
            int column = Bytes.getShort(bytes, at);
            int operand = at + Short.BYTES;
            if (column < UpdateBatch.ENTER) {
                at = format.operandEnd(column, bytes, operand);
            } else {
                int position = column & ~UpdateBatch.ENTER;
                into.addNested(children[position], Bytes.getLong(bytes, operand), row);
                at = format.nested(position).blockEnd(bytes, operand);
            }
        }
    }

    /** The cells of this store, for {@link RowCode}. */
    public Cells cells() {
        return cells;
    }

    /**
     * Applies a nested block to the nested summary at {@code position}: updates the nested row with the block's key
     * under parent {@code row}. The hash of the key is at {@code at}; the key and the ops follow. Called by {@link
     * RowCode}.
     *
     * @return the place after the block's LEAVE
     */
    public int enter(int position, int row, byte[] bytes, int at, int end, long stamp) {
        return children[position].applyNested(row, bytes, at, end, stamp);
    }

    private int applyNested(int parent, byte[] bytes, int at, int end, long stamp) {
        int key = at + 8;
        int ops = key + tables.record.keyLength(bytes, key);
        int row = keyless ? rowFor(noKey, 0, noKeyHash, parent) : rowFor(bytes, key, Bytes.getLong(bytes, at), parent);
        if (row >= 0) {
            return update(row, bytes, ops, end, stamp);
        }
        SummaryStore other = overflow;
        return other == null ? tables.record.blockEnd(bytes, at) : updateOverflow(other, bytes, ops, end, stamp);
    }

    /**
     * Updates the row of overflow store {@code other}. If the account of {@code other} counts refusals during this
     * call, this store's account counts them, too. Both accounts belong to the same owner.
     */
    private int updateOverflow(SummaryStore other, byte[] bytes, int ops, int end, long stamp) {
        long refusalsBefore = other.tables.refusals.count();
        int at = other.update(other.keylessRow(), bytes, ops, end, stamp);
        tables.refusals.add(other.tables.refusals.count() - refusalsBefore);
        return at;
    }

    /** The single row of this overflow store, under the single row of each enclosing summary. */
    private int keylessRow() {
        assert keyless;
        return rowFor(noKey, 0, noKeyHash, above == null ? 0 : above.keylessRow());
    }

    /** Makes the region of this store the one from which {@link #cells} allocates texts and sets. */
    void enterRegion() {
        cells.enter(number);
    }

    private int update(int row, byte[] bytes, int from, int end, long stamp) {
        updates++;
        enterRegion();
        byte[] chunk = rows.writable(row >>> format.slotBits);
        return code.update(this, row, chunk, (row & format.slotMask) * format.width, bytes, from, end, stamp);
    }

    // Rows and keys

    /**
     * Returns the row with the key at {@code key} under this parent, and makes the row if necessary. Returns -1 when
     * the row may not be made.
     */
    private int rowFor(byte[] bytes, int key, long keyHash, int parent) {
        int hash = RowIndex.mix(keyHash, parent);
        long[] segment = segment(hash);
        int mask = RowIndex.mask(segment);
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            long slot = segment[i];
            if (slot == 0) {
                return newRow(bytes, key, hash, parent, true);
            }
            if (RowIndex.isOf(slot, hash) && hasKey(RowIndex.row(slot), bytes, key, parent)) {
                return RowIndex.row(slot);
            }
        }
    }

    /** Returns a row as {@link #rowFor} does, for {@link StoreLoader}. */
    int loadRow(byte[] bytes, int key, long keyHash, int parent) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        loading = true;
        account.loading(true);
        try {
            return rowFor(bytes, key, keyHash, parent);
        } finally {
            loading = false;
            account.loading(false);
        }
    }

    /**
     * Makes a row for {@link StoreLoader} without adding the row to the index, so no later call finds the row by its
     * key. Returns -1 in the same cases as {@link #loadRow}.
     */
    int appendRow(byte[] bytes, int key, int parent) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        loading = true;
        account.loading(true);
        try {
            return newRow(bytes, key, 0, parent, false);
        } finally {
            loading = false;
            account.loading(false);
        }
    }

    /**
     * Grants a row beyond the bound if the row is loaded and the bound comes from a definition. The reason is that the
     * definition may have had another bound when the row was made. Returns whether the row was granted.
     */
    private boolean isGrantedAnyway() {
        return loading && layout.limit().keys() > 0 && limit.tryAddAnyway();
    }

    /** The chunk of a row, writable. */
    byte[] chunkOf(int row) {
        return rows.writable(row >>> format.slotBits);
    }

    /** Start of a row in its chunk. */
    int baseOf(int row) {
        return (row & format.slotMask) * format.width;
    }

    RowFormat format() {
        return format;
    }

    /** The account of this store and of the stores nested in it. */
    ByteAccount account() {
        return account;
    }

    /** The bound on rows. */
    public long maxRows() {
        return limit.maximum();
    }

    private boolean hasKey(int row, byte[] bytes, int key, int parent) {
        RowFormat format = this.format;
        byte[] chunk = rows.readable(row >>> format.slotBits);
        int base = (row & format.slotMask) * format.width;
        if (format.keyOffset != 0 && Bytes.getInt(chunk, base) != parent) {
            return false;
        }
        if (!code.hasKey(chunk, base, bytes, key)) {
            return false;
        }
        if (format.tailOffset < 0) {
            return true;
        }
        int tail = key + format.key.fixedBytes();
        int handle = Bytes.getInt(chunk, base + format.tailOffset);
        return cells.texts.matches(handle, bytes, tail + 4, Bytes.getInt(bytes, tail));
    }

    private int newRow(byte[] bytes, int key, int hash, int parent, boolean indexed) {
        RowFormat format = this.format;
        boolean tooLong =
                format.tailOffset >= 0 && Bytes.getInt(bytes, key + format.key.fixedBytes()) == UpdateBatch.TOO_LONG;
        if (tooLong
                || (slotsUsed == format.rowsPerChunk && rows.isFull(maxChunks))
                // The row that takes the overflow is made even when the bounds allow no other row.
                || (!keyless && !account.hasRoomForRow())
                || (!limit.tryAdd() && !isGrantedAnyway())) {
            if (!tooLong) {
                count(bytes, key);
            }
            if (overflow == null) {
                limitRejected++;
                tables.refusals.add();
            }
            return -1;
        }
        if (slotsUsed == format.rowsPerChunk) {
            var unused = region.count() == 0 ? rows.appendSmall(region) : rows.append(region);
            slotsUsed = 0;
        }
        int chunkNumber = region.last();
        int slot = slotsUsed++;
        rowCount++;
        enterRegion();
        int base = slot * format.width;
        byte[] chunk = rows.grow(region, chunkNumber, base + format.width);
        if (format.keyOffset != 0) {
            Bytes.putInt(chunk, base, parent);
        }
        int fixed = format.key.fixedBytes();
        System.arraycopy(bytes, key, chunk, base + format.keyOffset, fixed);
        if (format.tailOffset >= 0) {
            int tail = key + fixed;
            Bytes.putInt(chunk, base + format.tailOffset, cells.putTail(bytes, tail + 4, Bytes.getInt(bytes, tail)));
        }
        int row = chunkNumber << format.slotBits | slot;
        if (indexed) {
            index.insert(hash, row);
            keepSegment();
        }
        return row;
    }

    private void keepSegment() {
        long[] only = index.only();
        segment = only;
        segmentMask = only == null ? 0 : RowIndex.mask(only);
    }

    private long[] segment(int hash) {
        long[] only = segment;
        return only == null ? index.segment(hash) : only;
    }

    /** Counts a key that found no room. */
    private void count(byte[] bytes, int key) {
        KeyCensus counted = census;
        if (counted == null) {
            counted = new KeyCensus(format.key);
            census = counted;
        }
        counted.add(bytes, key);
    }

    /** Adds the values that a column had in refused keys to {@code counter}. Any thread may call this method. */
    void addRefusedKeys(int column, DistinctCounter counter) {
        KeyCensus counted = census;
        if (counted != null) {
            counter.add(counted.column(column));
        }
    }

    // Published by the owner

    /** A view of all rows, including nested rows, as they are now; valid as long as a reference to the view exists. */
    public StoreView freeze() {
        return freeze(CutLease.unmanaged());
    }

    /** A view of all rows, including nested rows, as they are now; valid while the lease holds. */
    public StoreView freeze(CutLease lease) {
        FrozenTables tables = new FrozenTables(lease, notes());
        StoreView view = freeze(tables);
        tables.add();
        return view;
    }

    /**
     * Does the same as {@link #freeze(CutLease)}, for a cut of several stores. All these stores are frozen into the
     * same {@code into}. The view is valid as soon as the caller has called {@link FrozenTables#add}. Cost: a view for
     * this store and each store nested in it, and 8 bytes for each of the {@link #notes}. While the lease holds, each
     * chunk of 16 KiB that is written is copied once.
     */
    public StoreView freeze(FrozenTables into) {
        return view(into, freezeTables(into));
    }

    /**
     * Freezes the tables of this store, which the stores of all windows of the partition share, and the tables of the
     * stores nested in it. Returns the number of the first note, for {@link #view}.
     */
    int freezeTables(FrozenTables into) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        int first = tables.freeze(into);
        for (SummaryStore child : children) {
            child.freezeTables(into);
        }
        return first;
    }

    /**
     * Makes the notes of {@link #freezeTables}, for views of stores that are not written any more. Therefore, later
     * updates of other stores need no copies.
     */
    int noteTables(FrozenTables into) {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        int first = tables.note(into);
        for (SummaryStore child : children) {
            child.noteTables(into);
        }
        return first;
    }

    /** A view of all rows, including nested rows, from notes that begin with the note {@code first}. */
    StoreView view(FrozenTables into, int first) {
        List<StoreView> nested = List.of();
        if (children.length > 0) {
            nested = new ArrayList<>(children.length);
            int next = first + tables.notes();
            for (SummaryStore child : children) {
                nested.add(child.view(into, next));
                next += child.notes();
            }
        }
        RowChunks chunks = new RowChunks(region.numbers(), region.count());
        return new StoreView(
                layout, window, format, tables.frozenSets, into, first, chunks, rowCount, slotsUsed, nested);
    }

    /** Number of notes that {@link #freeze(FrozenTables)} makes. */
    public int notes() {
        int notes = tables.notes();
        for (SummaryStore child : children) {
            notes += child.notes();
        }
        return notes;
    }

    /**
     * Keeps the number that {@link CutLease#retire} or {@link CutLease#mark} returned when this store replaced another
     * store.
     */
    public void since(int since) {
        this.since = since;
    }

    /**
     * Counts the bytes of this store as memory of cuts, until no cut sees the store any more. Called for a retired
     * store that was frozen under the lease {@code last}.
     */
    public int leaveTo(CutLease last) {
        return last.retire(bytesViewed(), since);
    }

    /**
     * Stops counting the rows and bytes of this store against the bounds, and releases the memory of a window. Called
     * for a store that is no longer written. Views of the store stay valid.
     */
    public void retire() {
        assert isOwner() : "owner is " + owner + ", not " + Thread.currentThread();
        limit.release(this);
        account.release();
        if (window != NO_WINDOW) {
            releaseRegions();
        }
    }

    private void releaseRegions() {
        rows.release(region);
        cells.release(number, tables.arenas);
        for (SummaryStore child : children) {
            child.releaseRegions();
        }
    }

    /** Number of rows of this summary, without rows of nested summaries. */
    public long rows() {
        return rowCount;
    }

    /** Number of row updates so far: the number of records and nested blocks whose row was found or made. */
    public long updates() {
        return updates;
    }

    /**
     * Number of observations that were lost because a sum was at its bound. Sums in nested summaries are not counted.
     */
    public long saturations() {
        return cells.region(number).saturations();
    }

    /** The sum of {@link #saturations()} for this summary and all nested summaries. */
    public long saturationsInAll() {
        long all = saturations();
        for (SummaryStore child : children) {
            all += child.saturationsInAll();
        }
        return all;
    }

    /**
     * Number of records or nested blocks for this store that were skipped, because their row did not exist and was not
     * made. Does not include nested summaries.
     */
    public long limitRejected() {
        return limitRejected;
    }

    /** Bytes of rows, index, texts and sets, including nested summaries, but without memory that only views hold. */
    public long bytesUsed() {
        long bytes = region.allocatedBytes()
                + index.allocatedBytes()
                + cells.region(number).bytesUsed();
        for (SummaryStore child : children) {
            bytes += child.bytesUsed();
        }
        return bytes;
    }

    /**
     * The result of {@link #bytesUsed} without the bytes of the indexes. This is the memory that a view keeps after the
     * store is retired.
     */
    public long bytesViewed() {
        long bytes = region.allocatedBytes() + cells.region(number).bytesUsed();
        for (SummaryStore child : children) {
            bytes += child.bytesViewed();
        }
        return bytes;
    }

    private boolean isOwner() {
        return owner == null || owner == Thread.currentThread();
    }
}
