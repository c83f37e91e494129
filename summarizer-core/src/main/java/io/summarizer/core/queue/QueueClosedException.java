package io.summarizer.core.queue;

/** A batch was put into a queue that is closed. It is still the caller's. */
public final class QueueClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    QueueClosedException() {
        super("the queue is closed");
    }
}
