package io.summarizer.core.pipeline;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a pipeline's agents, and decides what callers do while they wait for agents. In a simulation, a waiting caller
 * takes the steps of the agents itself.
 */
interface AgentRunner {
    /** Number of checks that a thread makes before it begins to sleep between checks. */
    int SPINS = 200;

    /** A thread for each agent. */
    AgentRunner THREADS = new AgentRunner() {
        private static final long SLEEP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
        private static final long PARK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

        @Override
        public boolean takes(Agent agent) {
            return false;
        }

        @Override
        public void pause(int looks) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (looks < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(SLEEP_NANOS); // an agent may wait for another agent, or for this core
            }
        }

        @Override
        public void park() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(this, PARK_NANOS);
        }

        @Override
        public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        }
    };

    /**
     * Whether the runner takes the steps of {@code agent}. If it does, the agent has no thread; otherwise the agent
     * gets a thread.
     */
    boolean takes(Agent agent);

    /**
     * Waits a little between two checks of a value that agents will change; {@code looks} is the number of checks so
     * far.
     */
    void pause(int looks) throws InterruptedException;

    /** Waits until another thread unparks the calling thread, but not longer than about 2 ms. */
    void park() throws InterruptedException;

    /**
     * Waits until the latch has reached zero, but not longer than about {@code millis} milliseconds. Returns whether
     * the latch has reached zero.
     */
    boolean await(CountDownLatch latch, long millis) throws InterruptedException;
}
