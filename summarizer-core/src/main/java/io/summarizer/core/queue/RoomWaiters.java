package io.summarizer.core.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Receivers that were refused by a queue and want to be told of room: once it is at most half full, and not closed. Consumers of the
 * queue look here after each batch they take: one volatile read as long as nobody waits. Bounded by the number of connections,
 * because each waits at most once. Any thread.
 */
public final class RoomWaiters {
    private final BatchQueue<?> queue;
    private final Queue<Runnable> waiters = new ArrayDeque<>();
    private volatile boolean waiting;

    /** Nobody waits for room in {@code queue}. */
    public RoomWaiters(BatchQueue<?> queue) {
        this.queue = queue;
    }

    /** Has {@code resume} run once, when there is room: by this thread if there is now, else by a consumer. */
    public void add(Runnable resume) {
        synchronized (this) {
            waiters.add(resume);
            waiting = true;
        }
        taken(); // the last consumer may have passed by already
    }

    /** After a batch was taken: runs and forgets all that wait, when there is room. */
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
