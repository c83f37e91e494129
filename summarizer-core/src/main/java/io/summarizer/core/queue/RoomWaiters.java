package io.summarizer.core.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Receivers that a queue refused and that wait for room: until it is at most half full, and not closed. Consumers of
 * the queue check here after each batch they take, with one volatile read while nobody waits. Bounded by the number of
 * connections, because each waits at most once. Any thread.
 */
public final class RoomWaiters {
    private final BatchQueue<?> queue;
    private final Queue<Runnable> waiters = new ArrayDeque<>();
    private volatile boolean waiting;

    /** Receivers that wait for {@code queue}; none at first. */
    public RoomWaiters(BatchQueue<?> queue) {
        this.queue = queue;
    }

    /** Runs {@code resume} once, when there is room: in this thread if there is room now, else in a consumer's. */
    public void add(Runnable resume) {
        synchronized (this) {
            waiters.add(resume);
            waiting = true;
        }
        taken(); // the last consumer may have checked already
    }

    /** Runs and forgets all waiting receivers if there is room; called after a batch was taken. */
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
