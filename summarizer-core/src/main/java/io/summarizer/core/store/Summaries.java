package io.summarizer.core.store;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.bytes.Opaque;
import io.summarizer.core.sketch.DistinctCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All state. For each top-level summary, this object has the bound on rows, the partitions, and the number of updates.
 * A pipeline takes this object over at its start, when the summaries are either empty or filled from state files.
 *
 * <p>One thread at a time writes a store, as {@link SummaryStore} requires, and only this thread replaces the store.
 * The thread that fills this object sets all other data before a pipeline takes this object over. After that, one
 * thread at a time closes windows and changes bounds.
 */
public final class Summaries {
    private final List<SummaryLayout> layouts;
    private final List<RowCode.Tree> codes;
    private final long maxRows;
    private final ByteBudget budget;
    private final List<RowLimit> limits = new ArrayList<>();
    private final PartitionTable<SummaryPartition> partitions;
    /** For each summary, its open windows; null for a summary without windows. */
    private final List<@Nullable OpenWindows> open = new ArrayList<>();

    private final int maxWindows;
    private final long[] updates;
    private final long[] boundaries;
    /** For each summary, whether {@link #addBoundary} was called. */
    private final boolean[] boundaryAdded;

    private long lastStamp;

    /**
     * Makes empty summaries.
     *
     * @param layouts top-level summaries
     * @param codes for each top-level summary, the code that updates its rows
     * @param maxRows bound on the rows of each summary; for a nested summary, the rows under all parent rows count
     *     together
     */
    public Summaries(List<SummaryLayout> layouts, List<RowCode.Tree> codes, long maxRows) {
        this(Partitions.ALL, layouts, codes, maxRows, OpenWindows.DEFAULT_MAX, ByteBudget.unbounded());
    }

    /**
     * Makes empty summaries as {@link #Summaries(List, List, long)} does.
     *
     * @param here the partitions of each summary
     * @param maxWindows bound on the open windows of each summary
     * @param budget bound on the bytes of all summaries
     */
    public Summaries(
            Partitions here,
            List<SummaryLayout> layouts,
            List<RowCode.Tree> codes,
            long maxRows,
            int maxWindows,
            ByteBudget budget) {
        this.maxWindows = maxWindows;
        this.budget = budget;
        this.layouts = List.copyOf(layouts);
        this.codes = new ArrayList<>(codes);
        this.maxRows = maxRows;
        partitions = new PartitionTable<>(here, layouts.size(), SummaryPartition[]::new);
        updates = new long[layouts.size()];
        boundaries = new long[layouts.size()];
        boundaryAdded = new boolean[layouts.size()];
        Arrays.fill(boundaries, ClosedWindows.NO_BOUNDARY);
        for (int summary = 0; summary < updates.length; summary++) {
            RowLimit limit = RowLimit.of(layouts.get(summary), maxRows, budget);
            limits.add(limit);
            open.add(layouts.get(summary).window() == null ? null : new OpenWindows(limit, maxWindows));
            for (int partition = here.first(); partition < here.end(); partition++) {
                partitions.set(
                        summary,
                        partition,
                        new SummaryPartition(layouts.get(summary), codes.get(summary), limit, open.get(summary)));
            }
        }
    }

    /**
     * Makes the summaries of other definitions. Kept summaries have their present stores, code and bounds; all other
     * summaries are empty. This call changes nothing in the present summaries. After this call, two steps remain. The
     * threads that write kept summaries change names that differ ({@link SummaryStore#relabel}), and the caller changes
     * the bounds ({@link #takeBounds}).
     *
     * @param kept for each of {@code layouts}, its position in these summaries, or -1
     */
    public Summaries successor(List<SummaryLayout> layouts, List<RowCode.Tree> codes, int[] kept) {
        Summaries next = new Summaries(here(), layouts, codes, maxRows, maxWindows, budget);
        next.lastStamp = lastStamp;
        for (int summary = 0; summary < kept.length; summary++) {
            if (kept[summary] >= 0) {
                next.codes.set(summary, this.codes.get(kept[summary]));
                next.limits.set(summary, limits.get(kept[summary]));
                next.open.set(summary, open.get(kept[summary]));
                next.boundaries[summary] = boundaries[kept[summary]];
                next.partitions.setRow(summary, partitions, kept[summary]);
            }
        }
        return next;
    }

