package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Refusals;
import io.summarizer.core.sketch.DistinctCounter;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.time.Windows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one partition of a summary; or, if the summary has windows, the rows of one window in one partition. It
 * has a nested store for each nested summary. A nested row carries the id of its parent row.
 *
 * <p>The rows are in {@link StoreTables}, which find and update rows. The stores of all windows of a partition share
 * these tables. The store decides whether a row may be made, makes it in regions of its own, and makes views of its
 * rows. Only chunks and index segments are allocated, when they grow or when a chunk is first written after a freeze.
 *
 * <p>One thread at a time calls {@link #apply} and {@link #freeze}. If this is always the same thread, {@link #ownedBy}
 * lets assertions check it. Any thread may read views.
 *
 * <p>A row is not made if it would exceed the {@link RowLimit} or the bound on bytes, or if its key is too long. The
 * updates of such a row go to the overflow store, if there is one; otherwise, they are skipped and counted in {@link
 * #limitRejected()}.
 *
 * <p>This class has more than 500 lines, because bounds, overflow, new rows and views share the same few counts.
 */
public final class SummaryStore {
    /** The value of {@link #window} for a store whose rows have no windows. */
    public static final long NO_WINDOW = Windows.NO_START;

    private static final byte[] NONE = {};

    private final StoreTables tables;
    private final RowFormat format;
    private final ChunkedBytes rows;
    /** The chunks of this store in {@link #rows}. */
    private final ChunkedBytes.Region region;

    private final Cells cells;
    /** Number of this store in {@link #tables}, and of its region in {@link #cells}. */
    private final int number;

    private SummaryLayout layout;
    private final long window;
    private final RowLimit limit;
    private final SummaryStore[] children;

    /** The store of the parent rows; null in a top-level summary. */
    private @Nullable SummaryStore above;

    /** The store that takes the updates of refused keys; null when these updates are refused, too. */
    private @Nullable SummaryStore overflow;

    /** The values of refused keys; null before the first refused key. */
    private @Nullable KeyCensus census;

    /** Whether a single row takes the updates of all keys; in a nested summary, a single row under each parent. */
    private final boolean keyless;

    private final byte[] noKey;
    private final long noKeyHash;

    private final int maxChunks;
    /** Number of slots in use in the last chunk. */
    private int slotsUsed;

    private boolean loading;
    private long rowCount;

    /** The value that {@link #since} set; 0 for a store that replaced no other store. */
    private int since;

    private long limitRejected;
    /** The account of bytes, which all stores nested in the same top-level store share. */
    private final ByteAccount account;

    /**
     * An empty partition of top-level summary {@code layout}. {@code code} updates its rows and was made for the same
     * layout.
     */
    public SummaryStore(SummaryLayout layout, RowCode.Tree code, RowLimit limit) {
        this(layout, code, limit, Integer.MAX_VALUE);
    }

    /** An empty partition whose tables have at most {@code maxChunks} chunks of rows. */
    SummaryStore(SummaryLayout layout, RowCode.Tree code, RowLimit limit, int maxChunks) {
        this(layout, code, limit, maxChunks, limit.newAccount(new Refusals()));
    }

    private SummaryStore(SummaryLayout layout, RowCode.Tree code, RowLimit limit, int maxChunks, ByteAccount account) {
        this(layout, limit, NO_WINDOW, maxChunks, account, new StoreTables(layout, code, account));
    }

    /** An empty partition of the window that starts at {@code window}. Its rows will be in {@code tables}. */
    SummaryStore(SummaryLayout layout, RowLimit limit, long window, StoreTables tables) {
        this(layout, limit, window, Integer.MAX_VALUE, limit.newAccount(tables.refusals()), tables);
    }

    private SummaryStore(
            SummaryLayout layout, RowLimit limit, long window, int maxChunks, ByteAccount account, StoreTables tables) {
        this.layout = layout;
        this.window = window;
        this.account = account;
        this.limit = limit;
        this.tables = tables;
        format = tables.format;
        rows = tables.rows;
        region = new ChunkedBytes.Region(account);
        slotsUsed = format.rowsPerChunk;
        // The largest id belongs to the last slot of the last chunk. This id plus one must fit an int.
        this.maxChunks = Math.min(maxChunks, (1 << (31 - format.slotBits)) - 1);
        keyless = layout.isKeyless();
        KeyBuffer nulls = nulls(layout, format.key, window);
        noKey = keyless ? encoded(nulls) : NONE;
        noKeyHash = nulls.hash();
        cells = tables.cells();
        number = tables.add(this, account);
        children = new SummaryStore[layout.nested().size()];
        for (int i = 0; i < children.length; i++) {
            children[i] = new SummaryStore(
                    layout.nested().get(i), limit.nested(i), window, maxChunks, account, tables.nested(i));
            children[i].above = this;
        }
    }

    /** The key of the single row of an overflow summary: all columns are null, except the window. */
    static KeyBuffer nulls(SummaryLayout layout, KeyLayout columns, long window) {
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
    static byte[] encoded(KeyBuffer key) {
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
        assert tables.isOwner() : tables.wrongThread();
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
        tables.ownedBy(owner);
    }

    /** The tables of the rows. */
    public StoreTables tables() {
        return tables;
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
        int row = tables.row(bytes, offset, -1);
        row = row >= 0 ? row : newRow(bytes, offset);
        return row >= 0 ? tables.apply(row, bytes, offset) : applyRefused(bytes, offset);
    }

    /**
     * Makes the row of a record, unless a bound does not allow it. There must be no such row.
     *
     * @return the row; -1 when it was refused
     */
    public int newRow(byte[] bytes, int offset) {
        int hash = RowIndex.mix(UpdateBatch.hash(bytes, offset), 0);
        return newRow(bytes, offset + UpdateBatch.KEY_OFFSET, hash, 0);
    }

    /** Whether there is an overflow store, which takes the records whose rows are refused. */
    public boolean hasOverflow() {
        return overflow != null;
    }

    /**
     * Applies a record whose row was refused to the overflow store, if there is one.
     *
     * @return false when a part of the record was refused by the overflow store, too, or if there is none
     */
    public boolean applyRefused(byte[] bytes, int offset) {
        long refusalsBefore = tables.refusals().count();
        int end = applyRefused(
                bytes,
                offset + tables.record().opsOf(bytes, offset),
                offset + Bytes.getInt(bytes, offset),
                Bytes.getLong(bytes, offset + UpdateBatch.STAMP_OFFSET));
        return end >= 0 && tables.refusals().count() == refusalsBefore;
    }

    /**
     * Applies the ops of a record, or of a nested block, whose row was refused: to the overflow store, if there is one.
     *
     * @param end end of the ops, unless a LEAVE ends the ops earlier
     * @return the place after the last op; -1 when there is no overflow store
     */
    int applyRefused(byte[] bytes, int ops, int end, long stamp) {
        SummaryStore other = overflow;
        return other == null ? -1 : updateOverflow(other, bytes, ops, end, stamp);
    }

    /**
     * Updates the row of overflow store {@code other}. If the account of {@code other} counts refusals during this
     * call, this store's account counts them, too. Both accounts belong to the same owner.
     */
    private int updateOverflow(SummaryStore other, byte[] bytes, int ops, int end, long stamp) {
        Refusals theirs = other.tables.refusals();
        long refusalsBefore = theirs.count();
        int at = other.tables.update(other.keylessRow(), bytes, ops, end, stamp);
        tables.refusals().add(theirs.count() - refusalsBefore);
        return at;
    }

    /** The single row of this overflow store, under the single row of each enclosing summary. */
    private int keylessRow() {
        assert keyless;
        return tables.rowFor(this, noKey, 0, noKeyHash, above == null ? 0 : above.keylessRow());
    }

    // Rows and keys

    /** Returns a row as {@link StoreTables#rowFor} does, for {@link StoreLoader}. */
    int loadRow(byte[] bytes, int key, long keyHash, int parent) {
        assert tables.isOwner() : tables.wrongThread();
        loading = true;
        account.loading(true);
        try {
            return tables.rowFor(this, bytes, key, keyHash, parent);
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
        assert tables.isOwner() : tables.wrongThread();
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
     * Grants one more row. A loaded row is granted even beyond the bound: it was granted before, perhaps in another
     * file, and the definitions or the configuration may have had another bound then.
     */
    private boolean isGranted() {
        if (loading) {
            limit.addAnyway();
            return true;
        }
        return limit.tryAdd();
    }

    /** The account of this store and of the stores nested in it. */
    ByteAccount account() {
        return account;
    }

    /**
     * Makes a row, unless a bound does not allow it.
     *
     * @param hash the hash in the index, from {@link RowIndex#mix}
     * @return the row; -1 when it was refused
     */
    int newRow(byte[] bytes, int key, int hash, int parent) {
        tables.sweep();
        return newRow(bytes, key, hash, parent, true);
    }

    private int newRow(byte[] bytes, int key, int hash, int parent, boolean indexed) {
        RowFormat format = this.format;
        boolean tooLong =
                format.tailOffset >= 0 && Bytes.getInt(bytes, key + format.key.fixedBytes()) == UpdateBatch.TOO_LONG;
        if (tooLong
                || (slotsUsed == format.rowsPerChunk && rows.isFull(maxChunks))
                // The row that takes the overflow is made even when the bounds allow no other row.
                || (!keyless && !account.hasRoomForRow())
                || !isGranted()) {
            if (!tooLong) {
                count(bytes, key);
            }
            if (overflow == null) {
                limitRejected++;
                tables.refusals().add();
            }
            return -1;
        }
        if (slotsUsed == format.rowsPerChunk) {
            int chunk = region.count() == 0 ? rows.appendSmall(region) : rows.append(region);
            tables.assign(chunk, number);
            slotsUsed = 0;
        }
        int chunkNumber = region.last();
        int slot = slotsUsed++;
        rowCount++;
        cells.enter(chunkNumber);
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
            tables.insert(hash, row);
        }
        return row;
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
     * Does the same as {@link #freeze(CutLease)}, for a cut of several stores without windows; those with windows are
     * frozen by {@link SummaryPartition#freeze(FrozenTables, long)}. All these stores are frozen into the same {@code
     * into}. The view is valid as soon as the caller has called {@link FrozenTables#add}. Cost: a view for
     * this store and each store nested in it, and 8 bytes for each of the {@link #notes}. While the lease holds, each
     * chunk of 16 KiB that is written is copied once.
     */
    public StoreView freeze(FrozenTables into) {
        return view(into, tables.freeze(into, false));
    }

    /** A view of all rows, including nested rows, from notes that begin with the note {@code first}. */
    StoreView view(FrozenTables into, int first) {
        List<StoreView> nested = List.of();
        if (children.length > 0) {
            nested = new ArrayList<>(children.length);
            int next = first + tables.ownNotes();
            for (SummaryStore child : children) {
                nested.add(child.view(into, next));
                next += child.notes();
            }
        }
        RowChunks chunks = new RowChunks(region.numbers(), region.count());
        return new StoreView(
                layout, window, format, tables.frozenSets(), into, first, chunks, rowCount, slotsUsed, nested);
    }

    /** Number of notes that {@link #freeze(FrozenTables)} makes. */
    public int notes() {
        return tables.notes();
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
        assert tables.isOwner() : tables.wrongThread();
        limit.release(this);
        account.release();
        if (window != NO_WINDOW) {
            leaveTables();
        }
    }

    private void leaveTables() {
        tables.remove(number, region);
        for (SummaryStore child : children) {
            child.leaveTables();
        }
    }

    /** Number of rows of this summary, without rows of nested summaries. */
    public long rows() {
        return rowCount;
    }

    /**
     * Number of observations that were lost because a sum was at its bound. Sums in nested summaries are not counted.
     */
    public long saturations() {
        return cells.region(number).saturations;
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

    /**
     * Bytes of rows, texts and sets, including nested summaries, but without memory that only views hold. If the
     * summary has no windows, the index is included; otherwise, the index belongs to the partition.
     */
    public long bytesUsed() {
        return bytesViewed() + (window == NO_WINDOW ? tables.indexBytes() : 0);
    }

    /**
     * The result of {@link #bytesUsed} without the bytes of the index. This is the memory that a view keeps after the
     * store is retired.
     */
    public long bytesViewed() {
        long bytes = region.allocatedBytes() + cells.region(number).bytesUsed();
        for (SummaryStore child : children) {
            bytes += child.bytesViewed();
        }
        return bytes;
    }
}
