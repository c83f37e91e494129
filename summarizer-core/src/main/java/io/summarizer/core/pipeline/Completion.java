package io.summarizer.core.pipeline;

import io.summarizer.core.message.Receipt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what is left to do of a batch that somebody waits for: its update batches that owners have not applied, or the parts
 * that it was divided into. Tells the receipt when nothing is. Any thread.
 *
 * <p>Who makes it, and who has a part, has a share in it that is {@link #done given back} when nothing more is added, so that
 * the count does not fall to zero before.
 */
final class Completion implements Receipt {
    private final Receipt receipt;
    private final AtomicInteger left = new AtomicInteger(1);

    Completion(Receipt receipt) {
        this.receipt = receipt;
    }

    /** What waits for the rest of a batch with this receipt: what waits for the whole, when it is a part. */
    static Completion of(Receipt receipt) {
        return receipt instanceof Completion part ? part : new Completion(receipt);
    }

    /** One thing more to do. Only by who has a share. */
    void add() {
        left.incrementAndGet();
    }

    /** One thing less to do; the last one tells the receipt, on the calling thread. */
    void done() {
        if (left.decrementAndGet() == 0) {
            receipt.applied();
        }
    }

    /** Never called: a batch is journalled as a whole, and divided afterwards. */
    @Override
    public void durable() {
        throw new IllegalStateException("a part of a batch cannot become durable by itself");
    }

    /** Of a part. */
    @Override
    public void applied() {
        done();
    }
}
