package io.summarizer.core.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Divides the sections of a file among several threads, one of which is the calling thread. */
final class Parallel {
    private Parallel() {}

    /** The work of one thread, with its own buffers. */
    interface Worker extends AutoCloseable {
        void section(int section) throws IOException;

        @Override
        void close();
    }

    /** Makes the worker of one thread. */
    interface WorkerFactory {
        Worker make();
    }

    /**
     * Processes each section once, and waits until all are done or one has failed.
     *
     * @throws IOException the first failure
     * @throws InterruptedException when the caller was interrupted; all threads have ended in this case, too
     */
    static void forEachSection(int sections, int threads, WorkerFactory workers)
            throws IOException, InterruptedException {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Runnable loop = () -> {
            try (Worker worker = workers.make()) {
                int section;
                while (failure.get() == null && (section = next.getAndIncrement()) < sections) {
                    worker.section(section);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        };
        List<Thread> others = new ArrayList<>();
        for (int i = 1; i < Math.min(threads, sections); i++) {
            Thread thread = new Thread(loop, "state-" + i);
            thread.setDaemon(true);
            thread.start();
            others.add(thread);
        }
        loop.run();
        InterruptedException interrupted = null;
        for (Thread thread : others) {
            while (true) {
                try {
                    thread.join();
                    break;
                } catch (InterruptedException e) {
                    failure.compareAndSet(null, e);
                    interrupted = e;
                }
            }
        }
        if (interrupted != null) {
            throw interrupted;
        }
        Throwable cause = failure.get();
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        if (cause != null) {
            throw cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
        }
    }
}