    /** Gives kept summaries the bounds of these definitions. */
    public void takeBounds() {
        for (int summary = 0; summary < updates.length; summary++) {
            limits.get(summary).become(layouts.get(summary), maxRows);
            OpenWindows windows = open.get(summary);
            if (windows != null) {
                windows.become(layouts.get(summary));
            }
        }
    }

    /** The partitions of each summary. */
    public Partitions here() {
        return partitions.partitions();
    }

    /** Shapes of the top-level summaries. */
    public List<SummaryLayout> layouts() {
        return layouts;
    }

    /** The bound on the bytes of all summaries, together with other state that counts against this bound. */
    public ByteBudget budget() {
        return budget;
    }

    /** The bound on rows of a summary. */
    public RowLimit limit(int summary) {
        return limits.get(summary);
    }

    /** One partition of a summary. */
    public SummaryPartition partition(int summary, int partition) {
        return Objects.requireNonNull(partitions.get(summary, partition));
    }

    /** The store of one partition of a summary without windows. */
    public SummaryStore store(int summary, int partition) {
        return Objects.requireNonNull(partition(summary, partition).single());
    }

    /** All partitions of all summaries. */
    public PartitionTable<SummaryPartition> partitions() {
        return partitions;
    }

    /** The open windows of a summary; null if the summary has no windows. */
    public @Nullable OpenWindows openWindows(int summary) {
        return open.get(summary);
    }

    /**
     * Estimates the number of different values of a key column among the keys that were refused since the summary was
     * last empty. Used for gauges. Any thread may call this method.
     *
     * @param path positions of nested summaries, from the outermost on
     */
    public long refusedKeys(int summary, List<Integer> path, int column) {
        DistinctCounter counter = new DistinctCounter();
        partitions.forEach(
                summary,
                (row, number, partition) -> partition.forEach(top -> {
                    SummaryStore store = top;
                    for (int position : path) {
                        store = store.nested(position);
                    }
                    store.addRefusedKeys(column, counter);
                }));
        return counter.estimate();
    }

    /** Number of pairs of event and mapping that were applied to a summary before this object was made. */
    public long updates(int summary) {
        return updates[summary];
    }

    /** Adds to the number that {@link #updates} returns. */
    public void addUpdates(int summary, long more) {
        updates[summary] += more;
    }

    /** The boundary of the closed windows of a summary; see {@link ClosedWindows#boundary}. Any thread. */
    public long boundary(int summary) {
        return Opaque.get(boundaries, summary);
    }

    /** The boundaries of all summaries. */
    public long[] boundaries() {
        return IntStream.range(0, boundaries.length).mapToLong(this::boundary).toArray();
    }

    /**
     * Declares that the windows of a summary that begin before {@code boundary} are closed. Each thread that writes
     * partitions has to close these windows in its partitions, too, as soon as it has the partitions.
     */
    public void closeBefore(int summary, long boundary) {
        Opaque.set(boundaries, summary, Math.max(boundaries[summary], boundary));
    }

    /**
     * Takes over the boundary of a state that was added. If several states are added, the least boundary remains,
     * because windows after this boundary may be open in the state with this boundary.
     */
    public void addBoundary(int summary, long boundary) {
        boundaries[summary] = boundaryAdded[summary] ? Math.min(boundaries[summary], boundary) : boundary;
        boundaryAdded[summary] = true;
    }

    /** The greatest arrival stamp that any first or last cell may hold; new messages must get higher stamps. */
    public long lastStamp() {
        return lastStamp;
    }

    /** Records that a first or last cell may hold this stamp. */
    public void seenStamp(long stamp) {
        lastStamp = Math.max(lastStamp, stamp);
    }

    /** A view of all summaries, for state that no pipeline owns. */
    public Cut freeze(long id, long takenAtMicros) {
        List<SummaryView> views = new ArrayList<>();
        for (int summary = 0; summary < updates.length; summary++) {
            List<StoreView> all = new ArrayList<>();
            partitions.forEach(summary, (row, number, partition) -> all.addAll(partition.freeze()));
            views.add(new SummaryView(
                    layouts.get(summary), all, updates[summary], new ClosedWindows(boundaries[summary], List.of())));
        }
        return new Cut(id, takenAtMicros, views);
    }
}
