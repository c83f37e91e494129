package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.WindowFilesFit;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.store.OpenWindows;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.InputName;
import io.summarizer.core.window.WindowInput;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cuts, resets and reloads: operations on all rows at one point of the stream. Each operation closes the gate, delivers
 * a task to all owners, and opens the gate again. Each owner performs the task after the updates of all processed
 * messages. The operation waits until the last owner has performed the task.
 *
 * <p>One operation runs at a time. Any thread that may block can call an operation, except the threads of the pipeline.
 *
 * <p>This class has more than 500 lines, because all operations follow one protocol and exclude each other.
 */
final class CutCoordinator {
    private final Flow flow;
    private final Placement placement;
    private final Ledger ledger;
    private final PipelineFailure failure;
    private final CutMemory cutMemory;

    /** The files of closed windows. */
    private volatile ClosedFiles files = ClosedFiles.NONE;

    /** The generation in force; replaced under the monitor, while the gate is closed. */
    private volatile Generation generation;

    /** Number of reloads and resets. */
    private final AtomicLong changes = new AtomicLong();

    /**
     * Place in the journal up to which all messages were offered to their pipelines. Written by the one thread that
     * offers them.
     */
    private volatile long handedOver;

    /**
     * Id of the last cut. Ids start at the current time, so no cut of this process has the same id as a cut of an
     * earlier process.
     */
    private long cuts = System.currentTimeMillis();

    private boolean closed;

    CutCoordinator(
            Flow flow,
            Placement placement,
            Generation generation,
            Ledger ledger,
            PipelineFailure failure,
            CutMemory cutMemory) {
        this.flow = flow;
        this.placement = placement;
        this.generation = generation;
        this.ledger = ledger;
        this.failure = failure;
        this.cutMemory = cutMemory;
    }

    /** Everything that depends on the definitions in force. Any thread. */
    Generation generation() {
        return generation;
    }

    /** Number of reloads, resets, and changes of closed windows. Any thread. */
    long changes() {
        return changes.get() + files.version();
    }

    /** Does the work of {@link Pipeline#handedOver}. */
    void handedOver(long endSequence) {
        handedOver = Math.max(handedOver, endSequence);
    }

    /** Does the work of {@link Pipeline#cut(CutLease.Kind)}. */
    synchronized Cut cut(CutLease.Kind kind) throws InterruptedException {
        requireOpen();
        return cut(kind, OwnerTask.Scope.ALL);
    }

