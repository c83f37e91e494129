package io.summarizer.core.message;

/**
 * Receives notifications of the progress of a batch, for a connection that has to acknowledge the batch. A receipt
 * belongs to one batch. It is notified for the batch as a whole, even if the pipeline splits the batch.
 *
 * <p>Each method is called at most once, by the thread that completed the step: the journal's thread, a parser worker
 * or an owner. These threads must not wait, so an implementation may only schedule work elsewhere, and must not throw.
 * If a batch is lost because the service fails or stops, the remaining methods are never called, because the batch must
 * not be acknowledged.
 */
public interface Receipt {
    /**
     * Called when all messages of the batch are in the journal and durable. Not called for a batch that is not
     * journalled.
     */
    void durable();

    /** Called when each message of the batch is in the rows, or was rejected, filtered or unmatched. */
    void applied();
}
