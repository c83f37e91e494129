package io.summarizer.core.pipeline;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * Keeps used batches for reuse. Never blocks: an empty pool makes a new batch, and a full pool leaves a returned batch
 * to the garbage collector. The queues, not the pool, bound the number of batches in use.
 *
 * <p>After a backlog, the pool has more batches than it needs. So once a second, while batches are acquired, the pool
 * drops half of the batches that were idle during the whole second. Any thread.
 */
final class BatchPool<T> {
    private static final long TRIM_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final MpmcVarHandleArrayQueue<T> idle;
    private final Supplier<T> maker;
    private final LongSupplier nanos;

    /** The lowest number of idle batches since the last trim. */
    private final AtomicInteger fewest = new AtomicInteger();

    /** Time of the last trim. */
    private final AtomicLong trimmed;

    BatchPool(int capacity, Supplier<T> maker) {
        this(capacity, maker, System::nanoTime);
    }

    BatchPool(int capacity, Supplier<T> maker, LongSupplier nanos) {
        idle = new MpmcVarHandleArrayQueue<>(Math.max(2, capacity));
        this.maker = maker;
        this.nanos = nanos;
        trimmed = new AtomicLong(nanos.getAsLong());
    }

    T acquire() {
        T batch = idle.relaxedPoll();
        if (batch == null) {
            fewest.setOpaque(0);
            return maker.get();
        }
        trim();
        return batch;
    }

    void release(T batch) {
        boolean unused = idle.relaxedOffer(batch);
    }

    /**
     * Drops batches when it is time to. If threads overwrite each other's result, the pool drops some batches too many,
     * or too few.
     */
    private void trim() {
        int least = fewest.getOpaque();
        int size = idle.size();
        if (size < least) {
            least = size;
            fewest.setOpaque(least);
        }
        long last = trimmed.getOpaque();
        long now = nanos.getAsLong();
        if (now - last >= TRIM_NANOS && trimmed.compareAndSet(last, now)) {
            for (int i = least / 2; i > 0; i--) {
                T unused = idle.relaxedPoll();
            }
            fewest.setOpaque(Integer.MAX_VALUE);
        }
    }
}
