package io.summarizer.server.http;

import io.summarizer.core.queue.Threads;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads that write answers, and the places of pulls. Pulls take turns of {@link #TURN} on few threads. These
 * threads wait neither for a client nor for another thread, so a pull whose client does not read uses no thread. One
 * further thread compiles new queries, one after the other. Another thread writes state files; it is the only thread
 * here that waits for clients.
 *
 * <p>A pull has a place until its last row is handed over. The number of places is bounded, and each address may have
 * at most half of them. When no place is free, a new pull displaces the pull that has waited longest for its client, if
 * that wait is longer than {@link #SPARE}. When an address has reached its bound, its new pull can displace only a
 * pull of the same address. If there is no pull to displace, the new pull is refused.
 *
 * <p>Thread-safe. The bound on places also bounds the threads' queues, because each pull has at most one task in a
 * queue.
 */
final class Pulls implements AutoCloseable {
    /** Duration of a turn. */
    static final Duration TURN = Duration.ofMillis(10);
    /** Longest time that a new query may wait for its compilation. */
    static final Duration COMPILE_WAIT = Duration.ofSeconds(5);
    /**
     * Time for which a pull that waits for its client keeps its place. After a longer wait, a new pull may take the
     * place.
     */
    static final Duration SPARE = Duration.ofSeconds(10);

    private static final int STATES_MAX = 8;
    private static final long STOP_SECONDS = 5;

    private final int pullsMax;
    private final int pullsOfAddressMax;
    /** Guarded by this. */
    private final List<Holder> holders = new ArrayList<>();

    private final AtomicLong preparations = new AtomicLong();
    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor compiler;
    private final ThreadPoolExecutor states;

    /** A pull, as the holder of a place. */
    interface Holder {
        /**
         * Returns the address of the pull's client; null when the address is unknown. For a pull without an address,
         * there is no bound per address.
         */
        @Nullable
        InetAddress address();

        /** Nanoseconds since the pull began to wait for its client; 0 when it does not wait. Any thread may call it. */
        long waitedNanos();

        /**
         * Makes the pull end soon, so that another pull gets its place. Returns false, without effect, when the pull no
         * longer waits for its client.
         */
        boolean displace();
    }

    /** A new query to compile. Queries with the lowest cost come first. */
    private record Preparation(@Nullable InetAddress address, long cost, long number, Runnable task)
            implements Runnable, Comparable<Preparation> {
        @Override
        public void run() {
            task.run();
        }

        @Override
        public int compareTo(Preparation other) {
            return cost == other.cost ? Long.compare(number, other.number) : Long.compare(cost, other.cost);
        }
    }

    Pulls(int threads, int pullsMax) {
        this.pullsMax = pullsMax;
        pullsOfAddressMax = (pullsMax + 1) / 2;
        workers = pool("http-export", threads, new LinkedBlockingQueue<>());
        compiler = pool("http-queries", 1, new PriorityBlockingQueue<>());
        states = pool("http-state", 1, new ArrayBlockingQueue<>(STATES_MAX));
    }

    private static ThreadPoolExecutor pool(String name, int threads, BlockingQueue<Runnable> tasks) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 30, TimeUnit.SECONDS, tasks, Threads.factory(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Gives a pull a place. Returns false when there is no place for it. */
    synchronized boolean begin(Holder pull) {
        InetAddress address = pull.address();
        boolean ofAddress = address != null
                && holders.stream().filter(holder -> isOf(address, holder)).count() >= pullsOfAddressMax;
        if (ofAddress || holders.size() >= pullsMax) {
            Optional<Holder> longest = holders.stream()
                    .filter(holder -> !ofAddress || isOf(address, holder))
                    .filter(holder -> holder.waitedNanos() > SPARE.toNanos())
                    .max(Comparator.comparingLong(Holder::waitedNanos));
            if (longest.isEmpty() || !longest.get().displace()) {
                return false;
            }
            holders.remove(longest.get());
        }
        holders.add(pull);
        return true;
    }

    private static boolean isOf(@Nullable InetAddress address, Holder holder) {
        return address != null && address.equals(holder.address());
    }

    /** Frees the place of a pull, if the pull still has a place. */
    synchronized void end(Holder pull) {
        holders.remove(pull);
        notifyAll();
    }

    /** Number of pulls with a place. */
    synchronized int underWay() {
        return holders.size();
    }

    /** Queues the next turn of a pull after all other queued turns. */
    void turn(Runnable step) {
        workers.execute(step);
    }

    /**
     * Queues a new query for compilation. The query's cost is its length, multiplied by the number of the address's
     * queries in the queue, this query included. Queries with the lowest cost come first, so a client with many queries
     * hardly delays other clients.
     *
     * @param address address of the client; null when it is unknown
     * @param length length of the condition
     */
    void compile(@Nullable InetAddress address, int length, Runnable preparation) {
        long waiting = compiler.getQueue().stream()
                .filter(task -> address != null && task instanceof Preparation other && address.equals(other.address))
                .count();
        compiler.execute(
                new Preparation(address, (length + 1) * (waiting + 1), preparations.incrementAndGet(), preparation));
    }

    /** Queues a state file to be written. */
    void state(Runnable writing) {
        states.execute(writing);
    }

    /** Gives tasks in progress 5 s to end. */
    @Override
    public void close() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        states.shutdown();
        try {
            boolean ended = awaitEnd(deadline);
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

    private synchronized boolean awaitEnd(long deadline) throws InterruptedException {
        while (!holders.isEmpty()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
