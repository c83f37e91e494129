package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.reject.RejectSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@link PipelineMode#QUEUED}: pipelines and owners. Each pipeline has a parse queue and parser workers. Each owner has
 * a queue of updates, which come from the workers of all pipelines.
 */
final class QueuedFlow implements Flow {
    private final PipelineFailure failure;
    private final Gate gate;
    private final Placement placement;
    private final long parseBytesMax;
    private final long ownerBytesMax;
    private final List<ParseStage> stages = new ArrayList<>();
    private final List<QueuedOwner> owners = new ArrayList<>();
    private final List<MessageProcessor> processors = new ArrayList<>();
    private final List<ParserWorker> workers = new ArrayList<>();
    /**
     * The thread of each worker; null for a worker that has no thread, because another thread takes the worker's steps.
     */
    private final List<@Nullable Thread> workerThreads = new ArrayList<>();

    QueuedFlow(
            PipelineOptions options,
            Placement placement,
            Generation generation,
            MessagePool messagePool,
            Ledger ledger,
            Faults faults,
            PipelineFailure failure,
            RejectSink rejects) {
        this.failure = failure;
        this.placement = placement;
        int workerCount = workers(options);
        gate = new Gate(workerCount);
        int updates = 0;
        for (PipelineOptions.Named pipeline : options.pipelines()) {
            PipelineOptions.Stage summarize = pipeline.summarize();
            updates += summarize.workers() * (summarize.capacity() + QueuedOwner.DRAINED + workerCount + 1);
        }
        parseBytesMax =
                Math.max(1, options.queueBytesMax() / 2 / options.pipelines().size());
        ownerBytesMax = Math.max(1, options.queueBytesMax() / 2 / placement.owners());
        BatchPool<OwnerTask.Updates> updatePool = new BatchPool<>(updates, OwnerTask.Updates::new);
        for (PipelineOptions.Named pipeline : options.pipelines()) {
            PipelineOptions.Stage summarize = pipeline.summarize();
            for (int i = 0; i < summarize.workers(); i++) {
                BatchQueue<OwnerTask> queue = BatchQueue.weighed(
                        summarize.queue().singleConsumer(summarize.capacity(), summarize.waitPolicy()),
                        ownerBytesMax,
                        OwnerTask::heldBytes);
                owners.add(new QueuedOwner(
                        owners.size(), queue, updatePool, ledger, faults, failure, rejects, generation));
            }
        }
        for (PipelineOptions.Named pipeline : options.pipelines()) {
            ParseStage stage = new ParseStage(pipeline, parseBytesMax);
            stages.add(stage);
            for (int i = 0; i < pipeline.parse().workers(); i++) {
                int number = processors.size();
                MessageProcessor processor =
                        new MessageProcessor(number, generation, updatePool, owners, ledger, faults, rejects);
                ParserWorker worker = new ParserWorker(number, gate, stage, processor, messagePool);
                processors.add(processor);
                stage.add(processor);
                workers.add(worker);
                workerThreads.add(failure.newThread("parser-" + number, worker));
            }
        }
    }

    /** Number of parser workers of all pipelines. */
    static int workers(PipelineOptions options) {
        return options.pipelines().stream()
                .mapToInt(pipeline -> pipeline.parse().workers())
                .sum();
    }

    @Override
    public Gate gate() {
        return gate;
    }

    @Override
    public void start() {
        owners.forEach(owner -> start(owner.thread()));
        workerThreads.forEach(QueuedFlow::start);
    }

    private static void start(@Nullable Thread thread) {
        if (thread != null) {
            thread.start();
        }
    }

    @Override
    public boolean offer(MessageBatch batch) {
        return stages.get(batch.pipeline()).offer(batch);
    }

    @Override
    public void onRoom(int pipeline, Runnable resume) {
        stages.get(pipeline).roomWaiters.add(resume);
    }

    @Override
    public void forget(int pipeline, Runnable resume) {
        stages.get(pipeline).roomWaiters.remove(resume);
    }

    @Override
    public void drain() throws InterruptedException {
        for (ParseStage stage : stages) {
            long target = stage.submitted.sum();
            failure.untilTrue(() -> stage.processed() >= target);
        }
    }

    /**
     * Delivers the task. If an interrupt comes before the first owner has the task, the call ends, and no owner gets
     * the task. If an interrupt comes later, all owners still get the task.
     */
    @Override
    public void deliver(OwnerTask.Control task) throws InterruptedException {
        failure.untilTrue(() -> owners.get(0).queue().offer(task));
        for (QueuedOwner owner : owners.subList(1, owners.size())) {
            Waiting.uninterruptibly(() -> failure.untilTrue(() -> owner.queue().offer(task)));
        }
    }

    @Override
    public List<Long> positions(long handedOver) {
        return stages.stream().map(stage -> stage.position(handedOver)).toList();
    }

    @Override
    public List<Traffic> traffic() {
        return stages.stream().map(ParseStage::traffic).toList();
    }

    @Override
    public List<MessageProcessor> processors() {
        return processors;
    }

    @Override
    public List<OwnerGauges> published() {
        return owners.stream().map(QueuedOwner::gauges).toList();
    }

    @Override
    public void queues(Consumer<QueueGauge> visitor) {
        for (ParseStage stage : stages) {
            BatchQueue<MessageBatch> queue = stage.parseQueue;
            visitor.accept(
                    new QueueGauge(stage.name, "parse", queue::size, queue.capacity(), queue::bytes, parseBytesMax));
        }
        for (int i = 0; i < owners.size(); i++) {
            BatchQueue<OwnerTask> queue = owners.get(i).queue();
            String name = stages.get(placement.pipelineOf(i)).name;
            visitor.accept(
                    new QueueGauge(name, "owner-" + i, queue::size, queue.capacity(), queue::bytes, ownerBytesMax));
        }
    }

    @Override
    public void close() {
        stages.forEach(stage -> stage.parseQueue.close());
        for (int worker = 0; worker < workers.size(); worker++) {
            failure.awaitEnd(workers.get(worker), workerThreads.get(worker));
        }
        owners.forEach(owner -> owner.queue().close());
        owners.forEach(owner -> failure.awaitEnd(owner, owner.thread()));
    }
}
