package io.summarizer.core.pipeline;

import io.summarizer.core.queue.Waiting;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends all threads of a pipeline when one of them dies. Otherwise, the other threads would wait for the dead thread,
 * and pulls would show numbers that no longer grow. Remembers the first fault. Thread-safe.
 */
final class PipelineFailure {
    private static final long CHECK_MS = 100;
    private static final Logger LOG = System.getLogger(PipelineFailure.class.getName());

    private final AgentRunner runner;
    private final CompletableFuture<Throwable> cause = new CompletableFuture<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** The state of a pipeline in which nothing has failed. */
    PipelineFailure(AgentRunner runner) {
        this.runner = runner;
    }

    /** A thread of the pipeline, not started yet. The thread ends when another thread of the pipeline dies. */
    Thread newThread(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true); // close() waits for threads; after a failed start, none may keep the process alive
        threads.add(thread);
        return thread;
    }

    /** A thread that does the work of an agent; null when the runner takes the steps of the agent. */
    @Nullable
    Thread newThread(String name, Agent agent) {
        if (runner.takes(agent)) {
            return null;
        }
        return newThread(name, () -> {
            try {
                agent.work();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Throwable e) {
                report(e);
            } finally {
                agent.ended();
            }
        });
    }

    /** Records that a thread has ended. */
    void forget(Thread thread) {
        threads.remove(thread);
    }

    /** Records that the calling thread dies of {@code fault}. */
    void report(Throwable fault) {
        if (cause.complete(fault)) {
            LOG.log(Level.ERROR, "the pipeline stops because of a fault in this program", fault);
            threads.forEach(Thread::interrupt);
        }
    }

    /** Completed with the first fault. */
    CompletableFuture<Throwable> cause() {
        return cause;
    }

    /** Throws when a thread has died. */
    void check() {
        if (cause.isDone()) {
            throw new IllegalStateException("the pipeline has failed: " + cause.join(), cause.join());
        }
    }

    /**
     * Tries {@code attempt} about every 50 µs, until it succeeds. Throws when a thread of the pipeline has died, or on
     * an interrupt.
     */
    void untilTrue(BooleanSupplier attempt) throws InterruptedException {
        untilTrue(attempt, AgentRunner.SPINS);
    }

    /**
     * Does the same as {@link #untilTrue(BooleanSupplier)}, for waits of a few µs: makes the first attempts without a
     * pause between them.
     */
    void untilSoonTrue(BooleanSupplier attempt) throws InterruptedException {
        untilTrue(attempt, 0);
    }

    private void untilTrue(BooleanSupplier attempt, int firstLook) throws InterruptedException {
        for (int looks = firstLook; ; looks++) {
            check();
            if (attempt.getAsBoolean()) {
                return;
            }
            runner.pause(looks);
        }
    }

    /**
     * Tries {@code attempt} until it succeeds. After a failed try, waits for room and tries again. Throws when a thread
     * of the pipeline has died, or on an interrupt.
     *
     * @param onRoom runs its argument once, when there is room; may run it at once
     * @param between called after each failed try, and about every 2 ms
     */
    void untilRoom(BooleanSupplier attempt, Consumer<Runnable> onRoom, Runnable between) throws InterruptedException {
        Thread waiting = Thread.currentThread();
        AtomicBoolean room = new AtomicBoolean(true);
        Runnable resume = () -> {
            room.set(true);
            if (Thread.currentThread() != waiting) { // otherwise the pause below would not last
                LockSupport.unpark(waiting);
            }
        };
        while (true) {
            check();
            if (room.get()) {
                if (attempt.getAsBoolean()) {
                    return;
                }
                room.set(false);
                onRoom.accept(resume);
            }
            between.run();
            if (room.get()) {
                runner.pause(AgentRunner.SPINS); // the room was taken by another thread, or is too small
            } else {
                runner.park();
            }
        }
    }

    /**
     * Waits until agents have counted a latch down to zero. Throws when a thread of the pipeline has died, or on an
     * interrupt.
     */
    void untilDown(CountDownLatch latch) throws InterruptedException {
        while (!runner.await(latch, CHECK_MS)) {
            check();
        }
    }

    /**
     * Waits until an agent is done, even if the caller is interrupted. If the pipeline has failed, waits until the
     * agent's thread has ended.
     */
    void awaitEnd(Agent agent, @Nullable Thread thread) {
        Waiting.uninterruptibly(() -> {
            if (thread != null) {
                thread.join();
            } else {
                untilTrue(agent::isDone);
            }
        });
    }
}
