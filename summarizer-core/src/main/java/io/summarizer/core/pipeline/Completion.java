package io.summarizer.core.pipeline;

import io.summarizer.core.message.Receipt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open work of a batch that has a receipt: its parts, or its update batches that owners have not applied.
 * Notifies the receipt when there is no open work left. Any thread.
 *
 * <p>The creator of a completion and the holder of each part have a share of it. They {@link #done give back} their
 * share when they add no more work, so that the count does not reach zero earlier.
 */
final class Completion implements Receipt {
    private final Receipt receipt;
    private final AtomicInteger left = new AtomicInteger(1);

    Completion(Receipt receipt) {
        this.receipt = receipt;
    }

    /**
     * The completion for a part of a batch with this receipt; if that batch is itself a part, the completion of the
     * whole batch.
     */
    static Completion of(Receipt receipt) {
        return receipt instanceof Completion part ? part : new Completion(receipt);
    }

    /** Adds one share. Only a holder of a share may call this. */
    void add() {
        left.incrementAndGet();
    }

    /** Gives one share back. The last call notifies the receipt, on the calling thread. */
    void done() {
        if (left.decrementAndGet() == 0) {
            receipt.applied();
        }
    }

    /** Never called, because a batch is journalled as a whole, and divided afterwards. */
    @Override
    public void durable() {
        throw new IllegalStateException("a part of a batch cannot become durable by itself");
    }

    /** Called for a part. */
    @Override
    public void applied() {
        done();
    }
}
