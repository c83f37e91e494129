package io.summarizer.core.recovery;

import io.summarizer.core.disk.RepeatedFailures;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Runs the steps of a {@link WindowCloser} on a separate thread. After a failure, logs and counts the failure, and
 * tries again. An error of the virtual machine ends the thread and completes {@link #failure}; the process should then
 * end.
 */
public final class WindowTimer {
    private static final Logger LOG = System.getLogger(WindowTimer.class.getName());

    /** Time between two steps. A window therefore closes at most a second after the watermark allows the close. */
    private static final Duration INTERVAL = Duration.ofMillis(250);
    /** Pause after a failure. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final WindowCloser closer;
    private final LongSupplier now;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final RepeatedFailures failures = new RepeatedFailures(LOG, "a closed window");
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /**
     * A timer that is not started.
     *
     * @param now time in µs since the epoch, by which files become too old to be kept
     */
    public WindowTimer(WindowCloser closer, LongSupplier now) {
        this.closer = closer;
        this.now = now;
        thread = new Thread(this::run, "windows");
        thread.setDaemon(true);
    }

    /** Starts its thread. */
    public void start() {
        thread.start();
    }

    /** Number of steps that failed. */
    public long failures() {
        return failures.count();
    }

    /** A future that completes when no more windows will be closed; its result is the cause. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    private void run() {
        try {
            Duration pause = INTERVAL;
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                pause = step() ? INTERVAL : RETRY;
            }
        } catch (InterruptedException e) {
            failure.complete(e); // nobody interrupts it
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "no more windows are closed, because of a fault", e);
            failure.complete(e);
        }
    }

    private boolean step() throws InterruptedException {
        try {
            closer.step(TimeUnit.NANOSECONDS.toMicros(System.nanoTime()), now.getAsLong());
            failures.succeed();
            return true;
        } catch (IOException | RuntimeException e) {
            if (closed.getCount() > 0) {
                failures.fail(e); // no failure after a stop, when closes are refused
            }
            return false;
        }
    }

    /** Makes the current step the last one. */
    public void stop() {
        closed.countDown();
    }

    /** Waits for the end of the last step. */
    public void close() throws InterruptedException {
        stop();
        thread.join();
    }
}
