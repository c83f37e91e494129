package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@link PipelineMode#QUEUED} and {@link PipelineMode#STRIPED}: each pipeline has a parse queue and parser workers. A
 * worker brings the updates of a batch to the owners.
 */
final class QueuedFlow implements Flow {
    private final PipelineFailure failure;
    private final Gate gate;
    private final long parseBytesMax;
    private final List<ParseStage> stages = new ArrayList<>();
    private final List<MessageProcessor> processors = new ArrayList<>();
    private final List<ParserWorker> workers = new ArrayList<>();
    /** The threads of these workers; null for a worker without its own thread, whose steps another thread takes. */
    private final List<@Nullable Thread> workerThreads = new ArrayList<>();

    QueuedFlow(
            PipelineOptions options,
            IntFunction<MessageProcessor> newProcessor,
            MessagePool messagePool,
            PipelineFailure failure) {
        this.failure = failure;
        gate = new Gate(workers(options));
        parseBytesMax =
                Math.max(1, options.queueBytesMax() / 2 / options.pipelines().size());
        for (PipelineOptions.Named pipeline : options.pipelines()) {
            ParseStage stage = new ParseStage(pipeline, parseBytesMax);
            stages.add(stage);
            for (int i = 0; i < pipeline.parse().workers(); i++) {
                int number = processors.size();
                MessageProcessor processor = newProcessor.apply(number);
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
        for (Thread thread : workerThreads) {
            if (thread != null) {
                thread.start();
            }
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
    public void drain() throws InterruptedException {
        for (ParseStage stage : stages) {
            long target = stage.submitted.sum();
            failure.untilTrue(() -> stage.processed() >= target);
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
    public void queues(Consumer<QueueGauge> visitor) {
        for (ParseStage stage : stages) {
            BatchQueue<MessageBatch> queue = stage.parseQueue;
            visitor.accept(
                    new QueueGauge(stage.name, "parse", queue::size, queue.capacity(), queue::bytes, parseBytesMax));
        }
    }

    @Override
    public void close() {
        stages.forEach(stage -> stage.parseQueue.close());
        for (int worker = 0; worker < workers.size(); worker++) {
            failure.awaitEnd(workers.get(worker), workerThreads.get(worker));
        }
    }
}
