package io.summarizer.core.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Receivers whose batch a queue refused. They wait until the queue is at most half full; when the queue is closed, no
 * receiver is resumed. Consumers of the queue check this object after each batch that they take, with one volatile read
 * while no receiver waits. The number of connections bounds the number of waiting receivers, because a connection waits
 * here at most once. Any thread.
 */
public final class RoomWaiters {
    private final BatchQueue<?> queue;
    private final Queue<Runnable> waiters = new ArrayDeque<>();
    private volatile boolean waiting;

    /** An empty list of receivers that wait for {@code queue}. */
    public RoomWaiters(BatchQueue<?> queue) {
        this.queue = queue;
    }

    /**
     * Runs {@code resume} once, when there is room: on the calling thread if there is room now, otherwise on the thread
     * of a consumer.
     */
    public void add(Runnable resume) {
        synchronized (this) {
            waiters.add(resume);
            waiting = true;
        }
        taken(); // the last consumer may have checked already
    }

    /** Resumes and removes all waiting receivers if there is room; called after a batch was taken. */
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
