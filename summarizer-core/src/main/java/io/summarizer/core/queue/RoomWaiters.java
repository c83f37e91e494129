package io.summarizer.core.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Receivers that were refused by a queue and want to be told of room. Consumers of the queue look here after each batch they
 * take: one volatile read as long as nobody waits. Bounded by the number of connections, as each waits at most once.
 */
public final class RoomWaiters {
    private final Queue<Runnable> waiters = new ArrayDeque<>();
    private volatile boolean waiting;

    /** Adds one; the caller then looks at the queue again, because its last consumer may have passed by already. */
    public synchronized void add(Runnable resume) {
        waiters.add(resume);
        waiting = true;
    }

    /** Whether anybody waits. */
    public boolean any() {
        return waiting;
    }

    /** Runs and forgets all that wait. */
    public void resumeAll() {
        List<Runnable> resumed;
        synchronized (this) {
            resumed = new ArrayList<>(waiters);
            waiters.clear();
            waiting = false;
        }
        resumed.forEach(Runnable::run);
    }
}
