package io.summarizer.core.pipeline;

/** The choice of threads that do the work between a received batch and the rows. */
public enum PipelineMode {
    /** Receivers hand batches to parser workers, these hand updates to owners, each through bounded queues. */
    QUEUED,
    /** The receiver's thread does everything; rows are under striped locks. */
    INLINE,
    /** As {@link #INLINE}, with one lock on all rows. */
    LOCKED
}
