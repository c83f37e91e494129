package io.summarizer.core.pipeline;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.reject.RejectSink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@linkplain QueuedOwner Owners with a thread each}, which take updates from bounded queues. */
final class QueuedOwners implements Owners {
    private final List<QueuedOwner> owners = new ArrayList<>();
    /** For each owner, the name of its pipeline. */
    private final List<String> pipelines = new ArrayList<>();

    private final PipelineFailure failure;
    private final long queueBytesMax;

    QueuedOwners(
            PipelineOptions options,
            Placement placement,
            Generation generation,
            BatchPool<OwnerTask.Updates> updatePool,
            Ledger ledger,
            Faults faults,
            PipelineFailure failure,
            RejectSink rejects) {
        this.failure = failure;
        queueBytesMax = Math.max(1, options.queueBytesMax() / 2 / placement.owners());
        for (PipelineOptions.Named pipeline : options.pipelines()) {
            PipelineOptions.Stage summarize = pipeline.summarize();
            for (int i = 0; i < summarize.workers(); i++) {
                BatchQueue<OwnerTask> queue = BatchQueue.weighed(
                        summarize.queue().singleConsumer(summarize.capacity(), summarize.waitPolicy()),
                        queueBytesMax,
                        OwnerTask::heldBytes);
                owners.add(new QueuedOwner(
                        owners.size(), queue, updatePool, ledger, faults, failure, rejects, generation));
                pipelines.add(pipeline.name());
            }
        }
    }

    /** Number of owners of each pipeline. */
    static int[] counts(PipelineOptions options) {
        return options.pipelines().stream()
                .mapToInt(pipeline -> pipeline.summarize().workers())
                .toArray();
    }

    /** Largest total number of update batches in queues and in the hands of owners. */
    static int updates(PipelineOptions options) {
        return options.pipelines().stream()
                .mapToInt(pipeline ->
                        pipeline.summarize().workers() * (pipeline.summarize().capacity() + QueuedOwner.DRAINED + 1))
                .sum();
    }

    @Override
    public List<QueuedOwner> sinks() {
        return owners;
    }

    @Override
    public void start() {
        for (QueuedOwner owner : owners) {
            Thread thread = owner.thread();
            if (thread != null) {
                thread.start();
            }
        }
    }

    /**
     * Delivers the task. If an interrupt comes before the first owner has the task, the method throws, and no owner
     * gets the task. After a later interrupt, all owners get the task nevertheless.
     */
    @Override
    public void deliver(OwnerTask.Control task) throws InterruptedException {
        failure.untilTrue(() -> owners.get(0).queue().offer(task));
        for (QueuedOwner owner : owners.subList(1, owners.size())) {
            Waiting.uninterruptibly(() -> failure.untilTrue(() -> owner.queue().offer(task)));
        }
    }

    @Override
    public List<OwnerGauges> published() {
        return owners.stream().map(QueuedOwner::gauges).toList();
    }

    @Override
    public void queues(Consumer<QueueGauge> visitor) {
        for (int i = 0; i < owners.size(); i++) {
            BatchQueue<OwnerTask> queue = owners.get(i).queue();
            visitor.accept(new QueueGauge(
                    pipelines.get(i), "owner-" + i, queue::size, queue.capacity(), queue::bytes, queueBytesMax));
        }
    }

    @Override
    public void close() {
        owners.forEach(owner -> owner.queue().close());
        owners.forEach(owner -> failure.awaitEnd(owner, owner.thread()));
    }
}
