package io.summarizer.core.pipeline;

import io.summarizer.core.store.UpdateBatch;

/** The destination of a program's updates; belongs to one parser worker. */
public interface UpdateRouter {
    /**
     * The open batch of the owner of the partition of {@code hash}. Write one whole record to the batch, from {@code
     * beginRow} to {@code endRow}, and do not use the batch afterwards: the next call may hand the batch over.
     */
    UpdateBatch batchFor(int summary, long hash);
}
