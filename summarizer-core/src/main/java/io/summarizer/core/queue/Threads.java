package io.summarizer.core.queue;

import java.util.concurrent.ThreadFactory;

/** Makes daemon threads, which do not keep the process alive. */
public final class Threads {
    private Threads() {}

    /** Makes and starts a thread. */
    public static Thread start(String name, Runnable task) {
        Thread thread = factory(name).newThread(task);
        thread.start();
        return thread;
    }

    /** Makes threads of this name. */
    public static ThreadFactory factory(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
