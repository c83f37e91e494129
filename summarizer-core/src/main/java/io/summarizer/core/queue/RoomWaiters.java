package io.summarizer.core.queue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Receivers and other producers that wait because a queue refused their batch. They wait until the queue is at most
 * half full; when the queue is closed, none of them is resumed. Each time a consumer has taken a batch, it checks
 * whether producers wait. While none waits, the check is one volatile read. A connection or a thread waits here at most
 * once, and a connection leaves when it ends, so there are never more waiting producers than connections and threads.
 * Any thread.
 */
public final class RoomWaiters {
    private final BatchQueue<?> queue;
    private final Set<Runnable> waiters = new LinkedHashSet<>();
    private volatile boolean waiting;

    /** An empty list of receivers that wait for {@code queue}. */
    public RoomWaiters(BatchQueue<?> queue) {
        this.queue = queue;
    }

    /**
     * Runs {@code resume} once, when the queue is at most half full. If the queue is already at most half full, the
     * calling thread runs {@code resume} immediately; otherwise, the thread of a consumer runs it later.
     */
    public void add(Runnable resume) {
        synchronized (this) {
            waiters.add(resume);
            waiting = true;
        }
        taken(); // the last consumer may have checked already
    }

    /** Forgets a producer that waits no longer. */
    public synchronized void remove(Runnable resume) {
        waiters.remove(resume);
        waiting = !waiters.isEmpty();
    }

    /** Resumes and removes all waiting receivers if the queue is at most half full. Called after a batch was taken. */
    public void taken() {
        if (!waiting || !queue.isHalfEmpty() || queue.isClosed()) {
            return;
        }
        List<Runnable> resumed;
        synchronized (this) {
            resumed = new ArrayList<>(waiters);
            waiters.clear();
            waiting = false;
        }
        resumed.forEach(Runnable::run);
    }
}
