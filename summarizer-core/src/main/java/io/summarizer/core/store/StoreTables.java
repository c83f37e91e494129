package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Refusals;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one partition of a summary: the index, the chunks of rows, and the arenas of texts and sets to which
 * rows refer. Finds and updates rows. Nested summaries have nested tables.
 *
 * <p>There is no object per key or row: rows are in chunks of bytes, in the layout of {@link RowFormat}. The methods of
 * {@link Cells} add observations to the cells that {@link RowCode} chooses.
 *
 * <p>If the summary has windows, the stores of all windows share the tables; the key of a row has the start of its
 * window. An update of an existing row needs no store. It would have to wait for the store's memory, because a thousand
 * stores do not fit into the processor's caches. A {@link SummaryStore} makes new rows, in regions of its own, so the
 * rows of a closed window are removed at once. Only the index keeps their ids for some time: when stores make rows,
 * they remove these ids, segment by segment. Until then, no new chunk gets the number of a removed chunk, so these ids
 * lead to no row. All windows together have 2^31 ids of rows, 8 GiB of sets for each arena, and 32 GiB of texts.
 *
 * <p>Used by the thread that writes the stores. {@code io.summarizer.bench.store.RowUpdateBenchmark} measures the cost.
 *
 * <p>This class has more than 500 lines, because index, rows and nested tables take part in each update.
 */
public final class StoreTables {
    /** Number of bytes that one cache miss loads on most current processors; some load twice as many. */
    private static final int CACHE_LINE = 64;

    final RowFormat format;
    final ChunkedBytes rows;
    private final RowCode code;
    private final Cells cells;
    private final RecordFormat record;
    private final StoreTables[] nested;
    /** For each column that has sets, in the order of columns, the arena of its sets. */
    private final MultisetArena[] setsByNumber;
    /** For each column that has sets, in the order of columns, the offset of its cell in a row. */
    private final int[] setCells;
    /** All arenas of sets, each once. */
    private final MultisetArena[] arenas;
    /** For each column that has sets, the data with which a view of the rows finds the column's sets. */
    private final List<FrozenSet> frozenSets;

    private final ByteAccount account;
    /** The refusals of all stores, and of the stores nested in them. */
    private final Refusals refusals;

    private RowIndex index;
    /** {@link RowIndex#only} of the index, and the mask of its slots. */
    private long @Nullable [] segment;

    private int segmentMask;
    private long updates;

    /** In a nested summary: whether each parent has a single row, which takes the updates of all keys. */
    private final boolean keyless;

    private final byte[] noKey;
    private final long noKeyHash;

    /** The stores by number; null where a number is free. */
    private @Nullable SummaryStore[] stores = new SummaryStore[1];

    private int storeCount;

    /** The chunks that were removed, but whose rows may be in the index. */
    private final BitSet gone = new BitSet();
    /** The regions of these chunks that will not be in the index any more when the present sweep ends. */
    private List<ChunkedBytes.Region> sweeping = List.of();
    /** The other regions of these chunks. */
    private List<ChunkedBytes.Region> waiting = new ArrayList<>();
    /** The regions that are not in the index any more, and whose numbers were not recycled yet. */
    private final List<ChunkedBytes.Region> swept = new ArrayList<>();

    private @Nullable Thread owner;

    /**
     * The data that a view needs to read a column's sets. A view has no reference to the arena itself, because such a
     * reference would keep the arena's chunks in memory longer than the cut.
     *
     * @param column the value column
     * @param arena position of the column's arena in {@link #arenas}
     */
    record FrozenSet(int column, int arena, MultisetArena.Parameters parameters) {}

    /**
     * Tables without rows.
     *
     * @param code updates the rows, and was made for the same layout
     * @param account charged for the index; has the {@link #refusals}
     */
    StoreTables(SummaryLayout layout, RowCode.Tree code, ByteAccount account) {
        this(layout, code, account, false);
    }

