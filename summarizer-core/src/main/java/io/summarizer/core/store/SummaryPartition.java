package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Refusals;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.FrozenTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a top-level summary: a single store; or, if the summary has windows, a store for each window that
 * has rows. A store has the rows of one window only, so a closed window can be removed from memory at once.
 *
 * <p>One thread at a time, as {@link SummaryStore} requires. The cost of an update's window is three comparisons. The
 * open windows are searched only when a row is made or refused.
 */
public final class SummaryPartition {
    private final RowCode.Tree code;
    private final RowLimit limit;
    /** The open windows of the summary; null if the summary has no windows. */
    private final @Nullable OpenWindows open;

    private SummaryLayout layout;

    /** The tables of all stores. */
    private StoreTables tables;

    /** The only store; null if the summary has windows. */
    private @Nullable SummaryStore single;

    /** Offset of the window's start in an update record; -1 if the summary has no windows. */
    private final int startOffset;
    /** Position of the key column with the start of the window. */
    private final int column;

    /**
     * The starts of the windows with rows, ascending; {@link #count} entries are in use. {@link #stores} has the stores
     * of these windows.
     */
    private long[] starts = new long[4];

    private @Nullable SummaryStore[] stores = new SummaryStore[4];
    private int count;
    /** The boundary: windows that begin earlier take no more updates. */
    private long boundary = ClosedWindows.NO_BOUNDARY;

    /** The partition that takes the updates of keys beyond the bound; null when these updates are refused. */
    private @Nullable SummaryPartition overflow;

    private @Nullable Thread owner;
    private int since;

    /**
     * Number of updates in {@link #tables} before the partition was last emptied by a reset, less the updates of
     * earlier partitions.
     */
    private long updatesBefore;

    /** The reason why an update belongs to no window. */
    public enum Refusal {
        /** The event has no time. */
        UNTIMED,
        /** The time of the event is too far ahead of its arrival. */
        EARLY,
        /** The window is closed. */
        LATE,
        /** There are too many open windows. */
        FULL
    }

    /**
     * An empty partition.
     *
     * @param open the open windows of the summary; null if the summary has no windows
     */
    SummaryPartition(SummaryLayout layout, RowCode.Tree code, RowLimit limit, @Nullable OpenWindows open) {
        this.layout = layout;
        this.code = code;
        this.limit = limit;
        this.open = open;
        SummaryWindow window = layout.window();
        column = window == null ? -1 : window.column();
        startOffset =
                window == null ? -1 : UpdateBatch.KEY_OFFSET + new KeyLayout(layout.keys()).offset(window.column());
        SummaryStore only = window == null ? new SummaryStore(layout, code, limit) : null;
        single = only;
        tables = only != null ? only.tables() : new StoreTables(layout, code, limit.newAccount(new Refusals()));
    }

    /** The only store of a partition without windows; null if the summary has windows. */
    public @Nullable SummaryStore single() {
        return single;
    }

    /** The tables of the rows. A partition without windows gets other tables at a reset. */
    public StoreTables tables() {
        return tables;
    }

    /**
     * Whether an update belongs to a window that is open, or may be opened; true if the summary has no windows. If not,
     * {@link #refusal} has the reason.
     *
     * @param record start of the record in {@code bytes}, in the layout of {@link UpdateBatch}
     */
    public boolean takes(byte[] bytes, int record) {
        if (single != null) {
            return true;
        }
        long start = start(bytes, record);
        return start >= boundary && start != SummaryWindow.EARLY && !isUntimed(bytes, record);
    }

    /**
     * The store of an update. Opens the window of the update if it is not open yet.
     *
     * @param record start of the record in {@code bytes}, in the layout of {@link UpdateBatch}
     * @return the store; null when the record belongs to no window. {@link #refusal} then has the reason
     */
    public @Nullable SummaryStore storeOf(byte[] bytes, int record) {
        SummaryStore only = single;
        return only != null ? only : takes(bytes, record) ? find(start(bytes, record), false) : null;
    }

