package io.summarizer.core.pipeline;

/** The choice of threads that do the work between a received batch and the rows. */
public enum PipelineMode {
    /**
     * Receivers hand batches to parser workers, and parser workers hand updates to owners, in both cases through
     * bounded queues.
     */
    QUEUED,
    /**
     * Receivers hand batches to parser workers through a bounded queue. Parser workers apply the updates themselves;
     * rows are under striped locks.
     */
    STRIPED,
    /** The receiver's thread does everything; rows are under striped locks. */
    INLINE,
    /** The same as {@link #INLINE}, with one lock on all rows. */
    LOCKED;

    /**
     * Whether parser workers take batches from a queue and process them. If not, the receivers' threads process the
     * batches.
     */
    public boolean hasParseQueue() {
        return this == QUEUED || this == STRIPED;
    }
}
