package io.summarizer.server.tls;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Has those that live on files look at them now and then, on a thread of its own. To look, not to be told by the file system, as
 * files come in by links, mounts and renames of folders, which notice of changes does not cover.
 */
public final class FileWatch implements AutoCloseable {
    /** How soon a change is seen. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final System.Logger LOGGER = System.getLogger(FileWatch.class.getName());

    private final ScheduledExecutorService thread;

    /** Calls each of {@code looks} once an interval. */
    public FileWatch(List<Runnable> looks, Duration interval) {
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "file-watch");
            made.setDaemon(true);
            return made;
        });
        looks.forEach(look -> add(look, interval));
    }

    /** Has something short done once an interval on the same thread. */
    public void add(Runnable look, Duration interval) {
        var unused = thread.scheduleWithFixedDelay(
                () -> guarded(look), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A task that throws is never run again. */
    private static void guarded(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, "a periodic look failed", e);
        }
    }

    @Override
    public void close() {
        var unused = thread.shutdownNow();
    }
}
