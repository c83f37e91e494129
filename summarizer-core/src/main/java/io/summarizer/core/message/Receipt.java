package io.summarizer.core.message;

/**
 * Receives news about a batch: for a connection that has to acknowledge it. It belongs to the batch that it was given
 * to, and hears of that batch as a whole, even if the batch is divided on its way.
 *
 * <p>Each method is called at most once, by the thread that got the batch that far: the journal's, a parser worker's or
 * an owner's. These threads must not wait, so an implementation only schedules work elsewhere, and throws nothing. It
 * never hears of a batch that is lost because the service fails or stops: such a batch must not be acknowledged.
 */
public interface Receipt {
    /** All messages of the batch are in the journal and durable. Not called for a batch that is not journalled. */
    void durable();

    /** All messages of the batch are in the rows, or were rejected, filtered or unmatched. */
    void applied();
}
