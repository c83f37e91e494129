package io.summarizer.core.queue;

import java.util.Locale;

/** The queues there are, by the names that the configuration uses. */
public enum QueueKind {
    /** {@code java.util.concurrent.ArrayBlockingQueue}. */
    ABQ,
    /** {@code java.util.concurrent.LinkedBlockingQueue}. */
    LBQ,
    /** A Disruptor ring; one consumer, so for owners only. */
    DISRUPTOR;

    /** A queue of this kind for any number of consumers. */
    public <T> BatchQueue<T> shared(int capacity) {
        return switch (this) {
            case ABQ -> BlockingBatchQueue.array(capacity);
            case LBQ -> BlockingBatchQueue.linked(capacity);
            case DISRUPTOR -> throw new IllegalArgumentException("disruptor has one consumer");
        };
    }

    /** A queue of this kind for one consumer; {@code wait} matters to those that poll. */
    public <T> BatchQueue<T> singleConsumer(int capacity, WaitPolicy wait) {
        return this == DISRUPTOR ? new DisruptorBatchQueue<>(capacity, wait) : shared(capacity);
    }

    /** The name in the configuration. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