    /** The reason why {@link #storeOf} returned null for a record. */
    public Refusal refusal(byte[] bytes, int record) {
        long start = start(bytes, record);
        return isUntimed(bytes, record)
                ? Refusal.UNTIMED
                : start == SummaryWindow.EARLY ? Refusal.EARLY : start < boundary ? Refusal.LATE : Refusal.FULL;
    }

    /** The start of the window of an update, in µs since the epoch. */
    public long start(byte[] bytes, int record) {
        return Bytes.getLong(bytes, record + startOffset);
    }

    private boolean isUntimed(byte[] bytes, int record) {
        return (bytes[record + UpdateBatch.KEY_OFFSET + (column >>> 3)] >>> (column & 7) & 1) != 0;
    }

    /**
     * The store for rows that are loaded. Opens the window even if there are too many open windows.
     *
     * @param window start of the window; {@link SummaryStore#NO_WINDOW} if the summary has no windows
     */
    public SummaryStore toLoad(long window) {
        SummaryStore only = single;
        if (only != null) {
            return only;
        }
        SummaryStore found = find(window, true);
        if (found == null) {
            throw new IllegalStateException("window " + window + " was not opened");
        }
        return found;
    }

    private @Nullable SummaryStore find(long start, boolean anyway) {
        int at = Arrays.binarySearch(starts, 0, count, start);
        if (at < 0) {
            OpenWindows windows = open;
            RowLimit ofWindow = windows == null ? null : windows.take(start, anyway);
            if (ofWindow == null) {
                return null;
            }
            at = ~at;
            insert(at, start, new SummaryStore(layout, ofWindow, start, tables));
        }
        return stores[at];
    }

