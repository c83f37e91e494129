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
 * Runs a {@link WindowCloser} on two threads, so that no window stays open while the files of other windows are
 * written: one thread closes windows, the other writes files. After a failure, logs and counts the failure, and tries
 * again. An error of the virtual machine ends the thread and completes {@link #failure}; the process should then end.
 */
public final class WindowTimer {
    private static final Logger LOG = System.getLogger(WindowTimer.class.getName());

    /** Time between two steps. A window therefore closes at most a second after the watermark allows the close. */
    private static final Duration INTERVAL = Duration.ofMillis(250);
    /** Pause after a failure. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Loop closing;
    private final Loop writing;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    /**
     * A timer that is not started.
     *
     * @param now time in µs since the epoch, by which files become too old to be kept
     */
    public WindowTimer(WindowCloser closer, LongSupplier now) {
        closing = new Loop(
                "windows",
                "the close of a window",
                () -> closer.closeDue(TimeUnit.NANOSECONDS.toMicros(System.nanoTime())));
        writing = new Loop("window-files", "a closed window", () -> closer.write(now.getAsLong()));
    }

    /** Starts its threads. */
    public void start() {
        closing.thread.start();
        writing.thread.start();
    }

    /** Number of steps that failed. */
    public long failures() {
        return closing.failures.count() + writing.failures.count();
    }

    /** A future that completes when no more windows will be closed or written; its result is the cause. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    /** Makes the current steps the last ones. */
    public void stop() {
        closed.countDown();
    }

    /**
     * Waits for the ends of the last steps. While the disk fails, a step waits for the journal and ends only with it,
     * so the wait has a limit.
     *
     * @return whether both threads have ended
     */
    public boolean close(Duration limit) throws InterruptedException {
        stop();
        long deadline = System.nanoTime() + limit.toNanos();
        return closing.ends(deadline) && writing.ends(deadline);
    }

    /** The repeated work of a thread. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** A thread that runs a step at intervals. */
    private final class Loop {
        private final Step step;
        private final RepeatedFailures failures;
        private final Thread thread;

        /**
         * @param name name of the thread
         * @param what the subject of log lines about failures
         */
        Loop(String name, String what, Step step) {
            this.step = step;
            failures = new RepeatedFailures(LOG, what);
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
        }

        /** Waits until the thread has ended, at most until {@code deadline}, a time of {@link System#nanoTime}. */
        boolean ends(long deadline) throws InterruptedException {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            thread.join(Math.max(1, millis)); // 0 would wait for ever
            return !thread.isAlive();
        }

        private void run() {
            try {
                Duration pause = INTERVAL;
                while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                    pause = succeeds() ? INTERVAL : RETRY;
                }
            } catch (InterruptedException e) {
                failure.complete(e); // nobody interrupts it
                Thread.currentThread().interrupt();
            } catch (Throwable e) {
                LOG.log(Level.ERROR, "no more windows are closed or written, because of a fault", e);
                failure.complete(e);
            }
        }

        private boolean succeeds() throws InterruptedException {
            try {
                step.run();
                failures.succeed();
                return true;
            } catch (IOException | RuntimeException e) {
                if (closed.getCount() > 0) {
                    failures.fail(e); // no failure after a stop, when closes are refused
                }
                return false;
            }
        }
    }
}
