package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.Verdicts;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.store.OpenWindows;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.window.LateUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The owner of a range of partitions, for a program that evaluates messages in other processes, with {@link
 * Evaluator}s. Used by one thread at a time; any thread may read a {@link Frozen} state.
 */
public final class RangeOwner {
    private final Generation generation;
    private final Partitions here;
    private final Ledger ledger;
    private final Faults faults = new Faults();
    private final Owner owner;
    private final CutMemory cutMemory;
    private final LateUpdates late = new LateUpdates();

    /**
     * An owner.
     *
     * @param state the summaries to begin with, empty or with rows. They have exactly the partitions of the range, and
     *     only this owner may use them from now on
     * @param ids the ids to begin with
     */
    public RangeOwner(Plan plan, PipelineOptions options, Summaries state, SavedIds ids) {
        here = state.here();
        Placement placement = new Placement(List.of(List.of()), 1);
        generation = Generation.first(plan, state, ids, options, 1, placement);
        ledger = new Ledger(1, 1, () -> generation.books);
        owner = new Owner(0, ledger, faults, RejectSink.NONE, generation, null);
        owner.countLate(late);
        cutMemory = new CutMemory(options.cutBytesMax());
    }

    /** The partitions of this owner. */
    public Partitions here() {
        return here;
    }

    /** Applies updates. All updates must be for partitions of this owner. */
    public void apply(UpdateBatch batch) {
        if (batch.limit() == 0) {
            return;
        }
        OwnerTask.Updates updates = new OwnerTask.Updates(batch);
        updates.verdicts = Verdicts.ofUpdates(Bytes.getLong(batch.bytes(), UpdateBatch.STAMP_OFFSET));
        owner.apply(updates);
    }

    /**
     * Declares that the windows of a summary that begin before {@code boundary} are closed and take no more updates.
     */
    public void closeBefore(int summary, long boundary) {
        generation.closeBefore(summary, boundary);
        perform(new OwnerTask.CloseWindows(summary, boundary, 1));
    }

    /** The boundary of the closed windows of a summary, as {@link Summaries#boundary} returns it. */
    public long boundary(int summary) {
        return generation.summaries.boundary(summary);
    }

    /** The starts of the windows of a summary that have rows, ascending; empty for a summary without windows. */
    public long[] windows(int summary) {
        OpenWindows open = generation.summaries.openWindows(summary);
        return open == null ? new long[0] : open.starts();
    }

    /** Removes the rows of the windows of a summary that begin before {@code before}. */
    public void dropBefore(int summary, long before) {
        CutLease lease = cutMemory.lease(CutLease.Kind.LAST);
        try {
            OwnerTask.DropWindows drop = new OwnerTask.DropWindows(summary, before, lease, 1);
            while (!owner.perform(drop)) {
                // Each call removes the windows from one partition.
            }
        } finally {
            lease.release();
        }
    }

    private void perform(OwnerTask.Control task) {
        if (!owner.perform(task)) {
            throw new IllegalStateException("a task of a single owner waits for other owners");
        }
    }

    /** Number of faults of this program that lost an update. Any thread. */
    public long faults() {
        return faults.count();
    }

    /**
     * The fates of updates so far, in the form of {@link Frozen#counts}. Any thread; approximate while updates are
     * applied.
     */
    public LedgerCounts counts() {
        return ledger.now();
    }

    /** Adds saved ids of one of the partitions. Call this method before the first update. */
    public void load(int partition, SavedIds saved) {
        generation.ids.load(partition, saved);
    }

    /**
     * Continues the numbers of late updates of an earlier owner. Numbers of summaries that are not defined any more are
     * left out. Call it before the first update.
     */
    public void restore(LateUpdates saved) {
        for (SummaryLayout summary : generation.plan.summaries()) {
            saved.of(summary.name()).forEach((start, count) -> late.add(summary.name(), start, count));
        }
    }

    /** Forgets the numbers of late updates of the windows of a summary that begin before {@code before}. */
    public void forgetLateBefore(int summary, long before) {
        late.forgetBefore(generation.plan.summaries().get(summary).name(), before);
    }

    /** Continues the counts of an earlier owner. Call it before the first update. */
    public void restore(LedgerCounts counts) {
        ledger.restore(counts);
    }

    /**
     * The state at this moment. The cost does not depend on the number of rows, because the result shares the memory of
     * the rows until the rows change.
     */
    public Frozen freeze() {
        CutLease lease = cutMemory.lease(CutLease.Kind.CHECKPOINT);
        OwnerTask.Barrier barrier = new OwnerTask.Barrier(
                lease,
                here,
                generation.overflows.length,
                generation.ids.tables(),
                1,
                OwnerTask.Scope.ALL,
                ledger.snapshot());
        try {
            perform(barrier);
            return new Frozen(generation, barrier, late.copy());
        } catch (RuntimeException | Error e) {
            lease.release();
            throw e;
        }
    }

    /**
     * The state of an owner at one moment. Any thread may read it until it is released. The rows of closed windows that
     * the owner still has are kept apart from all other rows.
     */
    public static final class Frozen {
        private final OwnerTask.Barrier barrier;
        private final Plan plan;
        private final SeenIds ids;
        /** For each summary, the boundary that was declared for it. Nothing is declared for an overflow summary. */
        private final long[] declared;
        /** For each summary, the boundary of its rows. */
        private final long[] boundaries;