    private void insert(int at, long start, SummaryStore store) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, 2 * count);
            stores = Arrays.copyOf(stores, 2 * count);
        }
        System.arraycopy(starts, at, starts, at + 1, count - at);
        System.arraycopy(stores, at, stores, at + 1, count - at);
        starts[at] = start;
        stores[at] = store;
        count++;
        store.since(since);
        link(store);
    }

    /** Sends the updates of keys beyond the bound to {@code other}, if {@code layout} says so. */
    public void overflowInto(SummaryLayout layout, @Nullable SummaryPartition other) {
        this.layout = layout;
        overflow = other;
        forEach(this::link);
    }

    private void link(SummaryStore store) {
        SummaryPartition other = overflow;
        store.overflowInto(layout, other == null ? null : other.toLoad(store.window()));
    }

    /** Windows that begin before {@code boundary} take no more updates. */
    public void closeBefore(long boundary) {
        this.boundary = Math.max(this.boundary, boundary);
    }

    /**
     * Visits the stores; those of windows by start. Another thread than the owner, such as one that reads a gauge, may
     * visit stores that were there a moment ago.
     */
    public void forEach(Consumer<SummaryStore> visitor) {
        SummaryStore only = single;
        if (only != null) {
            visitor.accept(only);
        }
        @Nullable SummaryStore[] stores = this.stores;
        for (int i = 0; i < Math.min(count, stores.length); i++) {
            SummaryStore store = stores[i];
            if (store != null) {
                visitor.accept(store);
            }
        }
    }

    /** The stores; those of windows by start. */
    public List<SummaryStore> stores() {
        List<SummaryStore> all = new ArrayList<>(Math.max(1, count));
        forEach(all::add);
        return all;
    }

    /** Declares the only thread that writes from now on, as {@link SummaryStore#ownedBy}. */
    public void ownedBy(@Nullable Thread owner) {
        this.owner = owner;
        tables.ownedBy(owner);
    }

    /**
     * Takes over the names of {@code layout}, as {@link SummaryStore#relabel} does, and the settings of {@code layout}
     * that determine when windows close.
     */
    public void relabel(SummaryLayout layout) {
        this.layout = layout;
        forEach(store -> store.relabel(layout));
    }

    /** Keeps the number that {@link CutLease#mark} returned when this partition replaced another partition. */
    public void since(int since) {
        this.since = since;
        forEach(store -> store.since(since));
    }

    /** Number of notes that {@link #freeze} makes. */
    public int notes() {
        return tables.notes();
    }

    /**
     * Views of the stores. The tables that they share are frozen once.
     *
     * @param before only windows that begin before this time; the greatest long for all windows
     */
    public List<StoreView> freeze(FrozenTables into, long before) {
        if (single == null && count == 0) {
            return List.of();
        }
        // Windows that begin before the boundary are closed.
        int first = tables.freeze(into, before <= boundary);
        List<StoreView> views = new ArrayList<>(Math.max(1, count));
        forEach(store -> {
            if (store.window() < before) {
                views.add(store.view(into, first));
            }
        });
        return views;
    }

    /** Views of all stores as they are now; valid as long as references to the views exist. */
    public List<StoreView> freeze() {
        FrozenTables into = new FrozenTables(CutLease.unmanaged(), notes());
        List<StoreView> views = freeze(into, Long.MAX_VALUE);
        into.add();
        return views;
    }

    /** Views of stores that were taken out, and that are not retired yet. */
    public List<StoreView> freeze(List<SummaryStore> taken, FrozenTables into) {
        if (taken.isEmpty()) {
            return List.of();
        }
        int first = taken.get(0).tables().freeze(into, true);
        return taken.stream().map(store -> store.view(into, first)).toList();
    }

    /**
     * Takes the stores out for a reset, and leaves an empty partition. Closed windows stay. The stores are not retired
     * yet.
     *
     * @param since the argument of {@link SummaryStore#since} for the stores that the partition will have
     */
    public List<SummaryStore> takeOpen(int since) {
        this.since = since;
        SummaryStore only = single;
        List<SummaryStore> taken;
        if (only == null) {
            taken = take(boundary, Long.MAX_VALUE);
        } else {
            taken = List.of(only);
            SummaryStore fresh = new SummaryStore(layout, code, limit);
            fresh.since(since);
            fresh.ownedBy(owner);
            single = fresh;
            tables = fresh.tables();
            link(fresh);
        }
        updatesBefore = tables.updates();
        return taken;
    }

    /** Takes out the stores of windows that begin before {@code before}. The stores are not retired yet. */
    public List<SummaryStore> takeBefore(long before) {
        return take(Long.MIN_VALUE, before);
    }

    private List<SummaryStore> take(long from, long before) {
        List<SummaryStore> taken = new ArrayList<>();
        int kept = 0;
        for (int i = 0; i < count; i++) {
            SummaryStore store = stores[i];
            if (store != null && starts[i] >= from && starts[i] < before) {
                taken.add(store);
            } else {
                starts[kept] = starts[i];
                stores[kept++] = store;
            }
        }
        Arrays.fill(stores, kept, count, null);
        count = kept;
        return taken;
    }

    /** Stops counting the rows and bytes of a store against the bounds. The store was taken out before. */
    public void retire(SummaryStore taken) {
        taken.retire();
        OpenWindows windows = open;
        if (windows != null) {
            windows.release(taken.window());
        }
    }

    /** Adds to {@link #updates} the number of an earlier partition whose rows this partition has. */
    public void addUpdates(long more) {
        updatesBefore -= more;
    }

    /** Number of row updates since the partition was last emptied by a reset. */
    public long updates() {
        return tables.updates() - updatesBefore;
    }

    /** Number of rows of this summary, without rows of nested summaries. */
    public long rows() {
        SummaryStore only = single;
        return only != null ? only.rows() : sum(SummaryStore::rows);
    }

    /** Bytes of all stores as in {@link SummaryStore#bytesUsed}, and of the index. */
    public long bytesUsed() {
        SummaryStore only = single;
        return only != null ? only.bytesUsed() : sum(SummaryStore::bytesUsed) + tables.indexBytes();
    }

    /** The sum of {@link SummaryStore#saturationsInAll} of the present stores, without stores that were taken out. */
    public long saturationsInAll() {
        SummaryStore only = single;
        return only != null ? only.saturationsInAll() : sum(SummaryStore::saturationsInAll);
    }

    private long sum(ToLongFunction<SummaryStore> of) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            SummaryStore store = stores[i];
            sum += store == null ? 0 : of.applyAsLong(store);
        }
        return sum;
    }
}
