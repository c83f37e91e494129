package io.summarizer.core.pipeline;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stops parser workers while a cut is taken, but never within a batch. A worker enters, takes one batch, processes the
 * batch and leaves. No worker holds a batch while the gate is both closed ({@link #close}) and empty ({@link
 * #isEmpty}).
 *
 * <p>For each batch, a worker makes two writes to a cache line that no other worker writes, and one read of a shared
 * cache line. The gate uses Dekker's protocol. The worker sets its flag and then reads {@code closed}; the coordinator
 * sets {@code closed} and then reads the flags. All four accesses are volatile, so at least one of the two threads sees
 * the write of the other.
 */
public final class Gate {
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(long[].class);
    /** Longs between two flags: 128 bytes, because processors fetch cache lines in pairs. */
    private static final int STRIDE = 16;

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

    /** Lets the calling worker in, unless the gate is closed. Returns whether the worker is inside. */
    public boolean tryEnter(int worker) {
        int at = (worker + 1) * STRIDE;
        FLAG.setVolatile(flags, at, 1L);
        if (!closed) {
            return true;
        }
        FLAG.setVolatile(flags, at, 0L);
        return false;
    }

    /** Waits until the gate is open, and lets the calling worker in. */
    public void enter(int worker) {
        while (!tryEnter(worker)) {
            awaitOpen();
        }
    }

    /** Lets the calling worker out. */
    public void leave(int worker) {
        FLAG.setRelease(flags, (worker + 1) * STRIDE, 0L);
    }

    /**
     * Closes the gate, so that no worker enters until the caller {@linkplain #open opens} it again. One caller at a
     * time.
     */
    public void close() {
        closed = true;
    }

    /**
     * Whether no worker is inside. When the result is true and the gate is closed, the gate stays empty, and the caller
     * sees all writes of the workers.
     */
    public boolean isEmpty() {
        for (int worker = 0; worker < workers; worker++) {
            if ((long) FLAG.getVolatile(flags, (worker + 1) * STRIDE) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Opens the gate. */
    public void open() {
        lock.lock();
        try {
            closed = false;
            reopened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the gate is open; returns at once when the gate is open already. */
    void awaitOpen() {
        if (!closed) {
            return;
        }
        lock.lock();
        try {
            while (closed) {
                reopened.awaitUninterruptibly(); // the coordinator always opens the gate again
            }
        } finally {
            lock.unlock();
        }
    }
}