    private StoreTables(SummaryLayout layout, RowCode.Tree code, ByteAccount account, boolean isNested) {
        this.account = account;
        this.code = code.rows();
        refusals = account.refusals();
        format = new RowFormat(layout, isNested);
        record = new RecordFormat(layout);
        rows = new ChunkedBytes(format.chunkBytes, ByteAccount.unbounded());
        List<ValueColumn> columns = layout.values();
        // For each value column, the arena of the column's sets. Columns with the same parameters share an arena.
        @Nullable MultisetArena[] sets = new MultisetArena[columns.size()];
        cells = new Cells(sets, refusals);
        int distinct = 0;
        for (int i = 0; i < sets.length; i++) {
            ValueColumn column = columns.get(i);
            if (column.type() == AggregateType.MULTISET64) {
                MultisetArena shared = withSameParameters(sets, columns, i);
                sets[i] = shared != null
                        ? shared
                        : new MultisetArena(column.log2m(), column.regwidth(), cells::setsOf, distinct++);
            }
        }
        int[] setColumns = IntStream.range(0, sets.length)
                .filter(column -> sets[column] != null)
                .toArray();
        setsByNumber = Arrays.stream(setColumns)
                .mapToObj(column -> Objects.requireNonNull(sets[column]))
                .toArray(MultisetArena[]::new);
        setCells = Arrays.stream(setColumns).map(format::cell).toArray();
        List<MultisetArena> arenas = Arrays.stream(setsByNumber).distinct().toList();
        this.arenas = arenas.toArray(MultisetArena[]::new);
        frozenSets = IntStream.range(0, setColumns.length)
                .mapToObj(i ->
                        new FrozenSet(setColumns[i], arenas.indexOf(setsByNumber[i]), setsByNumber[i].parameters()))
                .toList();
        index = new RowIndex(account);
        keepSegment();
        keyless = layout.isKeyless();
        KeyBuffer nulls = SummaryStore.nulls(layout, format.key, SummaryStore.NO_WINDOW);
        noKey = keyless ? SummaryStore.encoded(nulls) : new byte[0];
        noKeyHash = nulls.hash();
        nested = new StoreTables[layout.nested().size()];
        for (int i = 0; i < nested.length; i++) {
            nested[i] = new StoreTables(layout.nested().get(i), code.nested().get(i), account, true);
        }
    }

    private static @Nullable MultisetArena withSameParameters(
            @Nullable MultisetArena[] sets, List<ValueColumn> columns, int column) {
        for (int i = 0; i < column; i++) {
            if (sets[i] != null
                    && columns.get(i).log2m() == columns.get(column).log2m()
                    && columns.get(i).regwidth() == columns.get(column).regwidth()) {
                return sets[i];
            }
        }
        return null;
    }

    /** The tables of the nested summary with this position. */
    StoreTables nested(int position) {
        return nested[position];
    }

    /** The layout of records of this summary. */
    public RecordFormat record() {
        return record;
    }

    /** The cells of the rows, for {@link RowCode}. */
    public Cells cells() {
        return cells;
    }

    /** The refusals of all stores, and of the stores nested in them. */
    Refusals refusals() {
        return refusals;
    }

    List<FrozenSet> frozenSets() {
        return frozenSets;
    }

    /** Number of row updates so far: the number of records and nested blocks whose row was found or made. */
    public long updates() {
        return updates;
    }

    /** Bytes of the index, and of the indexes of nested tables. */
    long indexBytes() {
        long bytes = index.allocatedBytes();
        for (StoreTables table : nested) {
            bytes += table.indexBytes();
        }
        return bytes;
    }

    /** Does {@link SummaryStore#ownedBy} for all stores. */
    void ownedBy(@Nullable Thread owner) {
        this.owner = owner;
        for (StoreTables table : nested) {
            table.ownedBy(owner);
        }
    }

    /** Whether the calling thread may write the stores. */
    boolean isOwner() {
        return owner == null || owner == Thread.currentThread();
    }

