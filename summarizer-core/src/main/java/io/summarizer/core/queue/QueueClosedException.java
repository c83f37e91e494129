package io.summarizer.core.queue;

/** Thrown when a batch is put into a closed queue. The caller still holds the batch. */
public final class QueueClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    QueueClosedException() {
        super("the queue is closed");
    }
}
