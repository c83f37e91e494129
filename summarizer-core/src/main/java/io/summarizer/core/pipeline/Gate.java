package io.summarizer.core.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps parser workers between batches while a cut is taken. A worker enters, takes one batch, processes it and leaves;
 * once {@link #close} has returned, no worker holds a batch, and what the workers wrote is visible to the caller.
 *
 * <p>A pass costs a worker two writes to a cache line of its own and one read of a shared one. It is Dekker's protocol:
 * the worker raises its flag and then reads {@code closed}, the coordinator raises {@code closed} and then reads the
 * flags; all four accesses are volatile, so one of the two sees the other.
 */
public final class Gate {
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(long[].class);
    /** Longs between two flags: 128 bytes, as processors fetch cache lines in pairs. */
    private static final int STRIDE = 16;

    private static final int SPINS = 200;
    private static final int SLEEP_NANOS = 50_000;

    /** Flag of worker i at (i + 1) * STRIDE: 1 inside, 0 outside. */
    private final long[] flags;

    private final int workers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition reopened = lock.newCondition();
    private volatile boolean closed;

    /** An open gate for workers 0 to {@code workers} - 1. */
    public Gate(int workers) {
        this.workers = workers;
        flags = new long[(workers + 2) * STRIDE];
    }

    /** Waits until the gate is open; from then on worker {@code worker}, the caller, is inside. */
    public void enter(int worker) {
        int at = (worker + 1) * STRIDE;
        while (true) {
            FLAG.setVolatile(flags, at, 1L);
            if (!closed) {
                return;
            }
            FLAG.setVolatile(flags, at, 0L);
            awaitOpen();
        }
    }

    /** Worker {@code worker}, the caller, is outside again. */
    public void leave(int worker) {
        FLAG.setRelease(flags, (worker + 1) * STRIDE, 0L);
    }

    /** Closes the gate and waits until all workers are outside. One caller at a time, who calls {@link #open} in the end. */
    public void close() throws InterruptedException {
        closed = true;
        for (int worker = 0; worker < workers; worker++) {
            int at = (worker + 1) * STRIDE;
            for (int spins = 0; (long) FLAG.getVolatile(flags, at) != 0; spins++) {
                if (spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    Thread.sleep(0, SLEEP_NANOS); // it may be waiting for an owner, or for our core
                }
            }
        }
    }

    /** Lets the workers go on. */
    public void open() {
        lock.lock();
        try {
            closed = false;
            reopened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitOpen() {
        lock.lock();
        try {
            while (closed) {
                reopened.awaitUninterruptibly(); // the coordinator reopens whatever happens
            }
        } finally {
            lock.unlock();
        }
    }
}