    /** Says why {@link #isOwner} is false. */
    String wrongThread() {
        return "owner is " + owner + ", not " + Thread.currentThread();
    }

    // Prefetches

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
     * hash. The row may have another key with the same hash, or may be gone; {@link #row} compares the keys.
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

    /** Whether keys have texts, which are not in the rows themselves. */
    boolean hasTextKeys() {
        return format.tailOffset >= 0;
    }

    /**
     * Prefetches the texts of a row's key, as {@link #prefetchRow} prefetches a row. Call this method when the row is
     * in the processor's cache, and only if {@link #hasTextKeys}.
     */
    int prefetchTexts(int row) {
        return cells.texts.prefetch(Bytes.getInt(
                rows.readable(row >>> format.slotBits), (row & format.slotMask) * format.width + format.tailOffset));
    }

    /** Number of columns that are multisets. */
    int multisets() {
        return setCells.length;
    }

    /**
     * The place of a multiset of a row. Call this method when the row is in the processor's cache.
     *
     * @param number position of the column among the multiset columns, from 0 on; may be beyond the last column
     * @return a place for {@link #prefetchSet}, or {@link MultisetArena#NO_PLACE} when there is nothing to prefetch
     */
    long placeOfSet(int row, int number) {
        MultisetArena[] sets = setsByNumber;
        if (number >= sets.length) {
            return MultisetArena.NO_PLACE;
        }
        int cell = (row & format.slotMask) * format.width + setCells[number];
        return sets[number].placeOf(Bytes.getInt(rows.readable(row >>> format.slotBits), cell));
    }

    /**
     * Prefetches a multiset, as {@link #prefetchRow} prefetches a row. The place is a result of {@link #placeOfSet},
     * other than {@link MultisetArena#NO_PLACE}.
     */
    int prefetchSet(int number, long place) {
        return setsByNumber[number].prefetch(place);
    }

    /** Whether the summary has nested summaries. */
    boolean isNesting() {
        return nested.length > 0;
    }

    /**
     * Adds the nested rows of a record to {@code into}.
     *
     * @param start start of the record in {@code bytes}
     * @param row the row of the record
     */
    void addNestedRows(byte[] bytes, int start, int row, RowPrefetch into) {
        int end = start + Bytes.getInt(bytes, start);
        for (int at = start + record.opsOf(bytes, start); at < end; ) {
            int column = Bytes.getShort(bytes, at);
            int operand = at + Short.BYTES;
            if (column < UpdateBatch.ENTER) {
                at = record.operandEnd(column, bytes, operand);
            } else {
                StoreTables below = nested[column & ~UpdateBatch.ENTER];
                into.addNested(below, Bytes.getLong(bytes, operand), row);
                at = below.record.blockEnd(bytes, operand);
            }
        }
    }

    // Updates

    /** Whether two records of this summary have the same key. The caller has checked that their hashes are equal. */
    public boolean isSameKey(byte[] bytes, int offset, int other) {
        int key = offset + UpdateBatch.KEY_OFFSET;
        int otherKey = other + UpdateBatch.KEY_OFFSET;
        return code.hasKey(bytes, otherKey - format.keyOffset, bytes, key) && record.isSameTail(bytes, key, otherKey);
    }

    /**
     * The row of a record; -1 when there is none.
     *
     * @param likelyRow the result of {@link RowPrefetch#likelyRow} for the record, or -1; there may be more rows since
     *     then
     */
    public int row(byte[] bytes, int offset, int likelyRow) {
        assert isOwner() : wrongThread();
        int key = offset + UpdateBatch.KEY_OFFSET;
        return likelyRow >= 0 && hasKey(likelyRow, bytes, key, 0)
                ? likelyRow
                : find(bytes, key, RowIndex.mix(UpdateBatch.hash(bytes, offset), 0), 0);
    }

    /**
     * Applies a record whose row is known.
     *
     * @param row the result of {@link #row} for this record, or for another record with the same key; not -1
     * @return false when a part of the record was refused: a nested row, a text, or an addition to a set
     */
    public boolean apply(int row, byte[] bytes, int offset) {
        long refusalsBefore = refusals.count();
        int unused = update(
                row,
                bytes,
                offset + record.opsOf(bytes, offset),
                offset + Bytes.getInt(bytes, offset),
                Bytes.getLong(bytes, offset + UpdateBatch.STAMP_OFFSET));
        return refusals.count() == refusalsBefore;
    }

    /**
     * Applies all records of a run to their row.
     *
     * @param row the result of {@link #row} for one of the records; not -1
     * @return false when parts of some records were refused: {@link UpdateRun#takeRefused} tells which
     */
    public boolean apply(int row, UpdateRun run) {
        assert isOwner() : wrongThread();
        updates += run.count();
        run.ops(record.opsOf(run.bytes(), run.record(0)));
        long refusalsBefore = refusals.count();
        int number = row >>> format.slotBits;
        cells.enter(number);
        code.update(this, row, rows.writable(number), baseOf(row), run);
        return refusals.count() == refusalsBefore;
    }

    /**
     * Applies a nested block to the nested summary at {@code position}: updates the nested row with the block's key
     * under parent {@code row}. The hash of the key is at {@code at}; the key and the ops follow. Called by {@link
     * RowCode}.
     *
     * @return the place after the block's LEAVE
     */
    public int enter(int position, int row, byte[] bytes, int at, int end, long stamp) {
        return nested[position].applyNested(this, position, row, bytes, at, end, stamp);
    }

    private int applyNested(StoreTables above, int position, int parent, byte[] bytes, int at, int end, long stamp) {
        int key = at + Long.BYTES;
        int ops = key + record.keyLength(bytes, key);
        int row = keyless
                ? rowBelow(above, position, noKey, 0, noKeyHash, parent)
                : rowBelow(above, position, bytes, key, Bytes.getLong(bytes, at), parent);
        if (row >= 0) {
            return update(row, bytes, ops, end, stamp);
        }
        int next = above.storeOf(parent).nested(position).applyRefused(bytes, ops, end, stamp);
        return next < 0 ? record.blockEnd(bytes, at) : next;
    }

    private int rowBelow(StoreTables above, int position, byte[] bytes, int key, long keyHash, int parent) {
        int hash = RowIndex.mix(keyHash, parent);
        int row = find(bytes, key, hash, parent);
        return row >= 0 ? row : above.storeOf(parent).nested(position).newRow(bytes, key, hash, parent);
    }

    /** Applies ops to a row. Returns the place after the last op, as {@link RowCode#update} does. */
    int update(int row, byte[] bytes, int from, int end, long stamp) {
        updates++;
        int number = row >>> format.slotBits;
        cells.enter(number);
        return code.update(this, row, rows.writable(number), baseOf(row), bytes, from, end, stamp);
    }

    // Rows

    /**
     * Returns the row with the key at {@code key} under this parent; {@code store} makes the row if necessary. Returns
     * -1 when the row may not be made.
     */
    int rowFor(SummaryStore store, byte[] bytes, int key, long keyHash, int parent) {
        int hash = RowIndex.mix(keyHash, parent);
        int row = find(bytes, key, hash, parent);
        return row >= 0 ? row : store.newRow(bytes, key, hash, parent);
    }

    /** Returns the row with the key at {@code key} under this parent; -1 when there is none. */
    private int find(byte[] bytes, int key, int hash, int parent) {
        long[] segment = segment(hash);
        int mask = RowIndex.mask(segment);
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            long slot = segment[i];
            if (slot == 0 || (RowIndex.isOf(slot, hash) && hasKey(RowIndex.row(slot), bytes, key, parent))) {
                return RowIndex.row(slot);
            }
        }
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

    /** The chunk of a row, writable. */
    byte[] chunkOf(int row) {
        return rows.writable(row >>> format.slotBits);
    }

    /** Start of a row in its chunk. */
    int baseOf(int row) {
        return (row & format.slotMask) * format.width;
    }

    /** The calls of {@link #cells} from now on are about this row. */
    void enter(int row) {
        cells.enter(row >>> format.slotBits);
    }

    /** The store that made a row. */
    private SummaryStore storeOf(int row) {
        return Objects.requireNonNull(stores[cells.regionOf(row >>> format.slotBits)]);
    }

    /** Adds the row that a store has just made to the index. */
    void insert(int hash, int row) {
        index.insert(hash, row);
        keepSegment();
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

    // Stores

    /** Adds a store; returns its number, which is the number of its region in {@link #cells}. */
    int add(SummaryStore store, ByteAccount account) {
        int number = cells.add(account, arenas);
        if (number >= stores.length) {
            stores = Arrays.copyOf(stores, Math.max(2 * stores.length, number + 1));
        }
        stores[number] = store;
        storeCount++;
        return number;
    }

    /** The rows of a new chunk belong to the store with this number. */
    void assign(int chunk, int number) {
        cells.assign(chunk, number);
    }

    /**
     * Removes a store with all its rows, texts and sets. Views still have them. Not called between a prefetch and the
     * updates of the rows: a row that was prefetched may be gone, but its chunk's number must not be in use again.
     */
    void remove(int number, ChunkedBytes.Region region) {
        recycle();
        stores[number] = null;
        storeCount--;
        cells.release(number, arenas);
        rows.drop(region);
        if (region.count() > 0) {
            for (int i = 0; i < region.count(); i++) {
                gone.set(region.numbers()[i]);
            }
            waiting.add(region);
        }
        if (storeCount == 0) {
            account.add(-index.accountedBytes());
            index = new RowIndex(account);
            keepSegment();
            swept.addAll(sweeping);
            swept.addAll(waiting);
            sweeping = List.of();
            waiting = new ArrayList<>();
            recycle();
        } else if (sweeping.isEmpty()) {
            endSweep();
        }
    }

    /** New chunks may get the numbers of chunks that are not in the index any more. */
    private void recycle() {
        for (ChunkedBytes.Region region : swept) {
            for (int i = 0; i < region.count(); i++) {
                gone.clear(region.numbers()[i]);
            }
            rows.recycle(region);
        }
        swept.clear();
    }

    /** Removes ids of rows that are gone from the next segment of the index. Called before a row is made or refused. */
    void sweep() {
        if (!sweeping.isEmpty()) {
            if (index.sweep(gone, format.slotBits)) {
                endSweep();
            }
            keepSegment();
        }
    }

    /** Ends a sweep, and begins one for the chunks that wait. */
    private void endSweep() {
        swept.addAll(sweeping);
        sweeping = waiting;
        waiting = new ArrayList<>();
    }

    // Notes

    /** Number of notes that {@link #freeze} makes, with those of nested tables. */
    int notes() {
        int notes = ownNotes();
        for (StoreTables table : nested) {
            notes += table.notes();
        }
        return notes;
    }

    /** Number of notes that {@link #freeze} makes for these tables. The notes of nested tables come after them. */
    int ownNotes() {
        return 2 + arenas.length * MultisetArena.NOTES;
    }

    /**
     * Freezes these tables and the nested tables, as {@link ChunkedBytes#freeze(FrozenTables, boolean)}. Returns the
     * number of the first note, for {@link SummaryStore#view}.
     *
     * @param finished whether the stores of the views are not written any more
     */
    int freeze(FrozenTables into, boolean finished) {
        assert isOwner() : wrongThread();
        int first = rows.freeze(into, finished);
        cells.texts.freeze(into, finished);
        for (MultisetArena arena : arenas) {
            arena.freeze(into, finished);
        }
        for (StoreTables table : nested) {
            table.freeze(into, finished);
        }
        return first;
    }
}
