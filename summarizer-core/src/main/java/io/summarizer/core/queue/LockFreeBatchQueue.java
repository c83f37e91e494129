package io.summarizer.core.queue;

import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * {@code mpmc} and {@code mpsc}: an array queue of JCTools, in the variants without {@code Unsafe}. These variants have
 * no blocking methods, so this package adds the waiting.
 *
 * <p>{@code mpmc} has a sequence number for each slot (D. Vyukov's bounded queue), so producers and consumers that have
 * claimed different slots do not contend. {@code mpsc} has one consumer, which needs no atomic operation. The capacity
 * is rounded up to a power of two.
 */
final class LockFreeBatchQueue<T> extends AbstractBatchQueue<T> {
    private final MessagePassingQueue<T> queue;

    private LockFreeBatchQueue(MessagePassingQueue<T> queue, WaitPolicy wait) {
        super(wait);
        this.queue = queue;
    }

    static <T> BatchQueue<T> shared(int capacity, WaitPolicy wait) {
        return new LockFreeBatchQueue<>(new MpmcVarHandleArrayQueue<>(Math.max(2, capacity)), wait);
    }

    static <T> BatchQueue<T> singleConsumer(int capacity, WaitPolicy wait) {
        return new LockFreeBatchQueue<>(new MpscVarHandleArrayQueue<>(Math.max(2, capacity)), wait);
    }

    @Override
    boolean add(T batch) {
        return queue.offer(batch);
    }

    /**
     * Compares the number of slots that producers have claimed with the number of slots that consumers have claimed.
     * The queue therefore counts as not empty while a producer fills a slot that it has claimed.
     */
    @Override
    boolean isEmpty() {
        return queue.isEmpty();
    }

    /**
     * Takes the oldest batch without a wait. Does not use the strict poll of JCTools, which spins if a producer was
     * preempted before filling its slot.
     */
    @Override
    public @Nullable T poll() {
        for (int looks = 0; ; looks++) {
            T batch = queue.relaxedPoll();
            if (batch != null || queue.isEmpty()) {
                return batch;
            }
            Backoff.spinThenYield(looks);
        }
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }
}
