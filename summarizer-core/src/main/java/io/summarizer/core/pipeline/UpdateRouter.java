package io.summarizer.core.pipeline;

import io.summarizer.core.store.UpdateBatch;

/** Where a program writes its updates; belongs to one parser worker. */
public interface UpdateRouter {
    /**
     * The open batch of the owner of the partition that {@code hash} falls into. Write one whole record to it
     * ({@code beginRow} to {@code endRow}), then forget it: the next call may hand the batch over.
     */
    UpdateBatch batchFor(int summary, long hash);
}
