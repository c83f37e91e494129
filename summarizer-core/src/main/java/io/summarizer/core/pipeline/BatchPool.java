package io.summarizer.core.pipeline;

import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Keeps used batches for reuse. Never blocks: an empty pool makes a new batch, and a full pool leaves a returned batch
 * to the garbage collector. The queues, not the pool, bound the number of batches in use.
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
