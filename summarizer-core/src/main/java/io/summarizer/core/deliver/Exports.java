package io.summarizer.core.deliver;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.ExportMemory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Delivers the files of all exports on a thread of its own. The exports take turns, a file at a time. When a delivery
 * fails, the failure is logged and counted, and the delivery is repeated after a pause. The pause grows with each
 * failure. The other exports continue meanwhile. An error of the virtual machine ends the thread and completes {@link
 * #failure}; the process should then end.
 */
public final class Exports {
    private static final Logger LOG = System.getLogger(Exports.class.getName());

    /** Time between two searches for due files. */
    private static final Duration INTERVAL = Duration.ofMillis(250);
    /** Longest wait of a stop. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final List<ExportJob> jobs;
    private final CountDownLatch closed;
    private final Thread thread;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private Exports(List<ExportJob> jobs, CountDownLatch closed) {
        this.jobs = List.copyOf(jobs);
        this.closed = closed;
        thread = new Thread(this::run, "exports");
        thread.setDaemon(true);
    }

    /**
     * Reads the deliveries that were made. Create this object before windows close or are deleted.
     *
     * @param marks the folder with the deliveries that were made
     * @param groupBytes maximum memory, in bytes, for the groups of an export
     * @throws IOException when the folder of marks cannot be read or written
     */
    public static Exports open(
            List<Export> exports,
            ExportSource source,
            ExportTargets targets,
            CsvCompiler compiler,
            Disk marks,
            long groupBytes)
            throws IOException {
        CountDownLatch closed = new CountDownLatch(1);
        ExportJob.Means means = new ExportJob.Means(
                source,
                targets,
                compiler,
                ExportMemory.forPasses(),
                ExportMemory.forGroups(groupBytes),
                () -> closed.getCount() == 0);
        List<ExportJob> jobs = new ArrayList<>();
        for (Export export : exports) {
            ExportJob job = ExportJob.open(export, means, marks);
            job.begin(now());
            jobs.add(job);
        }
        return new Exports(jobs, closed);
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** The exports and their counts. */
    public List<ExportJob> jobs() {
        return jobs;
    }

    /** Starts the thread, if there are exports. */
    public void start() {
        if (!jobs.isEmpty()) {
            thread.start();
        }
    }

    /** A future that completes when delivery has ended because of an error; its value is this error. */
    public CompletableFuture<Throwable> failure() {
        return failure.copy();
    }

    private void run() {
        try {
            boolean more = false;
            while (!closed.await(more ? 0 : INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
                more = false;
                for (ExportJob job : jobs) {
                    more |= job.step(System.nanoTime(), now());
                }
            }
        } catch (InterruptedException e) {
            failure.complete(e); // nobody interrupts it
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.log(Level.ERROR, "no more files are exported, because of a fault", e);
            failure.complete(e);
        }
    }

    /**
     * Stops the thread, and waits until it has ended. If a file system does not respond, gives up waiting after a
     * while. The next process delivers an unfinished file again.
     */
    public void close() throws InterruptedException {
        closed.countDown();
        thread.join(CLOSE_LIMIT.toMillis());
        if (thread.isAlive()) {
            LOG.log(Level.WARNING, "a file is being exported still; the next start repeats it");
        }
    }
}
