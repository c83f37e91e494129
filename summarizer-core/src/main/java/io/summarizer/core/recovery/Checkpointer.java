package io.summarizer.core.recovery;

import io.summarizer.core.disk.RepeatedFailures;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes checkpoints at intervals, and on request when the journal is full. Runs on a separate thread. After a failure,
 * logs and counts the failure and tries again; nothing is lost until the journal is full. An error of the virtual
 * machine ends the thread and completes {@link #failure}. The process should then end, because otherwise nobody would
 * notice that checkpoints are no longer written.
 *
 * <p>Any thread may request checkpoints and read the counters.
 */
public final class Checkpointer {
    private static final Logger LOG = System.getLogger(Checkpointer.class.getName());
    /** Pause after a failure. */
    private static final Duration RETRY = Duration.ofSeconds(1);
    /**
     * Pause between two requested checkpoints. The pause is needed because a requester repeats its request as long as
     * the journal is full.
     */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final DurableControls controls;
    private final long intervalNanos;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean requested;
    private volatile boolean closed;

    private final RepeatedFailures failures;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /**
     * A checkpointer that is not started.
     *
     * @param interval time from the end of one checkpoint to the beginning of the next; if zero, only requested
     *     checkpoints are written
     */
    public Checkpointer(DurableControls controls, Duration interval) {
        this.controls = controls;
        intervalNanos = interval.toNanos();
        failures = new RepeatedFailures(LOG, "a checkpoint in " + controls.folderOfCheckpoints());
        thread = new Thread(this::run, "checkpointer");
        thread.setDaemon(true);
    }

    /** Starts its thread. */
    public void start() {
        thread.start();
    }

    /**
     * Requests a checkpoint soon, so that the journal can release records. The checkpoint is written even if nothing
     * has changed.
     */
    public void request() {
        lock.lock();
        try {
            requested = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Number of checkpoints that could not be written. */
    public long failures() {
        return failures.count();
    }

    /** A future that completes when no more checkpoints will be written; its result is the cause. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    private void run() {
        try {
            long waitNanos = intervalNanos;
            while (true) {
                boolean asked = await(waitNanos);
                if (closed) {
                    return;
                }
                boolean done = write(asked);
                waitNanos = done ? intervalNanos : RETRY.toNanos();
                if (asked) {
                    pause();
                }
            }
        } catch (InterruptedException e) {
            failure.complete(e); // nobody interrupts it
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "no more checkpoints are written, because of a fault", e);
            failure.complete(e);
        }
    }

    /** Waits until the next checkpoint is due; returns whether a checkpoint was requested. */
    private boolean await(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!requested && !closed && (nanos == 0 || left > 0)) {
                if (nanos == 0) {
                    changed.await();
                } else {
                    left = changed.awaitNanos(left);
                }
            }
            boolean asked = requested;
            requested = false;
            return asked;
        } finally {
            lock.unlock();
        }
    }

    /** Pauses, so that others can use the disk for a moment. */
    private void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = PAUSE.toNanos();
            while (!closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean write(boolean asked) throws InterruptedException {
        try {
            var unused = controls.checkpoint(asked);
            failures.succeed();
            return true;
        } catch (IOException | RuntimeException e) {
            failures.fail(e);
            return false;
        }
    }

    /** Ends the thread, after the current checkpoint is written. */
    public void close() throws InterruptedException {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        thread.join();
    }
}
