package io.summarizer.core.queue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue that bounds the bytes of its batches as well as their number. The queue is also full when the next batch
 * would exceed the bound on bytes. An empty queue takes a batch of any size, so that every batch gets through. The
 * bound on bytes does not apply to batches of 0 bytes. Producers that wait are resumed when the largest batch that was
 * refused has room, too; otherwise the producer of a large batch would be resumed and refused again and again.
 *
 * <p>Cost: one atomic update per batch at either end.
 */
final class WeighedQueue<T> implements BatchQueue<T> {
    private final BatchQueue<T> queue;
    private final long bytesMax;
    private final ToLongFunction<? super T> weigh;
    private final AtomicLong bytes = new AtomicLong();

    /** Bytes of the largest batch that was refused since producers were last resumed; approximate. */
    private volatile long refused;

    WeighedQueue(BatchQueue<T> queue, long bytesMax, ToLongFunction<? super T> weigh) {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("bytesMax=" + bytesMax + ", at least 1 is needed");
        }
        this.queue = queue;
        this.bytesMax = bytesMax;
        this.weigh = weigh;
    }

    @Override
    public boolean offer(T batch) {
        long more = weigh.applyAsLong(batch);
        if (!take(more)) {
            refused = Math.max(refused, more);
            return false;
        }
        boolean added = false;
        try {
            added = queue.offer(batch);
        } finally {
            if (!added) {
                bytes.addAndGet(-more);
            }
        }
        return added;
    }

    /**
     * Reserves the bytes of a batch before the batch is in the queue. A consumer therefore never frees bytes that are
     * not reserved yet.
     */
    private boolean take(long more) {
        long present;
        do {
            present = bytes.get();
            if (present > 0 && more > 0 && present + more > bytesMax) {
                return false;
            }
        } while (!bytes.compareAndSet(present, present + more));
        return true;
    }

    @Override
    public @Nullable T poll() {
        T batch = queue.poll();
        if (batch != null) {
            bytes.addAndGet(-weigh.applyAsLong(batch));
        }
        return batch;
    }

    /**
     * Takes batches, but only one at a time while more than half of the bytes are in use. Batches that were taken no
     * longer count towards the bound, so a consumer must not take many at once.
     */
    @Override
    public int drain(List<? super T> into, int max) {
        int taken = queue.drain(into, bytes.get() > bytesMax / 2 ? Math.min(max, 1) : max);
        long weight = 0;
        for (int i = into.size() - taken; i < into.size(); i++) {
            @SuppressWarnings("unchecked") // the queue has just added it
            T batch = (T) into.get(i);
            weight += weigh.applyAsLong(batch);
        }
        if (weight != 0) {
            bytes.addAndGet(-weight);
        }
        return taken;
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        queue.await(nanos);
    }

    @Override
    public void wakeUp() {
        queue.wakeUp();
    }

    @Override
    public void close() {
        queue.close();
    }

    @Override
    public boolean isClosed() {
        return queue.isClosed();
    }

    @Override
    public boolean isDrained() {
        return queue.isDrained();
    }

    @Override
    public boolean isHalfEmpty() {
        long present = bytes.get();
        boolean room =
                queue.isHalfEmpty() && (present == 0 || (present <= bytesMax / 2 && present + refused <= bytesMax));
        if (room) {
            refused = 0;
        }
        return room;
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public long bytes() {
        return bytes.get();
    }
}
