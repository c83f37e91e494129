package io.summarizer.core.pipeline;

import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Keeps used batches for reuse. Never blocks: an empty pool makes a new one, a full pool lets one go to the collector. What
 * bounds the number of batches in use is the queues, not the pool.
 */
final class BatchPool<T> {
    private final MpmcVarHandleArrayQueue<T> idle;
    private final Supplier<T> maker;

    BatchPool(int capacity, Supplier<T> maker) {
        idle = new MpmcVarHandleArrayQueue<>(Math.max(2, capacity));
        this.maker = maker;
    }

    T acquire() {
        T batch = idle.relaxedPoll();
        return batch != null ? batch : maker.get();
    }

    void release(T batch) {
        boolean unused = idle.relaxedOffer(batch);
    }
}
