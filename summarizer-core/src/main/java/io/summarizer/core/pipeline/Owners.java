package io.summarizer.core.pipeline;

import java.util.List;
import java.util.function.Consumer;

/**
 * All owners of a pipeline, among which the partitions of all summaries are divided. {@link PipelineMode} chooses
 * whether they have threads of their own.
 */
interface Owners {
    /** The owners by number, as processors see them. */
    List<? extends UpdateSink> sinks();

    /** Starts all threads. */
    void start();

    /**
     * Makes all owners perform a task after all updates of processed batches. Call this method only while the gate is
     * closed. The method may return before all owners have performed the task. If the method throws, no owner has
     * performed the task.
     */
    void deliver(OwnerTask.Control task) throws InterruptedException;

    /** The last published gauges of each owner. Owners without threads publish them during this call. */
    List<OwnerGauges> published();

    /** Visits the queues, for gauges. */
    void queues(Consumer<QueueGauge> visitor);

    /** Applies all updates that were put in, and ends all threads. Not interruptible. */
    void close();
}
