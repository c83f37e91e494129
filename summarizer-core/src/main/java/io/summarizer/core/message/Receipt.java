package io.summarizer.core.message;

/**
 * Who wants to hear what became of a batch: a connection that owes its peer an answer. It belongs to the batch that it was given
 * to, and hears of that batch as a whole, however it is divided on its way.
 *
 * <p>Each method is called once at most, by whichever thread got the batch that far: the journal's, a parser worker's, an
 * owner's. All of them have other things to do, so that an implementation only schedules work elsewhere, and throws nothing.
 * A batch that gets nowhere, as the service is failing or stopping, is never heard of: then there is nothing to answer.
 */
public interface Receipt {
    /** All messages of the batch are in the journal and on the disk. Not called for a batch that is not journalled. */
    void durable();

    /** All messages of the batch are in the rows, or were decided on otherwise: rejected, filtered, unmatched. */
    void applied();
}
