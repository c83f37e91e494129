package io.summarizer.core.pipeline;

import io.summarizer.core.store.UpdateBatch;

/** The destination of a program's updates; belongs to one parser worker. */
public interface UpdateRouter {
    /**
     * The open batch of the owner of the partition of {@code hash}. Write one whole record to it ({@code beginRow} to
     * {@code endRow}), then do not use the batch any more: the next call may hand it over.
     */
    UpdateBatch batchFor(int summary, long hash);
}
