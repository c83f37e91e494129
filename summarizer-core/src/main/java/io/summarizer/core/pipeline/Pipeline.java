package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.bytes.CutMemory;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.ArrivalClock;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.state.LayoutMatch;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The engine: message batches in, summaries kept, consistent cuts out.
 * <pre>
 *   receivers --offer--> parse queue --poll--> parser workers --put--> owner queues --poll--> owners
 *                                                 (gate)                                     (stores)
 * </pre>
 * or, in the modes without queues, receivers --offer--> (gate) --> stores under locks.
 *
 * <p>Receivers may call from any thread and never wait for room in {@link #offer}. {@link #cut}, {@link #drain} and
 * {@link #close} block and belong to other threads than this pipeline's and than event loops.
 */
public final class Pipeline implements BatchSink, AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long FAILURE_CHECK_MS = 100;

    private final LaneTopics lanes;
    private final Placement placement;
    private final Flow flow;

    /** Replaced under the cut lock, while the gate is closed. */
    private volatile Generation generation;

    private final MessagePool messagePool;
    private final ThreadLocal<BatchSplitter> splitter;
    private final PipelineCounters counters = new PipelineCounters();
    private final Ledger ledger;
    private final PipelineFailure failure = new PipelineFailure();
    private final ArrivalClock clock;

    private final CutMemory cutMemory;
    private final Object cutLock = new Object();
    /** Id of the last cut. From the clock on, so that an id of an earlier process never names a cut of this one. */
    private long cuts = System.currentTimeMillis();

    /** Place in the journal up to which all messages were offered to their lanes. Written by the one thread that does so. */
    private volatile long handedOver;

    private boolean closed;

    private final AtomicLong reloads = new AtomicLong();

    private Pipeline(Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries, SavedIds savedIds) {
        boolean queued = options.mode() == PipelineMode.QUEUED;
        int processors = queued ? QueuedFlow.workers(options) : options.receivers();
        lanes = LaneTopics.of(options.lanes());
        placement = new Placement(
                options.lanes().stream().map(PipelineOptions.Lane::topics).toList(),
                queued
                        ? options.lanes().stream()
                                .mapToInt(lane -> lane.summarize().workers())
                                .toArray()
                        : new int[] {InlineFlow.stripes(options.mode())});
        Generation generation = Generation.first(plan, summaries, savedIds, options, processors, placement);
        this.generation = generation;
        ledger = new Ledger(processors, placement.owners(), () -> this.generation);
        cutMemory = new CutMemory(options.cutBytesMax());
        clock = new ArrivalClock(Math.max(summaries.lastStamp(), savedIds.lastStamp()));
        int batches = processors + 16;
        if (queued) {
            batches += options.lanes().stream()
                    .mapToInt(lane -> lane.parse().capacity())
                    .sum();
        }
        messagePool = new MessagePool(batches, options.batchMessages());
        TopicRouter.Table routes = placement.routes();
        splitter = ThreadLocal.withInitial(() ->
                new BatchSplitter(routes.newRouter(), options.lanes().size(), options.batchMessages(), messagePool));
        flow = queued
                ? new QueuedFlow(options, placement, generation, messagePool, ledger, counters, failure, rejects)
                : new InlineFlow(options, placement, generation, messagePool, ledger, counters, failure, rejects);
    }

    /** Starts a pipeline; its threads run until {@link #close}. */
    public static Pipeline start(Plan plan, PipelineOptions options, RejectSink rejects) {
        return start(plan, options, rejects, newSummaries(plan, options));
    }

    /** No state yet for the summaries of {@code plan}, with the bounds of {@code options}. */
    public static Summaries newSummaries(Plan plan, PipelineOptions options) {
        return new Summaries(
                plan.summaries(),
                Generation.codes(plan),
                options.maxRows(),
                ByteBudget.ofState(options.stateBytesMax()));
    }

    /** No state yet for the summaries of {@code plan}, whose bytes nothing bounds. */
    public static Summaries newSummaries(Plan plan, long maxRows) {
        return new Summaries(plan.summaries(), Generation.codes(plan), maxRows);
    }

    /** Starts a pipeline that goes on from what is in {@code summaries}, which are its own from now on. */
    public static Pipeline start(Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries) {
        return start(plan, options, rejects, summaries, SavedIds.none());
    }

    /** As {@link #start(Plan, PipelineOptions, RejectSink, Summaries)}, with the ids of the events that made that state. */
    public static Pipeline start(
            Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries, SavedIds savedIds) {
        if (!summaries.layouts().equals(plan.summaries())) {
            throw new IllegalArgumentException("the state to start with was made for other definitions");
        }
        Pipeline pipeline = new Pipeline(plan, options, rejects, summaries, savedIds);
        pipeline.flow.start();
        return pipeline;
    }

    @Override
    public MessageBatch acquire() {
        return messagePool.acquire();
    }

    @Override
    public void release(MessageBatch batch) {
        messagePool.release(batch);
    }

    @Override
    public void drop(MessageBatch batch) {
        ledger.received(batch.listener(), -batch.count());
        messagePool.release(batch);
    }

    @Override
    public void split(MessageBatch batch, Consumer<MessageBatch> parts) {
        stamp(batch);
        ledger.received(batch.listener(), batch.count());
        splitter.get().split(batch, parts);
    }

    @Override
    public boolean offer(MessageBatch batch) {
        stamp(batch);
        return flow.offer(batch);
    }

    /**
     * Hands a filled batch over, waiting for room: for readers of files and of the journal, never for event loops. Journalled
     * batches have to come from one thread at a time, in the order of the journal; {@link Cut#positions()} are of these.
     */
    public void put(MessageBatch batch) throws InterruptedException {
        put(batch, () -> {});
    }

    /**
     * As {@link #put(MessageBatch)}.
     *
     * @param whileWaiting called every 100 µs or so for as long as there is no room
     */
    public void put(MessageBatch batch, Runnable whileWaiting) throws InterruptedException {
        boolean journalled = batch.firstSequence() >= 0;
        long end = batch.endSequence();
        if (journalled) {
            clock.seen(batch.firstStamp() + end - batch.firstSequence());
        }
        List<MessageBatch> parts = new ArrayList<>();
        split(batch, parts::add);
        for (MessageBatch part : parts) {
            putPart(part, whileWaiting);
        }
        if (journalled) {
            handedOver(end);
        }
    }

    /**
     * Says that all messages before a place in the journal were handed over, or need not be, as what this pipeline began with
     * has them. For the thread that puts journalled batches.
     */
    public void handedOver(long endSequence) {
        handedOver = Math.max(handedOver, endSequence);
    }

    private void putPart(MessageBatch part, Runnable whileWaiting) throws InterruptedException {
        while (true) {
            failure.check(); // the threads that would make room may be dead
            if (offer(part)) {
                return;
            }
            whileWaiting.run();
            LockSupport.parkNanos(RETRY_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /**
     * Gives the messages of a whole batch their arrival stamps, unless it has them: {@link #split} does so, but who journals a
     * batch before has to do so itself. Any thread.
     */
    public void stamp(MessageBatch batch) {
        if (batch.firstStamp() == 0) {
            batch.firstStamp(clock.claim(Math.max(1, batch.count())));
        }
    }

    @Override
    public void onRoom(MessageBatch batch, Runnable resume) {
        flow.onRoom(batch.lane(), resume);
    }

    /** The definitions in force. */
    public Plan plan() {
        return generation.plan;
    }

    /** What gives messages their stamps; for who has to do so before they come here. */
    public ArrivalClock clock() {
        return clock;
    }

    /** Which topics go along which lane. */
    public LaneTopics lanes() {
        return lanes;
    }

    /** How often definitions were replaced. */
    public long reloads() {
        return reloads.get();
    }

    /** What was counted so far. */
    public PipelineCounters counters() {
        return counters;
    }

    /** What became of each message so far. */
    public Ledger ledger() {
        return ledger;
    }

    /**
     * Has the ledger go on from what an earlier process counted up to the state that this pipeline began with; what was in flight
     * then is not counted, as it comes again or never will. Before anything is handed over.
     */
    public void restore(LedgerCounts counts) {
        synchronized (cutLock) {
            ledger.restore(counts);
        }
    }

    /**
     * Counts messages as received and lost: the journal took them, and they cannot be read from it any more.
     *
     * @param listener number of the listener that took them, or a negative number when that is not known
     */
    public void lost(int listener, long messages) {
        synchronized (cutLock) {
            ledger.lost(listener, messages);
        }
    }

    /**
     * Completed with its cause when a thread of this pipeline has died of a fault. Nothing is processed from then on:
     * {@link #offer} takes batches until the queue is full, all else throws. The process should end.
     */
    public CompletableFuture<Throwable> failure() {
        return failure.cause().copy();
    }

    /** How full the queues are; the same queues for as long as the pipeline runs. */
    public List<QueueGauge> queues() {
        List<QueueGauge> queues = new ArrayList<>();
        flow.queues(queues::add);
        return queues;
    }

    /**
     * Rows of a summary (no fields) or of one nested in it, as of now: for gauges, which need no cut. 0 when there is none of
     * this name any more; growing anew while the rows of a summary are laid out for other definitions.
     *
     * @param fields names of nested summaries, from the outermost on
     */
    public long rows(String summary, List<String> fields) {
        Generation generation = this.generation;
        int number = generation.summary(summary);
        if (number < 0) {
            return 0;
        }
        RowLimit limit = generation.summaries.limit(number);
        SummaryLayout layout = generation.plan.summaries().get(number);
        for (String field : fields) {
            List<String> names =
                    layout.nested().stream().map(SummaryLayout::name).toList();
            int position = names.indexOf(field);
            if (position < 0) {
                return 0;
            }
            limit = limit.nested(position);
            layout = layout.nested().get(position);
        }
        return layout.isKeyless() ? Math.min(limit.rows(), 1) : limit.rows();
    }

    /**
     * What a summary has of its bound on bytes, about, and what that bound is: for gauges. Empty when there is no such summary, or no
     * such bound.
     */
    public Optional<ByteBudget> bytes(String summary) {
        Generation generation = this.generation;
        int number = generation.summary(summary);
        return number < 0
                ? Optional.empty()
                : Optional.of(generation.summaries.limit(number).bytes()).filter(ByteBudget::isBounded);
    }

    /**
     * About how many different values a key column of a summary, or of one nested in it, had in keys that found no room, since the
     * summary was empty: for gauges. 0 when all keys did, or there is no such column.
     */
    public long refusedKeys(String summary, List<String> fields, String column) {
        Generation generation = this.generation;
        int number = generation.summary(summary);
        if (number < 0) {
            return 0;
        }
        SummaryLayout layout = generation.plan.summaries().get(number);
        List<Integer> path = new ArrayList<>();
        for (String field : fields) {
            int position =
                    layout.nested().stream().map(SummaryLayout::name).toList().indexOf(field);
            if (position < 0) {
                return 0;
            }
            path.add(position);
            layout = layout.nested().get(position);
        }
        int key = layout.keys().stream()
                .map(SummaryLayout.KeyColumn::name)
                .toList()
                .indexOf(column);
        return key < 0 ? 0 : generation.summaries.refusedKeys(number, path, key);
    }

    /** About as many updates as were applied to a summary of this name by now: for counters; a cut has the exact number. */
    public long updates(String summary) {
        Generation generation = this.generation;
        int number = generation.summary(summary);
        return number < 0 ? 0 : generation.updates(number);
    }

    /** About as many times as the {@code where} of a mapping into a summary of this name did not hold, by now. */
    public long filtered(String summary) {
        Generation generation = this.generation;
        int number = generation.summary(summary);
        return number < 0 ? 0 : generation.filtered()[number];
    }

    /** About as many updates as were not applied to a summary of this name by now, as their events were seen before. */
    public long duplicates(String summary) {
        Generation generation = this.generation;
        int number = generation.summary(summary);
        return number < 0 ? 0 : generation.duplicates(number);
    }

    /** About as many events as were to be counted once, but had no id, by now: they were counted. */
    public long eventsWithoutId() {
        return generation.total(counts -> counts.withoutId);
    }

    /** Ids of events that are counted once, as of about now. */
    public SeenIdCounts seenIds() {
        List<Share> shares = published().toList();
        SeenIds ids = generation.ids;
        return new SeenIdCounts(
                shares.stream().mapToLong(Share::idCount).sum() + ids.inherited(),
                shares.stream().mapToLong(Share::idsEvicted).sum() + ids.forgotten(),
                shares.stream().mapToLong(Share::idBytes).sum() + ids.inheritedBytes());
    }

    /** About how many ids are kept exactly for each event type that is counted once, in each summary: as configured, or fewer. */
    public long dedupIds() {
        return generation.ids.idsMax();
    }

    /**
     * Ids of events that are counted once.
     *
     * @param held ids that are known exactly
     * @param evicted ids that left these within their window since the start, or were left out at it, because the bound was
     *     reached
     * @param bytes memory for all of it
     */
    public record SeenIdCounts(long held, long evicted, long bytes) {}

    /** About as many used strings as had invalid UTF-8 become U+FFFD by now. */
    public long invalidUtf8() {
        return generation.total(counts -> counts.invalidUtf8);
    }

    /** About as many matches of {@code extract} as were given up, because they took too many steps, by now. */
    public long extractsAbandoned() {
        return generation.total(counts -> counts.extractsAbandoned);
    }

    /**
     * Observations that a sum, nested ones included, did not take because it stood at its bound: that of doubles, or of 128 bits.
     * Exact after {@link #cut} with nothing running, otherwise within a second or so.
     */
    public long saturations() {
        return published().mapToLong(Share::saturations).sum();
    }

    /** Bytes of rows, indexes, texts and sets, as the owners last published them: within a second or so. */
    public long stateBytes() {
        return published().mapToLong(Share::stateBytes).sum();
    }

    /** The bound on all state, and the bytes in use of it: rows, indexes, texts, sets and ids, as of now. */
    public ByteBudget stateBudget() {
        return generation.summaries.budget();
    }

    private Stream<Share> published() {
        flow.publish();
        return flow.shares().stream();
    }

    /** What cuts hold of it, and what became of them. */
    public CutMemory cutMemory() {
        return cutMemory;
    }

    /**
     * A consistent view of all summaries: every batch is wholly in it or wholly out. It holds what was handed over before
     * the call and processed by now; call {@link #drain} first to have everything.
     *
     * <p>Cost: the workers, or who hands over where there are none, stand still until each has finished the batch it is at (some
     * 100 µs); an owner makes some objects
     * for each of its partitions, whatever their size, and later copies a chunk before it first writes to it. Concurrent
     * calls take turns.
     *
     * @return a cut that the caller holds, and has to release
     */
    public Cut cut() throws InterruptedException {
        return cut(CutLease.Kind.READ);
    }

    /**
     * As {@link #cut()}.
     *
     * @param kind whether it may be revoked when it comes to take too much memory
     */
    public Cut cut(CutLease.Kind kind) throws InterruptedException {
        return cut(kind, -1);
    }

    /**
     * A cut of a summary, nested ones included, at which it is emptied: every update is either in the cut or in what the
     * summary holds afterwards. Its rows no longer count against its bound, its updates begin at 0. Each owner lets go of its
     * own rows, so that the last new rows of a full summary may find room that another owner made a moment before.
     *
     * <p>The cut has no other summary, so that holding it costs the others nothing. It is never revoked, as nobody could ever
     * pull those rows again; so what such cuts keep in memory is bounded instead. Cost: that of {@link #cut}.
     *
     * @return empty when there is no summary of this name
     * @throws ResetRefusedException when cuts of earlier resets are held, and with this one they would hold more memory than
     *     cuts may
     * @throws InterruptedException only when nothing was emptied
     */
    public Optional<Cut> reset(String summary) throws InterruptedException {
        synchronized (cutLock) { // so that it has the same place still when it is emptied
            int number = generation.summary(summary);
            return number < 0 ? Optional.empty() : Optional.of(cut(CutLease.Kind.LAST, number));
        }
    }

    private Cut cut(CutLease.Kind kind, int reset) throws InterruptedException {
        synchronized (cutLock) {
            if (closed) {
                throw new IllegalStateException("the pipeline is closed");
            }
            failure.check();
            if (reset >= 0) {
                refuseToHoldTooMuch(reset);
            }
            CutLease lease = cutMemory.lease(kind);
            try {
                return cut(lease, reset);
            } catch (InterruptedException | RuntimeException | Error e) {
                lease.release();
                throw e;
            }
        }
    }

    private void refuseToHoldTooMuch(int reset) {
        long bytes = published().mapToLong(share -> share.stateBytes(reset)).sum();
        if (!cutMemory.hasRoomToGiveUp(bytes)) {
            throw new ResetRefusedException(
                    "cuts of earlier resets hold " + cutMemory.givenUpBytes() + " bytes, and with the " + bytes
                            + " of this summary cuts would hold more than they may (cuts.memory)");
        }
    }

    private Cut cut(CutLease lease, int reset) throws InterruptedException {
        Generation generation = this.generation;
        OwnerTask.Barrier barrier;
        long[] updates;
        long takenAt;
        List<Long> positions;
        try {
            flow.gate().close();
            failure.check(); // who fails says so before it leaves the gate, perhaps with half a batch in the rows
            takenAt = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            updates = generation.applied();
            barrier = new OwnerTask.Barrier(
                    lease,
                    generation.partitions(),
                    generation.ids.tables(),
                    placement.owners(),
                    reset,
                    ledger.snapshot());
            positions = flow.positions(handedOver);
            flow.deliver(barrier);
        } finally {
            flow.gate().open();
        }
        Waiting.uninterruptibly(() -> awaitOwners(barrier));
        for (int summary = 0; summary < updates.length; summary++) {
            updates[summary] += generation.tallies[summary].updatesBefore - barrier.refusedUpdates.get(summary);
        }
        if (reset >= 0) {
            generation.tallies[reset].updatesBefore -= updates[reset];
            if (generation.overflows[reset] >= 0) {
                generation.tallies[generation.overflows[reset]].updatesBefore =
                        0; // the others are counted with the stores
            }
        }
        long id = ++cuts;
        LedgerCounts counts = barrier.ledger.counts();
        if (reset >= 0) {
            generation.accounts.reset(reset, counts);
        }
        List<CutPart> parts = new ArrayList<>(List.of(counts));
        if (barrier.ids.length > 0) {
            parts.add(generation.ids.view(barrier.ids));
        }
        return reset >= 0
                ? Cut.last(id, takenAt, emptied(reset, generation, updates, barrier), lease, positions, parts)
                : new Cut(
                        id,
                        takenAt,
                        IntStream.range(0, updates.length)
                                .mapToObj(summary -> view(summary, updates, barrier))
                                .toList(),
                        lease,
                        positions,
                        parts);
    }

    private void awaitOwners(OwnerTask.Control task) throws InterruptedException {
        while (!task.arrived().await(FAILURE_CHECK_MS, TimeUnit.MILLISECONDS)) {
            failure.check();
        }
    }

    /** The last views of a summary, and of the one that takes its overflow. */
    private List<SummaryView> emptied(int reset, Generation generation, long[] updates, OwnerTask.Barrier barrier) {
        SummaryView view = view(reset, updates, barrier);
        int overflow = generation.overflows[reset];
        return overflow < 0 ? List.of(view) : List.of(view, view(overflow, updates, barrier));
    }

    private SummaryView view(int summary, long[] updates, OwnerTask.Barrier barrier) {
        List<StoreView> partitions = new ArrayList<>();
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            StoreView view = barrier.views[summary * Partitions.COUNT + partition];
            if (view == null) {
                throw new IllegalStateException("summary " + summary + " partition " + partition + " has no owner");
            }
            partitions.add(view);
        }
        return new SummaryView(plan().summaries().get(summary), partitions, updates[summary]);
    }

    /**
     * What a reload did.
     *
     * @param match what became of each summary and field
     * @param standstillNanos how long the parser workers stood still
     * @param nanos how long it took in all, until the last owner went on
     * @param positions for each lane, the place in the journal that it took effect at: as {@link Cut#positions()}
     */
    public record Reload(LayoutMatch match, long standstillNanos, long nanos, List<Long> positions) {
        public Reload {
            positions = List.copyOf(positions);
        }
    }

    /**
     * Goes over to other definitions: every message batch is processed wholly by the old ones or wholly by the new ones, and
     * none is lost. Summaries keep their rows as {@link LayoutMatch} says; those whose layout is another have them copied by
     * the owners, while batches wait in the queues, or receivers where there are none. Cuts that were taken before stay good and keep the old layouts.
     *
     * <p>Cost: that of {@link #cut}, and where rows are copied some µs for each; a cut asked for meanwhile waits.
     *
     * @throws ReloadRefusedException when what the summaries hold does not go together with {@code next}, or cuts that are
     *     held would come to hold more than they may; nothing has changed
     * @throws InterruptedException only when nothing has changed
     */
    public Reload reload(Plan next) throws ReloadRefusedException, InterruptedException {
        synchronized (cutLock) {
            if (closed) {
                throw new IllegalStateException("the pipeline is closed");
            }
            failure.check();
            LayoutMatch match = LayoutMatch.of(plan().summaries(), next.summaries(), "in the service");
            if (!match.refusals().isEmpty()) {
                throw new ReloadRefusedException(match);
            }
            refuseToHoldTooMuch(match);
            refuseToLoadTooMuch(match);
            CutLease lease = cutMemory.lease(CutLease.Kind.LAST);
            try {
                return switchTo(generation.next(next, match, flow.processors().size(), placement), match, lease);
            } finally {
                lease.release();
            }
        }
    }

    /** Cuts that are held keep the stores that a reload gives up; so many reloads in the time of a cut must have a bound. */
    private void refuseToHoldTooMuch(LayoutMatch match) throws ReloadRefusedException {
        Set<Integer> kept = IntStream.range(0, match.to().size())
                .filter(summary -> match.fate(summary) == LayoutMatch.Fate.KEPT)
                .mapToObj(match::source)
                .collect(Collectors.toSet());
        flow.publish();
        long bytes = IntStream.range(0, match.from().size())
                .filter(summary -> !kept.contains(summary))
                .mapToLong(summary -> flow.shares().stream()
                        .mapToLong(share -> share.stateBytes(summary))
                        .sum())
                .sum();
        if (bytes > 0 && !cutMemory.hasRoomToGiveUp(bytes)) {
            throw new ReloadRefusedException(
                    match,
                    "cuts hold " + cutMemory.givenUpBytes()
                            + " bytes of what earlier reloads and resets took out, and with"
                            + " the " + bytes
                            + " of this one they would hold more than they may (cuts.memory); try again"
                            + " when they were let go");
        }
    }

    /** Rows that are laid out anew are there twice, one summary at a time; the heap must have room for that. */
    private void refuseToLoadTooMuch(LayoutMatch match) throws ReloadRefusedException {
        long bytes = IntStream.range(0, match.to().size())
                .filter(summary -> match.fate(summary) == LayoutMatch.Fate.REBUILT)
                .mapToLong(summary -> flow.shares().stream()
                        .mapToLong(share -> share.stateBytes(match.source(summary)))
                        .sum())
                .max()
                .orElse(0);
        ByteBudget budget = stateBudget();
        if (bytes > 0 && budget.used() + bytes > budget.loadedMax()) {
            throw new ReloadRefusedException(
                    match,
                    "the state has " + budget.used() + " bytes, and rows of " + bytes
                            + " bytes would be laid out anew and be in memory twice meanwhile, more than the "
                            + budget.loadedMax()
                            + " bytes that this heap has room for; start with a larger one (-Xmx)");
        }
    }

    private Reload switchTo(Generation next, LayoutMatch match, CutLease lease) throws InterruptedException {
        OwnerTask.Switch task = new OwnerTask.Switch(next, match, lease, placement.owners());
        long start = System.nanoTime();
        List<Long> positions;
        try {
            flow.gate().close();
            positions = flow.positions(handedOver);
            next.takeCounts(generation, match);
            flow.deliver(task);
            flow.processors().forEach(processor -> processor.use(next));
            generation = next;
            reloads.incrementAndGet();
        } finally {
            flow.gate().open();
        }
        long reopened = System.nanoTime();
        Waiting.uninterruptibly(() -> awaitOwners(task));
        return new Reload(match, reopened - start, System.nanoTime() - start, positions);
    }

    /** Waits until everything handed over before the call has been processed by the parser workers. */
    public void drain() throws InterruptedException {
        flow.drain();
        synchronized (cutLock) {
            // As many batches are done as were handed over, but a worker may be at an older one still: this waits for
            // it.
            if (!closed) {
                try {
                    flow.gate().close();
                } finally {
                    flow.gate().open();
                }
            }
        }
    }

    /**
     * Processes everything handed over, then ends all threads. Nothing may be offered any more. An interrupt does not cut
     * it short: what was taken is applied.
     */
    @Override
    public void close() {
        synchronized (cutLock) {
            if (!closed) {
                closed = true;
                flow.close();
            }
        }
    }
}
