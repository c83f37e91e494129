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
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.Backlog;
import io.summarizer.core.window.Watermarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The engine: message batches in, summaries in memory, consistent cuts out.
 * <pre>
 *   receivers --offer--> parse queue --poll--> parser workers --put--> owner queues --poll--> owners
 *                                                 (gate)                                     (stores)
 * </pre>
 * Without queues: receivers --offer--> (gate) --> stores under locks.
 *
 * <p>Receivers may call from any thread, and never wait for a full queue. {@link #cut}, {@link #drain} and {@link
 * #close} block, so neither this pipeline's threads nor event loops may call them.
 */
public final class Pipeline extends BatchSink implements AutoCloseable {
    private final PipelineTopics topics;
    private final Flow flow;
    private final CutCoordinator coordinator;
    private final MessagePool messagePool;
    private final ThreadLocal<BatchSplitter> splitter;
    private final PipelineGauges gauges;
    private final Ledger ledger;
    private final PipelineFailure failure;
    private final ArrivalClock clock;
    private final Watermarks watermarks;
    /** Number of messages from Kafka that were received. */
    private final LongAdder fromKafka = new LongAdder();

    private volatile BooleanSupplier kafkaIsRead = () -> true;

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
        topics = PipelineTopics.of(options.pipelines());
        Placement placement = new Placement(
                options.pipelines().stream().map(PipelineOptions.Named::topics).toList(),
                queued
                        ? options.pipelines().stream()
                                .mapToInt(pipeline -> pipeline.summarize().workers())
                                .toArray()
                        : new int[] {InlineFlow.owners(options.mode())});
        Generation first = Generation.first(plan, summaries, savedIds, options, processors, placement);
        ledger = new Ledger(processors, placement.owners(), () -> generation().books);
        clock = new ArrivalClock(
                Math.max(summaries.lastStamp(), savedIds.lastStamp()),
                options.windows().aheadMicros());
        int batches = processors + 16;
        if (queued) {
            batches += options.pipelines().stream()
                    .mapToInt(pipeline -> pipeline.parse().capacity())
                    .sum();
        }
        // The pool's batches take at most about as much memory as the batches in queues.
        long pooled = Math.min(batches, processors + 16 + options.queueBytesMax() / 2 / MessageBatch.DEFAULT_BYTES);
        messagePool = new MessagePool((int) pooled, options.batchMessages());
        TopicRouter.Table routes = placement.routes();
        splitter = ThreadLocal.withInitial(() -> new BatchSplitter(
                routes.newRouter(), options.pipelines().size(), options.batchMessages(), messagePool));
        Faults faults = new Faults();
        flow = queued
                ? new QueuedFlow(options, placement, first, messagePool, ledger, faults, failure, rejects)
                : new InlineFlow(options, placement, first, messagePool, ledger, faults, failure, rejects);
        CutMemory cutMemory = new CutMemory(options.cutBytesMax());
        coordinator = new CutCoordinator(flow, placement, first, ledger, failure, cutMemory);
        watermarks = new Watermarks(options.windows().idleMicros());
        gauges = new PipelineGauges(flow, coordinator, watermarks, faults, cutMemory);
    }

    private Generation generation() {
        return coordinator.generation();
    }

    /** Starts a pipeline without state; its threads run until {@link #close}. */
    public static Pipeline start(Plan plan, PipelineOptions options, RejectSink rejects) {
        return start(plan, options, rejects, plan.newSummaries(options), SavedIds.none());
    }

    /**
     * Starts a pipeline that continues from an earlier state.
     *
     * @param summaries the rows of the saved state; the pipeline owns them from now on
     * @param savedIds ids of the events in the saved state
     */
    public static Pipeline start(
            Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries, SavedIds savedIds) {
        return start(plan, options, rejects, summaries, savedIds, AgentRunner.THREADS);
    }

    /** Starts a pipeline whose agents {@code runner} runs. */
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
        expect(batch);
        divide(batch, parts);
    }

    private void divide(MessageBatch batch, Consumer<MessageBatch> parts) {
        clock.stamp(batch);
        splitter.get().split(batch, parts);
    }

    /**
     * Counts the messages of a batch from Kafka as received. Until these messages are processed, no Kafka partition
     * counts as idle. Call this method before the batch waits for the first time; an {@link Intake} of this pipeline
     * does so. Any thread.
     */
    public void expect(MessageBatch batch) {
        if (batch.partition() != null) {
            fromKafka.add(batch.count());
        }
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
     * Hands a filled batch over, and waits while the queue is full. Readers of files and of the journal call this
     * method; event loops must not. One thread at a time may hand over journalled batches, in the order of the journal,
     * because {@link Cut#positions()} are places in this order.
     */
    public void put(MessageBatch batch) throws InterruptedException {
        put(batch, () -> {});
    }

    /**
     * Hands a filled batch over as {@link #put(MessageBatch)} does.
     *
     * @param whileWaiting called about every 2 ms while the queue is full
     */
    public void put(MessageBatch batch, Runnable whileWaiting) throws InterruptedException {
        boolean journalled = batch.firstSequence() >= 0;
        long end = batch.endSequence();
        if (journalled) {
            clock.seen(batch.firstStamp() + end - batch.firstSequence());
        }
        List<MessageBatch> parts = new ArrayList<>();
        divide(batch, parts::add);
        for (MessageBatch part : parts) {
            failure.untilRoom(() -> offer(part), resume -> onRoom(part, resume), whileWaiting);
        }
        if (journalled) {
            handedOver(end);
        }
    }

    /**
     * Declares that each message before a sequence was either handed over, or was already in the state with which this
     * pipeline began. Called by the thread that puts journalled batches.
     */
    public void handedOver(long endSequence) {
        coordinator.handedOver(endSequence);
    }

    @Override
    protected void onRoom(MessageBatch batch, Runnable resume) {
        flow.onRoom(batch.pipeline(), resume);
    }

    @Override
    protected void forget(MessageBatch batch, Runnable resume) {
        flow.forget(batch.pipeline(), resume);
    }

    /** The definitions in force. */
    public Plan plan() {
        return generation().plan;
    }

    /** The clock of arrival stamps, for threads that stamp messages before they hand them over. */
    public ArrivalClock clock() {
        return clock;
    }

    /** The watermarks of summaries with windows. The thread that closes windows moves them. */
    public Watermarks watermarks() {
        return watermarks;
    }

    /**
     * The marks of all inputs by summary. A checkpoint calls this method after taking its cut, so the marks include all
     * events of the cut.
     */
    public Map<String, Map<String, Long>> marks() {
        Map<String, Map<String, Long>> progress = new TreeMap<>();
        for (WindowProgress windows : windows()) {
            progress.put(windows.summary(), windows.progress());
        }
        return watermarks.marks(progress);
    }

    /** The assignment of topics to pipelines. */
    public PipelineTopics topics() {
        return topics;
    }

    /** Gauges and counters. */
    public PipelineGauges gauges() {
        return gauges;
    }

    /** The fates of all messages so far. */
    public Ledger ledger() {
        return ledger;
    }

    /**
     * A future that completes when a thread of this pipeline dies of a fault; its result is the fault. From then on,
     * the pipeline processes nothing: queues take batches until they are full, and all other methods throw. The process
     * should end.
     */
    public CompletableFuture<Throwable> failure() {
        return failure.cause().copy();
    }

    /**
     * Takes a consistent view of all summaries. The view contains each batch either completely or not at all, and
     * includes all batches that were processed so far. To include all batches that were handed over, call {@link
     * #drain} first.
     *
     * <p>Cost: the workers stand still for about 100 µs, until each of them has finished its batch. In modes without
     * workers, the receivers stand still. Each owner makes a few objects per partition, whatever the size of the
     * partition. After the cut, an owner copies each chunk of rows before its first write to the chunk. Concurrent
     * calls take turns.
     *
     * @return a cut; the caller holds it and has to release it
     */
    public Cut cut() throws InterruptedException {
        return cut(CutLease.Kind.READ);
    }

    /**
     * Takes a cut as {@link #cut()} does.
     *
     * @param kind whether the cut may be revoked when it takes too much memory
     */
    public Cut cut(CutLease.Kind kind) throws InterruptedException {
        return coordinator.cut(kind);
    }

    /**
     * Takes a cut of a summary, with its nested summaries, and empties the summary. Each update is either in the cut or
     * in the rows afterwards. The rows of the cut no longer count against the bound of the summary, and the number of
     * updates of the summary begins at 0. Owners do not empty their partitions at the same moment. When an owner
     * empties its partitions of a full summary, the freed space is available to all owners. An owner that still has its
     * rows can then make more rows.
     *
     * <p>The cut contains no other summary, so holding it costs other summaries nothing. The cut is never revoked,
     * because the rows exist nowhere else; instead, the memory of such cuts is bounded. Costs the same as {@link #cut}.
     *
     * @return empty when there is no summary of this name
     * @throws ResetRefusedException when held cuts of earlier resets, together with this cut, would exceed the memory
     *     for cuts
     * @throws InterruptedException when the thread was interrupted; nothing was emptied
     */
    public Optional<Cut> reset(String summary) throws InterruptedException {
        return coordinator.reset(summary);
    }

    /**
     * The outcome of a reload.
     *
     * @param match the match of the definitions: the outcome for each summary and field
     * @param standstillNanos time during which the parser workers stood still
     * @param nanos total time, until the last owner continued
     * @param positions for each pipeline, the sequence at which the reload took effect, as in {@link Cut#positions()}
     * @param closed for each new summary that has files from an earlier definition, the boundary before which windows
     *     are closed
     */
    public record Reload(
            LayoutMatch match, long standstillNanos, long nanos, List<Long> positions, Map<String, Long> closed) {
        public Reload {
            positions = List.copyOf(positions);
            closed = Map.copyOf(closed);
        }
    }

    /**
     * Switches to other definitions. Each message batch is processed either by the old definitions or by the new ones,
     * and no batch is lost. {@link LayoutMatch} decides which summaries keep their rows. If the layout of a summary
     * changes, owners copy its rows. Meanwhile, batches wait in the queues, or receivers wait if there are no queues.
     * Earlier cuts stay valid and keep the old layouts.
     *
     * <p>Costs the same as {@link #cut}, plus a few µs for each copied row. A cut that is requested meanwhile waits for
     * the reload.
     *
     * @throws ReloadRefusedException when the rows of the summaries are not compatible with {@code next}, or when held
     *     cuts would exceed the memory for cuts; nothing has changed
     * @throws InterruptedException when the thread was interrupted; nothing has changed
     */
    public Reload reload(Plan next) throws ReloadRefusedException, InterruptedException {
        Reload reload = coordinator.reload(next);
        LayoutMatch match = reload.match();
        watermarks.retainSummaries(IntStream.range(0, match.to().size())
                .filter(summary -> match.source(summary) >= 0)
                .mapToObj(summary -> match.to().get(summary).name())
                .collect(Collectors.toSet())::contains);
        return reload;
    }

    /**
     * Matches all summaries, with their current rows, to those of other definitions, as {@link #reload} does. Any
     * thread.
     *
     * @throws ReloadRefusedException when a reload would be refused now
     */
    public LayoutMatch match(List<SummaryLayout> next) throws ReloadRefusedException {
        return coordinator.checkedMatch(next);
    }

    /**
     * Sets the files of closed windows, which later cuts include. Call this method after a replay, because a replay
     * must not know of files that were made after the replayed messages.
     */
    public void useFiles(ClosedFiles files) {
        coordinator.files(files);
    }

    /** The summaries with windows. Any thread; does not wait for a cut. */
    public List<WindowProgress> windows() {
        return coordinator.windows();
    }

    /** Sets the condition under which Kafka can be read. While it is false, records may wait at the brokers. */
    public void kafkaIsReadWhile(BooleanSupplier condition) {
        kafkaIsRead = condition;
    }

    /**
     * Updates a backlog with the messages from Kafka that wait or are being processed. All Kafka partitions have one
     * backlog together, because a listener whose queue is full reads from none of them. Any thread, but one thread at a
     * time for each backlog.
     *
     * @param now time of a clock that never goes back, in µs
     */
    public void lookAtKafka(Backlog backlog, long now) {
        if (!kafkaIsRead.getAsBoolean()) {
            backlog.hold();
            return;
        }
        long processed = flow.processors().stream()
                .mapToLong(MessageProcessor::fromKafka)
                .sum(); // read before the number received, so that the latter is not smaller
        backlog.look(fromKafka.sum(), processed, now);
    }

    /**
     * For each pipeline, the number of batches that were handed over and the number that were processed. Any thread.
     */
    public List<Traffic> traffic() {
        return flow.traffic();
    }

    /**
     * Windows that were closed.
     *
     * @param window the windows of the summary
     * @param boundaryBefore the boundary of closed windows before this call, in µs since the epoch
     * @param starts starts of all closed windows that have rows, ascending, in µs since the epoch
     * @param positions for each pipeline, the sequence at which the close took effect, as in {@link Cut#positions()}
     */
    public record Closed(SummaryWindow window, long boundaryBefore, List<Long> starts, List<Long> positions) {
        public Closed {
            starts = List.copyOf(starts);
            positions = List.copyOf(positions);
        }
    }

    /**
     * Closes the windows of a summary that begin before a time. Updates of these windows are late from now on. The rows
     * stay in memory and in cuts until {@link #dropWindows}. Costs as much as a {@link #cut}, except that no views are
     * made.
     *
     * @param before in µs since the epoch; the start of a window
     * @return empty when there is no such summary, when the summary has no windows, or when all these windows were
     *     closed before
     * @throws InterruptedException when the thread was interrupted; nothing was closed
     */
    public Optional<Closed> closeWindows(String summary, long before) throws InterruptedException {
        return coordinator.closeWindows(summary, before);
    }

    /**
     * Takes a cut of those closed windows of a summary that are in memory, and of the overflow of these windows. Nobody
     * writes to the rows of closed windows. Therefore, holding the cut causes no copies, and the cut is never revoked.
     *
     * @return empty when there is no such summary, or when it has no windows
     */
    public Optional<Cut> closing(String summary) throws InterruptedException {
        return coordinator.closing(summary);
    }

    /**
     * Removes the rows of closed windows that begin before a time. Call this method after the windows were written to
     * {@linkplain #useFiles files}. Each cut then has the rows of a window once: either from memory or from the file.
     */
    public void dropWindows(String summary, long before) throws InterruptedException {
        coordinator.dropWindows(summary, before);
    }

    /** Waits until the parser workers have processed all batches that were handed over before the call. */
    public void drain() throws InterruptedException {
        coordinator.drain();
    }

    /**
     * Processes all batches that were handed over, then ends all threads. No batch may be offered any more. Not
     * interruptible, because batches that the pipeline has accepted must be applied.
     */
    @Override
    public void close() {
        coordinator.close();
    }
}