    /** Does the work of {@link Pipeline#reset}. */
    synchronized Optional<Cut> reset(String summary) throws InterruptedException {
        int number = generation.summary(summary);
        if (number < 0) {
            return Optional.empty();
        }
        requireOpen();
        long bytes = publishedBytes(IntStream.of(number));
        if (!cutMemory.hasRoomToRetire(bytes)) {
            throw new ResetRefusedException("cuts of earlier resets, reloads or windows hold "
                    + cutMemory.retiredBytes() + " bytes, and with the " + bytes
                    + " of this summary cuts would hold more than they may (cuts.memory)");
        }
        return Optional.of(cut(CutLease.Kind.LAST, new OwnerTask.Scope(number, Long.MAX_VALUE, true)));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the pipeline is closed");
        }
        failure.check();
    }

    /** Bytes of these summaries, as the owners last published them. */
    private long publishedBytes(IntStream summaries) {
        List<OwnerGauges> owners = flow.published();
        return summaries
                .mapToLong(summary -> owners.stream()
                        .mapToLong(owner -> owner.stateBytes(summary))
                        .sum())
                .sum();
    }

    private Cut cut(CutLease.Kind kind, OwnerTask.Scope scope) throws InterruptedException {
        CutLease lease = cutMemory.lease(kind);
        try {
            return cut(lease, scope);
        } catch (InterruptedException | RuntimeException | Error e) {
            lease.release();
            throw e;
        }
    }

    private Cut cut(CutLease lease, OwnerTask.Scope scope) throws InterruptedException {
        Generation generation = this.generation;
        OwnerTask.Barrier barrier;
        long[] applied;
        long takenAt;
        List<Long> positions;
        try {
            closeGate();
            failure.check(); // a dying thread reports before it leaves the gate; it may have applied half a batch
            takenAt = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            applied = generation.books.applied();
            barrier = new OwnerTask.Barrier(
                    lease,
                    generation.summaries.here(),
                    generation.overflows.length,
                    generation.ids.tables(),
                    placement.owners(),
                    scope,
                    ledger.snapshot());
            positions = flow.positions(handedOver);
            flow.deliver(barrier);
        } finally {
            flow.gate().open();
        }
        Waiting.uninterruptibly(() -> failure.untilDown(barrier.arrived));
        long[] updates = generation.books.updates(applied, barrier.refusedUpdates);
        long id = ++cuts;
        LedgerCounts counts = barrier.ledger.counts();
        List<CutPart> parts = new ArrayList<>(List.of(counts));
        if (barrier.ids.rows() > 0) {
            parts.add(generation.ids.view(barrier.ids.cells()));
        }
        int only = scope.summary();
        IntStream viewed = only < 0
                ? IntStream.range(0, updates.length)
                : IntStream.of(only, generation.overflows[only]).filter(summary -> summary >= 0);
        List<SummaryView> views =
                viewed.mapToObj(summary -> view(summary, updates, barrier)).toList();
        if (!scope.empties()) {
            return new Cut(id, takenAt, views, lease, positions, parts);
        }
        // The stores count the updates of an overflow, so nothing is left to subtract when they are empty.
        boolean isOverflow = views.get(0).layout().isKeyless();
        generation.books.reset(
                only, isOverflow ? only : generation.overflows[only], isOverflow ? 0 : updates[only], counts);
        changes.incrementAndGet();
        return Cut.last(id, takenAt, views, lease, positions, parts);
    }

    /**
     * Closes the gate and waits until no worker is inside. The caller has to open the gate again, also when this method
     * throws.
     */
    private void closeGate() throws InterruptedException {
        flow.gate().close();
        failure.untilSoonTrue(flow.gate()::isEmpty);
    }

    private SummaryView view(int summary, long[] updates, OwnerTask.Barrier barrier) {
        List<StoreView> rows =
                barrier.views.row(summary).stream().flatMap(List::stream).toList();
        SummaryLayout layout = generation.plan.summaries().get(summary);
        return new SummaryView(layout, rows, updates[summary], closed(summary, layout, rows, barrier));
    }

    /**
     * The closed windows that are in files but not in {@code rows}. Their files are kept until the lease is released.
     */
    private ClosedWindows closed(int summary, SummaryLayout layout, List<StoreView> rows, OwnerTask.Barrier barrier) {
        if (layout.window() == null) {
            return ClosedWindows.NONE;
        }
        long boundary = generation.summaries.boundary(summary);
        if (barrier.scope.summary() >= 0) {
            return new ClosedWindows(boundary, List.of());
        }
        ClosedFiles.Held held = files.hold(layout.overflowOf());
        barrier.lease.whenReleased(held.release());
        Set<Long> inMemory = rows.stream().map(StoreView::window).collect(Collectors.toSet());
        return new ClosedWindows(
                boundary,
                (layout.isKeyless() ? held.overflow() : held.files())
                        .stream()
                                .filter(file -> !inMemory.contains(file.start()))
                                .toList());
    }

    /** Does the work of {@link Pipeline#useFiles}. */
    void files(ClosedFiles files) {
        this.files = files;
    }

    /** Does the work of {@link Pipeline#windows}. */
    List<WindowProgress> windows() {
        Generation generation = this.generation;
        List<Traffic> traffic = flow.traffic();
        List<WindowProgress> windows = new ArrayList<>();
        for (int summary = 0; summary < generation.overflows.length; summary++) {
            SummaryLayout layout = generation.plan.summaries().get(summary);
            OpenWindows open = generation.summaries.openWindows(summary);
            SummaryWindow window = layout.window();
            if (window == null || open == null || layout.isKeyless()) {
                continue;
            }
            Map<String, Long> progress = new HashMap<>();
            int worker = 0;
            for (int pipeline = 0; pipeline < traffic.size(); pipeline++) {
                for (int end = worker + traffic.get(pipeline).processors(); worker < end; worker++) {
                    long seen = generation.progress(worker, summary);
                    if (seen != WindowInput.NONE) {
                        progress.merge(InputName.ofPipeline(pipeline), seen, Math::max);
                    }
                }
            }
            generation.partitions(
                    summary, (partition, seen) -> progress.merge(InputName.of(partition), seen, Math::max));
            windows.add(new WindowProgress(
                    layout.name(),
                    window,
                    generation.summaries.boundary(summary),
                    Arrays.stream(open.starts()).boxed().toList(),
                    progress));
        }
        return windows;
    }

    /** Does the work of {@link Pipeline#closeWindows}. */
    synchronized Optional<Pipeline.Closed> closeWindows(String summary, long before) throws InterruptedException {
        int number = generation.summary(summary);
        SummaryWindow window =
                number < 0 ? null : generation.plan.summaries().get(number).window();
        OpenWindows open = number < 0 ? null : generation.summaries.openWindows(number);
        if (window == null || open == null || before <= generation.summaries.boundary(number)) {
            return Optional.empty();
        }
        requireOpen();
        long boundary = generation.summaries.boundary(number);
        OwnerTask.CloseWindows task = new OwnerTask.CloseWindows(number, before, placement.owners());
        List<Long> positions;
        try {
            closeGate();
            failure.check();
            positions = flow.positions(handedOver);
            flow.deliver(task);
            generation.closeBefore(number, before);
        } finally {
            flow.gate().open();
        }
        Waiting.uninterruptibly(() -> failure.untilDown(task.arrived));
        changes.incrementAndGet();
        List<Long> starts = Arrays.stream(open.starts())
                .filter(start -> start >= boundary && start < before)
                .boxed()
                .toList();
        return Optional.of(new Pipeline.Closed(window, boundary, starts, positions));
    }

    /** Does the work of {@link Pipeline#closing}. */
    synchronized Optional<Cut> closing(String summary) throws InterruptedException {
        int number = generation.summary(summary);
        if (number < 0 || generation.summaries.openWindows(number) == null) {
            return Optional.empty();
        }
        requireOpen();
        long boundary = generation.summaries.boundary(number);
        return Optional.of(cut(CutLease.Kind.LAST, new OwnerTask.Scope(number, boundary, false)));
    }

    /** Does the work of {@link Pipeline#dropWindows}. */
    synchronized void dropWindows(String summary, long before) throws InterruptedException {
        int number = generation.summary(summary);
        if (number < 0 || generation.summaries.openWindows(number) == null) {
            return;
        }
        requireOpen();
        CutLease lease = cutMemory.lease(CutLease.Kind.LAST);
        try {
            OwnerTask.DropWindows task = new OwnerTask.DropWindows(
                    number, Math.min(before, generation.summaries.boundary(number)), lease, placement.owners());
            try {
                closeGate();
                failure.check();
                flow.deliver(task);
            } finally {
                flow.gate().open();
            }
            Waiting.uninterruptibly(() -> failure.untilDown(task.arrived));
            changes.incrementAndGet();
        } finally {
            lease.release();
        }
        cutMemory.revokeRetired();
    }

    /** Does the work of {@link Pipeline#match}. */
    LayoutMatch checkedMatch(List<SummaryLayout> next) throws ReloadRefusedException {
        LayoutMatch match = match(next);
        if (!match.refusals().isEmpty()) {
            throw new ReloadRefusedException(match);
        }
        refuseWhatFilesDoNotFit(match);
        refuseToHoldTooMuch(match);
        refuseToLoadTooMuch(match);
        return match;
    }

    private LayoutMatch match(List<SummaryLayout> next) {
        Generation now = generation;
        return LayoutMatch.of(
                now.plan.summaries(),
                new LayoutMatch.RowCounts() {
                    @Override
                    public long of(int summary, List<Integer> path) {
                        return now.rows(summary, path);
                    }

                    @Override
                    public boolean hasFiles(int summary) {
                        SummaryLayout layout = now.plan.summaries().get(summary);
                        return files.boundary(layout.overflowOf()) != ClosedWindows.NO_BOUNDARY;
                    }
                },
                next,
                "in the service");
    }

    /** Does the work of {@link Pipeline#reload}. */
    synchronized Pipeline.Reload reload(Plan next) throws ReloadRefusedException, InterruptedException {
        requireOpen();
        LayoutMatch match = checkedMatch(next.summaries());
        CutLease lease = cutMemory.lease(CutLease.Kind.LAST);
        try {
            Generation successor =
                    generation.next(next, match, flow.processors().size(), placement);
            return switchTo(successor, match, closeAgain(successor, match), lease);
        } finally {
            lease.release();
        }
    }

    /**
     * Closes windows of new summaries up to the latest window with a file. Such files were left by an earlier summary
     * of the same name. The windows are closed because only a closed window may have a file.
     */
    private Map<String, Long> closeAgain(Generation next, LayoutMatch match) {
        Map<String, Long> closed = new TreeMap<>();
        for (int summary = 0; summary < match.to().size(); summary++) {
            SummaryLayout layout = match.to().get(summary);
            long boundary = files.boundary(layout.overflowOf());
            if (layout.window() != null && match.source(summary) < 0 && boundary != ClosedWindows.NO_BOUNDARY) {
                next.closeBefore(summary, boundary);
                closed.put(layout.overflowOf(), boundary);
            }
        }
        return closed;
    }

    /** Refuses definitions that do not fit the files of closed windows, of this or an earlier summary of the name. */
    private void refuseWhatFilesDoNotFit(LayoutMatch match) throws ReloadRefusedException {
        for (int summary = 0; summary < match.to().size(); summary++) {
            SummaryLayout layout = match.to().get(summary);
            int source = match.source(summary);
            String problem = source < 0 ? files.problem(layout) : "";
            if (problem.isEmpty() && layout.window() != null) {
                SummaryLayout before = source < 0 ? null : match.from().get(source);
                problem = WindowFilesFit.problem(layout, before, files.layouts(layout.name()));
            }
            if (!problem.isEmpty()) {
                throw new ReloadRefusedException(match, problem);
            }
        }
    }

    /** Refuses a reload when held cuts would take too much memory. Held cuts keep the stores that a reload retires. */
    private void refuseToHoldTooMuch(LayoutMatch match) throws ReloadRefusedException {
        Set<Integer> kept = IntStream.range(0, match.to().size())
                .filter(summary -> match.outcome(summary) == LayoutMatch.Outcome.KEPT)
                .mapToObj(match::source)
                .collect(Collectors.toSet());
        long bytes = publishedBytes(IntStream.range(0, match.from().size()).filter(summary -> !kept.contains(summary)));
        if (bytes > 0 && !cutMemory.hasRoomToRetire(bytes)) {
            throw new ReloadRefusedException(
                    match,
                    "cuts still hold " + cutMemory.retiredBytes()
                            + " bytes of rows that earlier reloads and resets removed; this reload would add "
                            + bytes + " bytes, which is more than cuts may hold (cuts.memory); try again"
                            + " when pulls have released their cuts");
        }
    }

    /**
     * Refuses a reload when the heap is too small for the copies. A reload copies one summary after the other. The rows
     * of the summary that is being copied exist twice, in the old and in the new layout.
     */
    private void refuseToLoadTooMuch(LayoutMatch match) throws ReloadRefusedException {
        long bytes = IntStream.range(0, match.to().size())
                .filter(summary -> match.outcome(summary) == LayoutMatch.Outcome.REBUILT)
                .mapToLong(summary -> publishedBytes(IntStream.of(match.source(summary))))
                .max()
                .orElse(0);
        ByteBudget budget = generation.summaries.budget();
        if (bytes > 0 && budget.used() + bytes > budget.loadedMax()) {
            throw new ReloadRefusedException(
                    match,
                    "the state has " + budget.used() + " bytes, and rows of " + bytes
                            + " bytes would be laid out anew and be in memory twice meanwhile, more than the "
                            + budget.loadedMax()
                            + " bytes that this heap has room for; start with a larger one (-Xmx)");
        }
    }

    /**
     * Waits until the updates of all processed messages are applied, and then repeats the match, if a reload changes
     * the windows or the limit of a summary. Windows may change only while the summary has no rows, but updates may
     * have made rows since the first match. A new limit is in force at once, so it would refuse updates that came
     * before. Called while the gate is closed. Returns the last match.
     */
    private LayoutMatch matchAgain(LayoutMatch match) throws ReloadRefusedException, InterruptedException {
        if (!match.changesWindows() && !match.changesLimits()) {
            return match;
        }
        OwnerTask.CloseWindows nothing = new OwnerTask.CloseWindows(0, ClosedWindows.NO_BOUNDARY, placement.owners());
        flow.deliver(nothing);
        failure.untilDown(nothing.arrived);
        LayoutMatch again = match(match.to());
        if (!again.refusals().isEmpty()) {
            throw new ReloadRefusedException(again);
        }
        return again;
    }

    private Pipeline.Reload switchTo(Generation next, LayoutMatch match, Map<String, Long> closed, CutLease lease)
            throws ReloadRefusedException, InterruptedException {
        OwnerTask.Switch task = new OwnerTask.Switch(next, match, lease, placement.owners());
        Generation ended = generation;
        long start = System.nanoTime();
        List<Long> positions;
        LayoutMatch last;
        try {
            closeGate();
            failure.check();
            last = matchAgain(match);
            positions = flow.positions(handedOver);
            next.follow(ended, match);
            flow.deliver(task);
            next.summaries.takeBounds();
            flow.processors().forEach(processor -> processor.use(next));
            generation = next;
            changes.incrementAndGet();
        } finally {
            flow.gate().open();
            if (generation != next) {
                next.ids.retire();
            }
        }
        long reopened = System.nanoTime();
        Waiting.uninterruptibly(() -> failure.untilDown(task.arrived));
        // An owner may have opened a window with the bound of the old definitions at the very moment of the first call.
        next.summaries.takeBounds();
        ended.ids.retire();
        return new Pipeline.Reload(last, reopened - start, System.nanoTime() - start, positions, closed);
    }

    /** Does the work of {@link Pipeline#drain}. */
    void drain() throws InterruptedException {
        flow.drain();
        synchronized (this) {
            // As many batches are processed as were handed over before, but these may be other batches. A worker may
            // still process an earlier batch, so wait for the workers at the gate.
            if (!closed) {
                try {
                    closeGate();
                } finally {
                    flow.gate().open();
                }
            }
        }
    }

    /** Does the work of {@link Pipeline#close}. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            flow.close();
        }
    }
}
