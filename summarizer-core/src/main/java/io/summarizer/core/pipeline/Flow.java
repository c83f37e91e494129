package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.List;
import java.util.function.Consumer;

/**
 * The threads and queues between received batches and rows: what {@link PipelineMode} decides. Who coordinates a cut or a
 * reload closes the {@link #gate}, then {@link #deliver}s a task, and opens it again.
 */
interface Flow extends AutoCloseable {
    /** What keeps batches out while it is closed. */
    Gate gate();

    /** Starts all threads. */
    void start();

    /** Hands a batch to its lane, unless that has no room. Any thread; does not wait for room. */
    boolean offer(MessageBatch batch);

    /** As {@link BatchSink#onRoom}. */
    void onRoom(int lane, Runnable resume);

    /** Waits until as many batches were processed as were handed over before the call; the last of these may be in work still. */
    void drain() throws InterruptedException;

    /**
     * Has all owners perform a task behind all updates of batches that were processed. Only while the gate is closed; some do
     * it after the return. Nothing has happened when this throws.
     */
    void deliver(OwnerTask.Control task) throws InterruptedException;

    /**
     * For each lane the place in the journal of all that was processed. Only while the gate is closed.
     *
     * @param handedOver place up to which all journalled messages had been offered before the call
     */
    List<Long> positions(long handedOver);

    /** All users of programs, for a change of generation. */
    List<MessageProcessor> processors();

    /** By owner, what it said last that its state has come to; where no thread says so by itself, it says so now. */
    List<OwnerGauges> published();

    /** The queues there are, for gauges. */
    void queues(Consumer<QueueGauge> visitor);

    /** Processes what was handed over and ends all threads; not interruptible. */
    @Override
    void close();
}
