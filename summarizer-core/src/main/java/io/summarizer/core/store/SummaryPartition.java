package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
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
 * <p>One thread at a time, as {@link SummaryStore} requires. The cost of finding the store of an update is one
 * comparison if the summary has no windows. If it has windows, the window's start is compared with the start for the
 * previous update; if they differ, the open windows are searched.
 */
public final class SummaryPartition {
    private final RowCode.Tree code;
    private final RowLimit limit;
    /** The open windows of the summary; null if the summary has no windows. */
    private final @Nullable OpenWindows open;

    private SummaryLayout layout;
    private final boolean nesting;

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
    /**
     * Starts of windows that were looked up. The place of a start is {@link #placeOf}; {@link SummaryStore#NO_WINDOW}
     * stands for none. An update that itself has this start is always late.
     */
    private long[] knownStarts = {SummaryStore.NO_WINDOW};

    /** The stores of the windows in {@link #knownStarts}. */
    private @Nullable SummaryStore[] knownStores = new SummaryStore[1];

    /** The boundary: windows that begin earlier take no more updates. */
    private long boundary = ClosedWindows.NO_BOUNDARY;

    /** The partition that takes the updates of keys beyond the bound; null when these updates are refused. */
    private @Nullable SummaryPartition overflow;

    private @Nullable Thread owner;
    private int since;

    /** Number of updates of stores that were taken out. */
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
        nesting = !layout.nested().isEmpty();
        SummaryWindow window = layout.window();
        column = window == null ? -1 : window.column();
        startOffset =
                window == null ? -1 : UpdateBatch.KEY_OFFSET + new KeyLayout(layout.keys()).offset(window.column());
        single = window == null ? new SummaryStore(layout, code, limit) : null;
    }

    /** The only store of a partition without windows; null if the summary has windows. */
    public @Nullable SummaryStore single() {
        return single;
    }

    /** Whether the summary has nested summaries. */
    public boolean isNesting() {
        return nesting;
    }

    /**
     * The store of the window of an update, for a summary with windows. Opens the window if it is not open yet.
     *
     * @param record start of the record in {@code bytes}, in the layout of {@link UpdateBatch}
     * @return the store; null when the record belongs to no window. {@link #refusal} then has the reason
     */
    public @Nullable SummaryStore storeOf(byte[] bytes, int record) {
        long start = Bytes.getLong(bytes, record + startOffset);
        int place = placeOf(start);
        return knownStarts[place] == start ? knownStores[place] : otherStoreOf(start, bytes, record);
    }

    private int placeOf(long start) {
        return (int) ((start * 0x9E3779B97F4A7C15L) >>> 32) & (knownStarts.length - 1);
    }

    /** Looks up a window that is not among the known ones. */
    private @Nullable SummaryStore otherStoreOf(long start, byte[] bytes, int record) {
        if (start < boundary || start == SummaryWindow.EARLY || isUntimed(bytes, record)) {
            return null;
        }
        SummaryStore store = find(start, false);
        // An update without a time has the start 0, too. So the window that starts at 0 is looked up each time.
        if (store != null && start != 0) {
            int place = placeOf(start);
            knownStarts[place] = start;
            knownStores[place] = store;
        }
        return store;
    }

    /** The reason why {@link #storeOf} returned null for a record. */
    public Refusal refusal(byte[] bytes, int record) {
        long start = Bytes.getLong(bytes, record + startOffset);
        return isUntimed(bytes, record)
                ? Refusal.UNTIMED
                : start == SummaryWindow.EARLY ? Refusal.EARLY : start < boundary ? Refusal.LATE : Refusal.FULL;
    }

    /** The start of the window of an update that was refused as {@link Refusal#LATE}, in µs since the epoch. */
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
            insert(at, start, new SummaryStore(layout, code, ofWindow, start, count == 0 ? null : stores[0]));
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
        if (2 * count > knownStarts.length) {
            knownStarts = new long[2 * knownStarts.length];
            knownStores = new SummaryStore[knownStarts.length];
            forgetKnown();
        }
        store.since(since);
        store.ownedBy(owner);
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
        forgetKnown();
    }

    private void forgetKnown() {
        Arrays.fill(knownStarts, SummaryStore.NO_WINDOW);
        Arrays.fill(knownStores, null);
    }

    /** Visits the stores; those of windows by start. */
    public void forEach(Consumer<SummaryStore> visitor) {
        SummaryStore only = single;
        if (only != null) {
            visitor.accept(only);
        }
        for (int i = 0; i < count; i++) {
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
        forEach(store -> store.ownedBy(owner));
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
        SummaryStore any = single != null ? single : stores[0];
        return any == null ? 0 : any.notes();
    }

    /**
     * Views of the stores, as {@link SummaryStore#freeze(FrozenTables)} makes them.
     *
     * @param before only windows that begin before this time; the greatest long for all windows
     */
    public List<StoreView> freeze(FrozenTables into, long before) {
        SummaryStore only = single;
        if (only != null) {
            return List.of(only.freeze(into));
        }
        List<SummaryStore> frozen = new ArrayList<>(count);
        forEach(store -> {
            if (store.window() < before) {
                frozen.add(store);
            }
        });
        return views(frozen, into, before <= boundary);
    }

    /** Views of stores that were taken out, and that are not retired yet. */
    public List<StoreView> freeze(List<SummaryStore> taken, FrozenTables into) {
        return views(taken, into, true);
    }

    private static List<StoreView> views(List<SummaryStore> stores, FrozenTables into, boolean finished) {
        if (stores.isEmpty()) {
            return List.of();
        }
        SummaryStore any = stores.get(0);
        int first = finished ? any.noteTables(into) : any.freezeTables(into);
        List<StoreView> views = new ArrayList<>(stores.size());
        stores.forEach(store -> views.add(store.view(into, first)));
        return views;
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
            link(fresh);
        }
        updatesBefore = 0;
        updatesBefore = -updates();
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
                updatesBefore += store.updates();
            } else {
                starts[kept] = starts[i];
                stores[kept++] = store;
            }
        }
        Arrays.fill(stores, kept, count, null);
        count = kept;
        forgetKnown();
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

    /** Number of row updates since the partition was last emptied by a reset. */
    public long updates() {
        SummaryStore only = single;
        return updatesBefore + (only != null ? only.updates() : sum(SummaryStore::updates));
    }

    /** Number of rows of this summary, without rows of nested summaries. */
    public long rows() {
        SummaryStore only = single;
        return only != null ? only.rows() : sum(SummaryStore::rows);
    }

    /** Bytes as in {@link SummaryStore#bytesUsed}. */
    public long bytesUsed() {
        SummaryStore only = single;
        return only != null ? only.bytesUsed() : sum(SummaryStore::bytesUsed);
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
