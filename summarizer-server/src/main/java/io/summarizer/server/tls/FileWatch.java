package io.summarizer.server.tls;

import io.summarizer.core.queue.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs checks of files at intervals, on a thread of its own. The watch polls, because the file system sends no
 * notification of files that change by links, mounts or renames of folders.
 */
public final class FileWatch implements AutoCloseable {
    /** Interval of the checks. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final System.Logger LOGGER = System.getLogger(FileWatch.class.getName());

    private final ScheduledExecutorService thread;

    /** Runs each of {@code looks} once per interval. */
    public FileWatch(List<Runnable> looks, Duration interval) {
        thread = Executors.newSingleThreadScheduledExecutor(Threads.factory("file-watch"));
        looks.forEach(look -> add(look, interval));
    }

    /** Adds a short check, which runs at its own interval, on the thread of all checks. */
    public void add(Runnable look, Duration interval) {
        var unused = thread.scheduleWithFixedDelay(
                () -> guarded(look), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Runs a check and catches what it throws, because the executor never again runs a task that threw something.
     */
    private static void guarded(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a periodic look failed", e);
        }
    }

    @Override
    public void close() {
        var unused = thread.shutdownNow();
    }
}
