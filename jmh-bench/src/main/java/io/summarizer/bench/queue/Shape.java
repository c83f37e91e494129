package io.summarizer.bench.queue;

import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The measured queues, with the names that the configuration uses. The Disruptor has two names, because each of the two
 * stages has its own kind of ring.
 */
public enum Shape {
    ABQ(QueueKind.ABQ, true),
    LBQ(QueueKind.LBQ, true),
    MPMC(QueueKind.MPMC, true),
    MPSC(QueueKind.MPSC, false),
    /** A Disruptor ring for several consumers. */
    DISRUPTOR(QueueKind.DISRUPTOR, true),
    /** A Disruptor ring for one consumer. */
    DISRUPTOR_SINGLE(QueueKind.DISRUPTOR, false);

    private final QueueKind kind;
    private final boolean shared;

    Shape(QueueKind kind, boolean shared) {
        this.kind = kind;
        this.shared = shared;
    }

    /** Returns the shape with this name, such as {@code disruptor-single}. */
    public static Shape of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** All names. */
    public static List<String> names() {
        return Arrays.stream(values()).map(Shape::key).toList();
    }

    /** The name as a parameter. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the queue allows several consumers. */
    public boolean isShared() {
        return shared;
    }

    /** The ways of waiting that this queue offers; if the queue offers no choice, only blocking. */
    public List<WaitPolicy> waits() {
        return kind.waits().isEmpty() ? List.of(WaitPolicy.BLOCKING) : kind.waits();
    }

    /** Makes a new queue. */
    public <T> BatchQueue<T> create(int capacity, WaitPolicy wait) {
        return shared ? kind.shared(capacity, wait) : kind.singleConsumer(capacity, wait);
    }
}
