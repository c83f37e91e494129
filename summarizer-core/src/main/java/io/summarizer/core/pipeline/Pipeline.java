package io.summarizer.core.pipeline;

import io.summarizer.core.bytes.CutLease;
import io.summarizer.core.bytes.CutMemory;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.receive.ArrivalClock;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.state.LayoutMatch;
import io.summarizer.core.store.Cut;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The engine: message batches in, summaries kept, consistent cuts out.
 * <pre>
 *   receivers --offer--> parse queue --poll--> parser workers --put--> owner queues --poll--> owners
 *                                                 (gate)                                     (stores)
 * </pre>
 * Receivers may call from any thread and never block in {@link #offer}. {@link #cut}, {@link #drain} and {@link #close}
 * block and belong to other threads than this pipeline's and than event loops.
 */
public final class Pipeline implements BatchSink, AutoCloseable {
    private static final long RETRY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long FAILURE_CHECK_MS = 100;

    /** Replaced under the cut lock, while the gate is closed. */
    private volatile Generation generation;

    private final BatchQueue<MessageBatch> parseQueue;
    private final List<BatchQueue<OwnerTask>> ownerQueues = new ArrayList<>();
    private final BatchPool<MessageBatch> messagePool;
    private final Gate gate;
    private final RoomWaiters roomWaiters = new RoomWaiters();
    private final PipelineCounters counters = new PipelineCounters();
    private final PipelineFailure failure = new PipelineFailure();
    private final ArrivalClock clock;
    /** Batches that entered the parse queue; with the batches processed it tells when all is quiet. */
    private final AtomicLong submitted = new AtomicLong();

    private final List<Owner> owners = new ArrayList<>();
    private final List<ParserWorker> workers = new ArrayList<>();
    private final List<Thread> workerThreads = new ArrayList<>();
    private final List<Thread> ownerThreads = new ArrayList<>();

    private final CutMemory cutMemory;
    private final Object cutLock = new Object();
    /** Id of the last cut. From the clock on, so that an id of an earlier process never names a cut of this one. */
    private long cuts = System.currentTimeMillis();

    private boolean closed;

    private final AtomicLong reloads = new AtomicLong();

    private Pipeline(Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries) {
        Generation generation = Generation.first(plan, summaries, options.parserWorkers(), options.owners());
        this.generation = generation;
        cutMemory = new CutMemory(options.cutBytesMax());
        clock = new ArrivalClock(summaries.lastStamp());
        parseQueue = options.parseQueue().shared(options.parseCapacity(), options.parseWait());
        messagePool = new BatchPool<>(
                options.parseCapacity() + options.parserWorkers() + 16,
                () -> new MessageBatch(MessageBatch.DEFAULT_BYTES));
        BatchPool<OwnerTask.Updates> updatePool = new BatchPool<>(
                options.owners() * (options.ownerCapacity() + Owner.DRAINED + options.parserWorkers() + 1),
                () -> new OwnerTask.Updates(ParserWorker.FLUSH_BYTES + 16 * 1024));
        gate = new Gate(options.parserWorkers());

        for (int number = 0; number < options.owners(); number++) {
            BatchQueue<OwnerTask> queue =
                    options.ownerQueue().singleConsumer(options.ownerCapacity(), options.ownerWait());
            ownerQueues.add(queue);
            Owner owner = new Owner(number, queue, updatePool, counters, failure, generation);
            owners.add(owner);
            Thread thread = thread("owner-" + number, owner);
            ownerThreads.add(thread);
            owner.ownedBy(thread);
        }
        for (int worker = 0; worker < options.parserWorkers(); worker++) {
            ParserWorker parser = new ParserWorker(
                    worker,
                    generation,
                    gate,
                    parseQueue,
                    messagePool,
                    updatePool,
                    ownerQueues,
                    counters,
                    failure,
                    rejects,
                    this::resumeReceivers);
            workers.add(parser);
            workerThreads.add(thread("parser-" + worker, parser));
        }
    }

    /** Starts a pipeline; its threads run until {@link #close}. */
    public static Pipeline start(Plan plan, PipelineOptions options, RejectSink rejects) {
        return start(plan, options, rejects, newSummaries(plan, options.maxRows()));
    }

    /** No state yet for the summaries of {@code plan}. */
    public static Summaries newSummaries(Plan plan, long maxRows) {
        return new Summaries(plan.summaries(), Generation.codes(plan), maxRows);
    }

    /** Starts a pipeline that goes on from what is in {@code summaries}, which are its own from now on. */
    public static Pipeline start(Plan plan, PipelineOptions options, RejectSink rejects, Summaries summaries) {
        if (!summaries.layouts().equals(plan.summaries())) {
            throw new IllegalArgumentException("the state to start with was made for other definitions");
        }
        Pipeline pipeline = new Pipeline(plan, options, rejects, summaries);
        pipeline.ownerThreads.forEach(Thread::start);
        pipeline.workerThreads.forEach(Thread::start);
        return pipeline;
    }

    private Thread thread(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true); // close() joins them; a failed start must not keep the process alive
        failure.watch(thread);
        return thread;
    }

    @Override
    public MessageBatch acquire() {
        return messagePool.acquire();
    }

    @Override
    public void release(MessageBatch batch) {
        batch.clear();
        messagePool.release(batch);
    }

    @Override
    public boolean offer(MessageBatch batch) {
        stamp(batch);
        if (parseQueue.offer(batch)) {
            submitted.incrementAndGet();
            return true;
        }
        return false;
    }

    /** Hands a filled batch over, waiting for room: for readers of files, never for event loops. */
    public void put(MessageBatch batch) throws InterruptedException {
        stamp(batch);
        offerUntilTaken(parseQueue, batch);
        submitted.incrementAndGet();
    }

    /** A put that also ends when the threads that would make room are dead. */
    private <T> void offerUntilTaken(BatchQueue<T> queue, T batch) throws InterruptedException {
        while (true) {
            failure.check();
            if (queue.offer(batch)) {
                return;
            }
            LockSupport.parkNanos(RETRY_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Once: a batch that was refused keeps the time it came in. */
    private void stamp(MessageBatch batch) {
        if (batch.firstStamp() == 0) {
            batch.firstStamp(clock.claim(Math.max(1, batch.count())));
        }
    }

    @Override
    public void onRoom(Runnable resume) {
        roomWaiters.add(resume);
        if (hasRoom()) {
            roomWaiters.resumeAll();
        }
    }

    private void resumeReceivers() {
        if (roomWaiters.any() && hasRoom()) {
            roomWaiters.resumeAll();
        }
    }

    private boolean hasRoom() {
        return parseQueue.size() <= parseQueue.capacity() / 2;
    }

    /** The definitions in force. */
    public Plan plan() {
        return generation.plan;
    }

    /** How often definitions were replaced. */
    public long reloads() {
        return reloads.get();
    }

    /** What was counted so far. */
    public PipelineCounters counters() {
        return counters;
    }

    /**
     * Completed with its cause when a thread of this pipeline has died of a fault. Nothing is processed from then on:
     * {@link #offer} takes batches until the queue is full, all else throws. The process should end.
     */
    public CompletableFuture<Throwable> failure() {
        return failure.cause().copy();
    }

    /** Batches waiting in the parse queue. */
    public int parseQueueSize() {
        return parseQueue.size();
    }

    /** Batches the parse queue holds at most. */
    public int parseQueueCapacity() {
        return parseQueue.capacity();
    }

    /** Batches waiting for each owner. */
    public int[] ownerQueueSizes() {
        return ownerQueues.stream().mapToInt(BatchQueue::size).toArray();
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
        return limit.rows();
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

    /** About as many overflows, divisions by zero and values out of range as became null by now. */
    public long arithmeticNulls() {
        return generation.total(counts -> counts.arithmeticNulls);
    }

    /** About as many used strings as had invalid UTF-8 become U+FFFD by now. */
    public long invalidUtf8() {
        return generation.total(counts -> counts.invalidUtf8);
    }

    /** About as many matches of {@code extract} as were given up, because they took too many steps, by now. */
    public long extractsAbandoned() {
        return generation.total(counts -> counts.extractsAbandoned);
    }

    /**
     * Observations that a sum, nested ones included, did not take because it stood at its bound, and those that were at the
     * bound themselves. Exact after {@link #cut} with nothing running, otherwise within a second or so.
     */
    public long saturations() {
        return generation.total(counts -> counts.saturations)
                + owners.stream().mapToLong(Owner::saturations).sum();
    }

    /** Bytes of rows, indexes, texts and sets, as the owners last published them: within a second or so. */
    public long stateBytes() {
        return owners.stream().mapToLong(Owner::stateBytes).sum();
    }

    /** What cuts hold of it, and what became of them. */
    public CutMemory cutMemory() {
        return cutMemory;
    }

    /**
     * A consistent view of all summaries: every batch is wholly in it or wholly out. It holds what was handed over before
     * the call and processed by now; call {@link #drain} first to have everything.
     *
     * <p>Cost: the workers stand still until each has finished the batch it is at (some 100 µs); an owner makes some objects
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
        long bytes = owners.stream().mapToLong(owner -> owner.stateBytes(reset)).sum();
        if (!cutMemory.hasRoomToGiveUp(bytes)) {
            throw new ResetRefusedException(
                    "cuts of earlier resets hold " + cutMemory.givenUpBytes() + " bytes, and with the " + bytes
                            + " of this summary cuts would hold more than they may (cuts.memory)");
        }
    }

    private Cut cut(CutLease lease, int reset) throws InterruptedException {
        Generation generation = this.generation;
        OwnerTask.Barrier barrier = new OwnerTask.Barrier(lease, generation.partitions(), ownerQueues.size(), reset);
        long[] updates;
        long takenAt;
        try {
            gate.close();
            takenAt = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
            updates = generation.applied();
            offerToOwners(barrier);
        } finally {
            gate.open();
        }
        uninterruptibly(() -> awaitOwners(barrier.arrived));
        for (int summary = 0; summary < updates.length; summary++) {
            updates[summary] += generation.tallies[summary].updatesBefore - barrier.refusedUpdates.get(summary);
        }
        if (reset >= 0) {
            generation.tallies[reset].updatesBefore -= updates[reset];
        }
        long id = ++cuts;
        return reset >= 0
                ? Cut.last(id, takenAt, view(reset, updates, barrier), lease)
                : new Cut(
                        id,
                        takenAt,
                        IntStream.range(0, updates.length)
                                .mapToObj(summary -> view(summary, updates, barrier))
                                .toList(),
                        lease);
    }

    /** Until the first owner has it nothing has happened; from then on it is seen through. */
    private void offerToOwners(OwnerTask task) throws InterruptedException {
        offerUntilTaken(ownerQueues.get(0), task);
        for (BatchQueue<OwnerTask> queue : ownerQueues.subList(1, ownerQueues.size())) {
            uninterruptibly(() -> offerUntilTaken(queue, task));
        }
    }

    private void awaitOwners(CountDownLatch arrived) throws InterruptedException {
        while (!arrived.await(FAILURE_CHECK_MS, TimeUnit.MILLISECONDS)) {
            failure.check();
        }
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
     */
    public record Reload(LayoutMatch match, long standstillNanos, long nanos) {}

    /**
     * Goes over to other definitions: every message batch is processed wholly by the old ones or wholly by the new ones, and
     * none is lost. Summaries keep their rows as {@link LayoutMatch} says; those whose layout is another have them copied by
     * the owners, while batches wait in the queues. Cuts that were taken before stay good and keep the old layouts.
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
            CutLease lease = cutMemory.lease(CutLease.Kind.LAST);
            try {
                return switchTo(generation.next(next, match, workers.size(), owners.size()), match, lease);
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
        long bytes = IntStream.range(0, match.from().size())
                .filter(summary -> !kept.contains(summary))
                .mapToLong(summary -> owners.stream()
                        .mapToLong(owner -> owner.stateBytes(summary))
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

    private Reload switchTo(Generation next, LayoutMatch match, CutLease lease) throws InterruptedException {
        OwnerTask.Switch task = new OwnerTask.Switch(next, match, lease, owners.size());
        long start = System.nanoTime();
        try {
            gate.close();
            next.takeCounts(generation, match);
            offerToOwners(task);
            workers.forEach(worker -> worker.use(next));
            generation = next;
            reloads.incrementAndGet();
        } finally {
            gate.open();
        }
        long reopened = System.nanoTime();
        uninterruptibly(() -> awaitOwners(task.arrived));
        return new Reload(match, reopened - start, System.nanoTime() - start);
    }

    /** Waits until everything handed over before the call has been processed by the parser workers. */
    public void drain() throws InterruptedException {
        long target = submitted.get();
        while (counters.batches() < target) {
            failure.check();
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /**
     * Processes everything handed over, then ends all threads. Nothing may be offered any more. An interrupt does not cut
     * it short: what was taken is applied.
     */
    @Override
    public void close() {
        synchronized (cutLock) {
            if (closed) {
                return;
            }
            closed = true;
            workers.forEach(ParserWorker::stop);
            workerThreads.forEach(thread -> uninterruptibly(thread::join));
            ownerQueues.forEach(BatchQueue::close);
            ownerThreads.forEach(thread -> uninterruptibly(thread::join));
        }
    }

    /** Something that waits, and can be done again after an interrupt. */
    @FunctionalInterface
    private interface Waiting {
        void run() throws InterruptedException;
    }

    /** Waits to the end; an interrupt is there still afterwards. */
    private static void uninterruptibly(Waiting waiting) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    waiting.run();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
