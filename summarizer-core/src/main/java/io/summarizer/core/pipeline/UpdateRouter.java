package io.summarizer.core.pipeline;

import io.summarizer.core.store.UpdateBatch;

/** The destination of a program's updates. Used by one parser worker. */
public interface UpdateRouter {
    /**
     * The open batch for the owner of a row; {@code hash} chooses the partition, and each partition has one owner.
     * Write one whole record to the batch, from {@code beginRow} to {@code endRow}. Do not use the batch afterwards,
     * because the next call may hand it over.
     */
    UpdateBatch batchFor(int summary, long hash);
}
