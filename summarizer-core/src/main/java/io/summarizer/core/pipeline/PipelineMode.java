package io.summarizer.core.pipeline;

/** The choice of threads that do the work between a received batch and the rows. */
public enum PipelineMode {
    /**
     * Receivers hand batches to parser workers, and parser workers hand updates to owners, in both cases through
     * bounded queues.
     */
    QUEUED,
    /** The receiver's thread does everything; rows are under striped locks. */
    INLINE,
    /** The same as {@link #INLINE}, with one lock on all rows. */
    LOCKED
}
