package io.summarizer.core.queue;

import java.util.function.BooleanSupplier;

/** How consumers of one queue wait while it is empty: one small class for each way, shared by all kinds of queue. */
interface ConsumerWait {
    /**
     * Returns when {@code ready}, after {@link #wakeUp}, after about {@code nanos}, or for no reason.
     *
     * @param ready whether there is something to take; must not block
     */
    void await(BooleanSupplier ready, long nanos) throws InterruptedException;

    /** Something was added; called by the producer afterwards, with an atomic update in between. */
    void added();

    /** Ends the wait of all who wait now. */
    void wakeUp();

    static ConsumerWait of(WaitPolicy policy) {
        return policy == WaitPolicy.BLOCKING ? new ParkingWait() : new SpinningWait(policy);
    }
}
