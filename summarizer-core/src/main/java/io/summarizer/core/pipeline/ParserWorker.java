package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.concurrent.TimeUnit;

/**
 * Takes batches off the parse queue of its lane and processes them, each inside the gate, until the queue is drained. One
 * thread.
 */
final class ParserWorker implements Agent {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int number;
    private final Gate gate;
    private final Lane lane;
    private final MessageProcessor processor;
    private final MessagePool pool;

    /**
     * A worker that does nothing yet.
     *
     * @param number of the worker at the gate
     * @param pool where batches go that were processed
     */
    ParserWorker(int number, Gate gate, Lane lane, MessageProcessor processor, MessagePool pool) {
        this.number = number;
        this.gate = gate;
        this.lane = lane;
        this.processor = processor;
        this.pool = pool;
    }

    @Override
    public boolean doWork() throws InterruptedException {
        gate.enter(number);
        MessageBatch batch = lane.parseQueue.poll();
        if (batch == null) {
            gate.leave(number);
            return false;
        }
        lane.roomWaiters.taken();
        processor.process(batch);
        gate.leave(number);
        pool.release(batch);
        return true;
    }

    @Override
    public void awaitWork() throws InterruptedException {
        lane.parseQueue.await(WAIT_NANOS);
    }

    @Override
    public boolean isDone() {
        return lane.parseQueue.isDrained();
    }

    /** Nobody shall wait for this worker. */
    @Override
    public void ended() {
        gate.leave(number);
    }
}
