package io.summarizer.server.http;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Who works on answers, and on how many at a time. Pulls take turns of {@link #TURN} on few threads, none of which waits
 * for a client or for another thread: a pull whose client does not read is on no thread. New queries are compiled on a
 * thread of their own, one after the other, and state files are written on another, which does wait for its client.
 *
 * <p>Thread-safe. There are at most so many pulls under way, whoever waits included, hence as many tasks.
 */
final class Pulls implements AutoCloseable {
    /** How long a pull works before it is another one's turn. */
    static final Duration TURN = Duration.ofMillis(10);
    /** How long a new query may wait to be compiled. */
    static final Duration COMPILE_WAIT = Duration.ofSeconds(5);

    private static final int STATES_MAX = 8;
    private static final long STOP_SECONDS = 5;

    private final int pullsMax;
    private final Semaphore places;
    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor compiler;
    private final ThreadPoolExecutor states;

    Pulls(int threads, int pullsMax) {
        this.pullsMax = pullsMax;
        places = new Semaphore(pullsMax);
        workers = pool("http-export", threads, new LinkedBlockingQueue<>());
        compiler = pool("http-queries", 1, new LinkedBlockingQueue<>());
        states = pool("http-state", 1, new ArrayBlockingQueue<>(STATES_MAX));
    }

    private static ThreadPoolExecutor pool(String name, int threads, BlockingQueue<Runnable> tasks) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, tasks, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Takes a place for a pull; false when there is none. */
    boolean begin() {
        return places.tryAcquire();
    }

    /** Gives the place of a pull back. */
    void end() {
        places.release();
    }

    /** Pulls under way. */
    int underWay() {
        return pullsMax - places.availablePermits();
    }

    /** Has a pull take its next turn, after all that have asked before. */
    void turn(Runnable step) {
        workers.execute(step);
    }

    /** Has a new query compiled. */
    void compile(Runnable preparation) {
        compiler.execute(preparation);
    }

    /** Has a state file written. */
    void state(Runnable writing) {
        states.execute(writing);
    }

    /** Gives what is under way 5 s to end. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        states.shutdown();
        try {
            boolean ended = places.tryAcquire(pullsMax, STOP_SECONDS, TimeUnit.SECONDS);
            var unused = states.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (ended) {
                workers.shutdown();
                unused = workers.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        workers.shutdownNow();
        compiler.shutdownNow();
        states.shutdownNow();
    }
}
