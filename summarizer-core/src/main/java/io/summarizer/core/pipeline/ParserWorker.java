package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes batches from the parse queue of its pipeline and processes them, until the queue is drained. A worker enters
 * the gate for each batch, and stays inside while the queue of an owner is too full for the updates of the batch. One
 * thread.
 */
final class ParserWorker implements Agent {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int number;
    private final Gate gate;
    private final ParseStage stage;
    private final MessageProcessor processor;
    private final MessagePool pool;

    /** The current batch, if the queue of an owner was too full for its updates; otherwise null. */
    private @Nullable MessageBatch batch;

    /** Number of times that the updates of this batch were offered to owners. */
    private int looks;

    /**
     * A worker that is not started yet.
     *
     * @param number the worker's number at the gate
     * @param pool the pool that takes processed batches
     */
    ParserWorker(int number, Gate gate, ParseStage stage, MessageProcessor processor, MessagePool pool) {
        this.number = number;
        this.gate = gate;
        this.stage = stage;
        this.processor = processor;
        this.pool = pool;
    }

    @Override
    public boolean doWork() throws InterruptedException {
        MessageBatch batch = this.batch;
        if (batch != null) {
            return processor.handOver() && leave(batch);
        }
        if (!gate.tryEnter(number)) {
            return false;
        }
        batch = stage.parseQueue.poll();
        if (batch == null) {
            gate.leave(number);
            return false;
        }
        stage.roomWaiters.taken();
        this.batch = batch;
        processor.process(batch);
        return !processor.handOver() || leave(batch);
    }

    /** Ends the batch, which was processed. */
    private boolean leave(MessageBatch batch) {
        gate.leave(number);
        this.batch = null;
        looks = 0;
        pool.release(batch);
        return true;
    }

    @Override
    public void awaitWork() throws InterruptedException {
        if (batch != null) {
            BatchQueue.awaitRoom(looks++);
        } else {
            gate.awaitOpen();
            stage.parseQueue.await(WAIT_NANOS);
        }
    }

    @Override
    public boolean isDone() {
        return batch == null && stage.parseQueue.isDrained();
    }

    /** Leaves the gate, so that no thread waits for this worker any more. */
    @Override
    public void ended() {
        gate.leave(number);
    }
}
