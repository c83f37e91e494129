package io.summarizer.core.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets producers in until it is closed, and knows when the last one is out: from then on nothing is added to the queue behind
 * it, so that an empty queue stays empty. Looking at a flag alone would not do: a producer could look, be held up, and add
 * after the last consumer has left.
 *
 * <p>Each producer counts itself in and out on one of a few counters, chosen by its thread and each on a cache line of its
 * own, so that producers do not meet here. Passing costs two uncontended atomic additions, some 10 ns, for each batch.
 */
final class ProducerDoor {
    private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int COUNTERS = 8;
    /** Longs between two counters: 128 bytes, as processors fetch cache lines in pairs. */
    private static final int STRIDE = 16;

    /** The sign bit of each counter: closed. It is in the counter so that one operation both asks and enters. */
    private static final long CLOSED = Long.MIN_VALUE;

    private final long[] counts = new long[(COUNTERS + 2) * STRIDE];

    /** Lets the caller in, who then must {@link #leave}; false when the door is closed. */
    boolean enter() {
        int at = counterOfCaller();
        while (true) {
            long count = (long) COUNT.getVolatile(counts, at);
            if (count < 0) {
                return false;
            }
            if (COUNT.compareAndSet(counts, at, count, count + 1)) {
                return true;
            }
        }
    }

    /** The caller is out again. An atomic update: what the caller reads afterwards it reads after what it wrote inside. */
    void leave() {
        COUNT.getAndAdd(counts, counterOfCaller(), -1L);
    }

    void close() {
        for (int i = 1; i <= COUNTERS; i++) {
            COUNT.getAndBitwiseOr(counts, i * STRIDE, CLOSED);
        }
    }

    boolean isClosed() {
        return (long) COUNT.getVolatile(counts, COUNTERS * STRIDE) < 0; // the last one to be closed
    }

    /** Whether the door is closed and nobody is inside. Stays so, as a counter that is closed can only go down. */
    boolean isShut() {
        for (int i = COUNTERS; i > 0; i--) {
            if ((long) COUNT.getVolatile(counts, i * STRIDE) != CLOSED) {
                return false;
            }
        }
        return true;
    }

    /** The same for all calls of a thread: the identity hash is in the object's header. */
    private static int counterOfCaller() {
        return ((Thread.currentThread().hashCode() & (COUNTERS - 1)) + 1) * STRIDE;
    }
}