        private final LedgerCounts counts;
        private final LateUpdates late;

        private Frozen(Generation generation, OwnerTask.Barrier barrier, LateUpdates late) {
            this.barrier = barrier;
            this.late = late;
            plan = generation.plan;
            ids = generation.ids;
            declared = generation.summaries.boundaries();
            boundaries = declared.clone();
            for (int summary = 0; summary < declared.length; summary++) {
                int overflow = generation.overflows[summary];
                if (overflow >= 0) {
                    boundaries[overflow] = declared[summary];
                }
            }
            counts = barrier.ledger.counts();
        }

        /**
         * Rows of one closed window.
         *
         * @param summary name of the summary
         * @param start start of the window, in µs since the epoch
         * @param end end of the window, in µs since the epoch
         * @param cut the rows of the window, including the rows of the summary's overflow
         */
        public record ClosedRows(String summary, long start, long end, Cut cut) {
            /** Number of rows of the summary itself, without nested summaries and overflow. */
            public long rows() {
                return cut.summary(summary).map(view -> view.rows(List.of())).orElse(0L);
            }
        }

        /**
         * The boundaries of the closed windows of all summaries. An overflow summary has the boundary of the summary
         * whose overflow it takes.
         */
        public long[] boundaries() {
            return boundaries.clone();
        }

        /** The fates of updates up to this moment. Refused updates are counted as fates of mappings. */
        public LedgerCounts counts() {
            return counts;
        }

        /** The number of late updates of each closed window up to this moment. Must not be changed. */
        public LateUpdates late() {
            return late;
        }

        /**
         * The rows of partitions {@code first} to {@code end - 1}, without closed windows.
         *
         * @param id id of the cut that is returned
         * @param takenAtMicros its time, in µs since the epoch
         */
        public Cut rows(int first, int end, long id, long takenAtMicros) {
            Partitions of = barrier.views.partitions().range(first, end);
            List<SummaryView> views = new ArrayList<>();
            for (int summary = 0; summary < boundaries.length; summary++) {
                long boundary = boundaries[summary];
                SummaryLayout layout = plan.summaries().get(summary);
                views.add(new SummaryView(
                        layout,
                        views(summary, of, view -> layout.window() == null || view.window() >= boundary),
                        0,
                        new ClosedWindows(declared[summary], List.of())));
            }
            return new Cut(id, takenAtMicros, views);
        }

        private List<StoreView> views(int summary, Partitions of, Predicate<StoreView> chosen) {
            List<StoreView> views = new ArrayList<>();
            for (int partition = of.first(); partition < of.end(); partition++) {
                List<StoreView> all = Objects.requireNonNull(barrier.views.get(summary, partition));
                all.stream().filter(chosen).forEach(views::add);
            }
            return views;
        }

        /** The ids of events that a partition has seen. */
        public Optional<CutPart> ids(int partition) {
            List<RecentIds.View> views = IntStream.range(0, barrier.ids.rows())
                    .mapToObj(table -> Objects.requireNonNull(barrier.ids.get(table, partition)))
                    .toList();
            return views.isEmpty() ? Optional.empty() : Optional.of(ids.view(views));
        }

        /** The closed windows whose rows the owner still has, by summary and start. */
        public List<ClosedRows> closed(long id, long takenAtMicros) {
            Map<String, TreeMap<Long, List<SummaryView>>> windows = new TreeMap<>();
            for (int summary = 0; summary < boundaries.length; summary++) {
                SummaryLayout layout = plan.summaries().get(summary);
                if (layout.window() == null) {
                    continue;
                }
                long boundary = boundaries[summary];
                TreeMap<Long, List<StoreView>> byStart = new TreeMap<>();
                views(summary, barrier.views.partitions(), view -> view.window() < boundary)
                        .forEach(view -> byStart.computeIfAbsent(view.window(), start -> new ArrayList<>())
                                .add(view));
                byStart.forEach((start, views) -> windows.computeIfAbsent(layout.overflowOf(), name -> new TreeMap<>())
                        .computeIfAbsent(start, same -> withoutRows(layout))
                        .add(new SummaryView(layout, views, 0)));
            }
            List<ClosedRows> closed = new ArrayList<>();
            windows.forEach((name, byStart) -> byStart.forEach((start, views) -> {
                SummaryWindow window =
                        Objects.requireNonNull(views.get(0).layout().window());
                closed.add(new ClosedRows(name, start, window.windows().end(start), new Cut(id, takenAtMicros, views)));
            }));
            return closed;
        }

        /**
         * Makes a list for the views of a closed window. The views that have rows are added to it later. For an
         * overflow summary, the list begins with an empty view of the summary whose overflow it takes, because a
         * partition may have overflow but no other row. For any other summary, the list is empty.
         */
        private List<SummaryView> withoutRows(SummaryLayout layout) {
            return plan.summaries().stream()
                    .filter(other -> layout.isKeyless() && other.name().equals(layout.overflowOf()))
                    .map(other -> new SummaryView(other, List.of(), 0))
                    .collect(Collectors.toCollection(ArrayList::new));
        }

        /** Releases the memory. Nothing of this state may be read afterwards. */
        public void release() {
            barrier.lease.release();
        }
    }
}
