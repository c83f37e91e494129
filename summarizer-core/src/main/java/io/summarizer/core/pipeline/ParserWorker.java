package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import java.util.concurrent.TimeUnit;

/**
 * Takes batches off the parse queue of its lane and processes them, each inside the gate, until the queue is drained. One
 * thread.
 */
final class ParserWorker implements Runnable {
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final int number;
    private final Gate gate;
    private final Lane lane;
    private final MessageProcessor processor;
    private final MessagePool pool;
    private final PipelineFailure failure;

    /**
     * A worker that does nothing yet.
     *
     * @param number of the worker at the gate
     * @param pool where batches go that were processed
     */
    ParserWorker(
            int number, Gate gate, Lane lane, MessageProcessor processor, MessagePool pool, PipelineFailure failure) {
        this.number = number;
        this.gate = gate;
        this.lane = lane;
        this.processor = processor;
        this.pool = pool;
        this.failure = failure;
    }

    @Override
    public void run() {
        try {
            work();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            failure.report(e);
        } finally {
            gate.leave(number); // whatever happened, nobody shall wait for this worker
        }
    }

    private void work() throws InterruptedException {
        BatchQueue<MessageBatch> queue = lane.parseQueue;
        while (!queue.isDrained()) {
            gate.enter(number);
            MessageBatch batch = queue.poll();
            if (batch != null) {
                lane.resumeReceivers();
                processor.process(batch);
                lane.processed.increment();
                gate.leave(number);
                pool.release(batch);
                continue;
            }
            gate.leave(number);
            queue.await(WAIT_NANOS);
        }
    }
}
