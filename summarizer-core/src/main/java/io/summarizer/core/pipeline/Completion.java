package io.summarizer.core.pipeline;

import io.summarizer.core.message.Receipt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the open work of a message batch that has a receipt. Open work is either a part of the batch that is not
 * processed yet, or an update batch that an owner has not applied yet. A batch that was not divided is one part.
 * Notifies the receipt when no open work is left. Thread-safe.
 *
 * <p>The creator of a completion and the holder of each part have one share each. A holder that will add no more work
 * {@link #done gives its share back}. The count cannot reach zero while a share is held.
 */
final class Completion implements Receipt {
    private final Receipt receipt;
    private final AtomicInteger left = new AtomicInteger(1);

    Completion(Receipt receipt) {
        this.receipt = receipt;
    }

    /**
     * The completion for a batch with this receipt. For a part of a divided batch, the result is the completion of the
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

    /** Throws. Never called, because a batch is journalled before it is divided. */
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
