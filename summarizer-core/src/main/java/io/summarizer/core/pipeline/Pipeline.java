package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.ArrivalClock;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicRouter;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The engine: message batches in, summaries kept, consistent cuts out.
 * <pre>
 *   receivers --offer--> parse queue --poll--> parser workers --put--> owner queues --poll--> owners
 *                                                 (gate)                                     (stores)
 * </pre>
 * or, in the modes without queues, receivers --offer--> (gate) --> stores under locks.
 *
 * <p>Receivers may call from any thread and never wait for room. {@link #cut}, {@link #drain} and
 * {@link #close} block and belong to other threads than this pipeline's and than event loops.
 */
public final class Pipeline extends BatchSink implements AutoCloseable {
    private final LaneTopics lanes;
    private final Flow flow;
    private final CutCoordinator coordinator;
    private final MessagePool messagePool;
    private final ThreadLocal<BatchSplitter> splitter;
    private final PipelineGauges gauges;
    private final Ledger ledger;
    private final PipelineFailure failure;
    private final ArrivalClock clock;

    private Pipeline(
            Plan plan,
            PipelineOptions options,
            RejectSink rejects,
            Summaries summaries,
            SavedIds savedIds,
            AgentRunner runner) {
        failure = new PipelineFailure(runner);
        boolean queued = options.mode() == PipelineMode.QUEUED;
        int processors = queued ? QueuedFlow.workers(options) : options.receivers();
        lanes = LaneTopics.of(options.lanes());
        Placement placement = new Placement(
                options.lanes().stream().map(PipelineOptions.Lane::topics).toList(),
                queued
                        ? options.lanes().stream()
                                .mapToInt(lane -> lane.summarize().workers())
                                .toArray()
                        : new int[] {InlineFlow.owners(options.mode())});
        Generation first = Generation.first(plan, summaries, savedIds, options, processors, placement);
        ledger = new Ledger(processors, placement.owners(), () -> generation().books);
        clock = new ArrivalClock(Math.max(summaries.lastStamp(), savedIds.lastStamp()));
        int batches = processors + 16;
        if (queued) {
            batches += options.lanes().stream()
                    .mapToInt(lane -> lane.parse().capacity())
                    .sum();
        }
        // Batches that wait for reuse take about as much as those in queues at most.
        long pooled = Math.min(batches, processors + 16 + options.queueBytesMax() / 2 / MessageBatch.DEFAULT_BYTES);
        messagePool = new MessagePool((int) pooled, options.batchMessages());
        TopicRouter.Table routes = placement.routes();
        splitter = ThreadLocal.withInitial(() ->
                new BatchSplitter(routes.newRouter(), options.lanes().size(), options.batchMessages(), messagePool));
        Faults faults = new Faults();
        flow = queued
                ? new QueuedFlow(options, placement, first, messagePool, ledger, faults, failure, rejects)
                : new InlineFlow(options, placement, first, messagePool, ledger, faults, failure, rejects);
        CutMemory cutMemory = new CutMemory(options.cutBytesMax());
        coordinator = new CutCoordinator(flow, placement, first, ledger, failure, cutMemory);
        gauges = new PipelineGauges(flow, coordinator, faults, cutMemory);
    }

    private Generation generation() {
        return coordinator.generation();
    }

    /** Starts a pipeline without any state; its threads run until {@link #close}. */
    public static Pipeline start(Plan plan, PipelineOptions options, RejectSink rejects) {
        return start(plan, options, rejects, plan.newSummaries(options), SavedIds.none());
    }

    /**
     * Starts a pipeline that goes on from earlier state.
     *
     * @param summaries the pipeline's own from now on
     * @param savedIds those of the events that made that state
     */
    public static Pipeline start(
            Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries, SavedIds savedIds) {
        return start(plan, options, rejects, summaries, savedIds, AgentRunner.THREADS);
    }

    /** As above, a pipeline whose agents {@code runner} runs. */
    static Pipeline start(
            Plan plan,
            PipelineOptions options,
            RejectSink rejects,
            Summaries summaries,
            SavedIds savedIds,
            AgentRunner runner) {
        if (!summaries.layouts().equals(plan.summaries())) {
            throw new IllegalArgumentException("the state to start with was made for other definitions");
        }
        Pipeline pipeline = new Pipeline(plan, options, rejects, summaries, savedIds, runner);
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
    protected void split(MessageBatch batch, Consumer<MessageBatch> parts) {
        clock.stamp(batch);
        splitter.get().split(batch, parts);
    }

    @Override
    protected boolean offer(MessageBatch batch) {
        int listener = batch.listener();
        int messages = batch.count();
        if (!flow.offer(batch)) {
            return false;
        }
        ledger.received(listener, messages);
        return true;
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
     * @param whileWaiting called every 50 µs or so for as long as there is no room
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
            failure.untilTrue(() -> offer(part), whileWaiting);
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
        coordinator.handedOver(endSequence);
    }

    @Override
    protected void onRoom(MessageBatch batch, Runnable resume) {
        flow.onRoom(batch.lane(), resume);
    }

    /** The definitions in force. */
    public Plan plan() {
        return generation().plan;
    }

    /** What gives messages their stamps; for who has to do so before they come here. */
    public ArrivalClock clock() {
        return clock;
    }

    /** Which topics go along which lane. */
    public LaneTopics lanes() {
        return lanes;
    }

    /** Gauges and counters. */
    public PipelineGauges gauges() {
        return gauges;
    }

    /** What became of each message so far. */
    public Ledger ledger() {
        return ledger;
    }

    /**
     * Completed with its cause when a thread of this pipeline has died of a fault. Nothing is processed from then on:
     * the queues take batches until they are full, all else throws. The process should end.
     */
    public CompletableFuture<Throwable> failure() {
        return failure.cause().copy();
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
        return coordinator.cut(kind);
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
        return coordinator.reset(summary);
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
        return coordinator.reload(next);
    }

    /** The match of all summaries, with the rows that they have now, to those of other definitions. Any thread. */
    public LayoutMatch match(List<SummaryLayout> next) {
        return coordinator.match(next);
    }

    /** Waits until everything handed over before the call has been processed by the parser workers. */
    public void drain() throws InterruptedException {
        coordinator.drain();
    }

    /**
     * Processes everything handed over, then ends all threads. Nothing may be offered any more. An interrupt does not cut
     * it short: what was taken is applied.
     */
    @Override
    public void close() {
        coordinator.close();
    }
}
