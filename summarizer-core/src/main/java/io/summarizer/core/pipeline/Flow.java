package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.List;
import java.util.function.Consumer;

/**
 * The threads and queues between received batches and rows; {@link PipelineMode} chooses the implementation. The
 * coordinator performs a cut or a reload in three steps: it closes the {@link #gate}, {@link #deliver}s a task to the
 * owners, and opens the gate again.
 */
interface Flow extends AutoCloseable {
    /** The gate that keeps batches out while it is closed. */
    Gate gate();

    /** Starts all threads. Does nothing when the receivers' threads do the work. */
    default void start() {}

    /**
     * Hands a batch to its pipeline. Returns false when the queue of the pipeline is full. Any thread; does not wait.
     */
    boolean offer(MessageBatch batch);

    /** Does the same as {@link BatchSink#onRoom} for the queue of a pipeline. */
    void onRoom(int pipeline, Runnable resume);

    /** Does the same as {@link BatchSink#forget} for the queue of a pipeline. Does nothing when nobody waits. */
    default void forget(int pipeline, Runnable resume) {}

    /**
     * Waits until as many batches are processed as were handed over before the call. Later batches also count, so a
     * batch from before the call may still be in progress.
     */
    void drain() throws InterruptedException;

    /**
     * Hands a task to all owners. Each owner performs the task after all updates of processed batches, possibly after
     * this method has returned. Call this method only while the gate is closed.
     *
     * @throws InterruptedException when the thread was interrupted; no owner gets the task
     */
    void deliver(OwnerTask.Control task) throws InterruptedException;

    /**
     * The sequence up to which each pipeline has processed its messages. Call this method only while the gate is
     * closed.
     *
     * @param handedOver sequence up to which all journalled messages were offered before the call
     */
    List<Long> positions(long handedOver);

    /** The traffic of each pipeline. Any thread. */
    List<Traffic> traffic();

    /** All processors, for a change of generation. */
    List<MessageProcessor> processors();

    /** The last published gauges of each owner. A flow without threads of its own publishes them during this call. */
    List<OwnerGauges> published();

    /** Visits the queues, if there are any, for gauges. */
    default void queues(Consumer<QueueGauge> visitor) {}

    /** Processes all batches that were handed over, and ends all threads, if any run. Not interruptible. */
    @Override
    default void close() {}
}
