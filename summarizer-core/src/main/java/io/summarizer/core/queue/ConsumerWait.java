package io.summarizer.core.queue;

import java.util.function.BooleanSupplier;

/** A way in which consumers wait while their queue is empty. All kinds of queue share the implementations. */
interface ConsumerWait {
    /**
     * Waits. Returns when {@code ready} is true, after {@link #wakeUp}, after about {@code nanos} ns, or spuriously.
     *
     * @param ready whether there is a batch to take; must not block
     */
    void await(BooleanSupplier ready, long nanos) throws InterruptedException;

    /**
     * Tells consumers that a batch was added. The producer calls this method after it has added the batch and then made
     * an atomic update.
     */
    void added();

    /** Ends the wait of all waiting consumers. */
    void wakeUp();

    static ConsumerWait of(WaitPolicy policy) {
        return policy == WaitPolicy.BLOCKING ? new ParkingWait() : new SpinningWait(policy);
    }
}
