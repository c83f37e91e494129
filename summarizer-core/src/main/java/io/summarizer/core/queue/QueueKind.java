package io.summarizer.core.queue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The kinds of queue, by their names in the configuration. Each kind allows either one consumer or several, and has its
 * own choice of ways of waiting.
 */
public enum QueueKind {
    /** {@code java.util.concurrent.ArrayBlockingQueue}: one lock, no garbage. */
    ABQ(true, true, false),
    /** {@code java.util.concurrent.LinkedBlockingQueue}: a lock at each end, a node per batch. */
    LBQ(true, true, false),
    /** The multi-producer multi-consumer array queue of JCTools. */
    MPMC(true, false, true),
    /** The multi-producer single-consumer array queue of JCTools. */
    MPSC(false, true, true),
    /** A ring of the Disruptor, for one consumer or for several. */
    DISRUPTOR(true, true, true);

    private final boolean shared;
    private final boolean singleConsumer;
    private final boolean polled;

    QueueKind(boolean shared, boolean singleConsumer, boolean polled) {
        this.shared = shared;
        this.singleConsumer = singleConsumer;
        this.polled = polled;
    }

    /** The kinds that several consumers may share, as the workers of a parse stage do. */
    public static List<QueueKind> forSharing() {
        return Arrays.stream(values()).filter(kind -> kind.shared).toList();
    }

    /** The kinds for one consumer, for owners. */
    public static List<QueueKind> forSingleConsumers() {
        return Arrays.stream(values()).filter(kind -> kind.singleConsumer).toList();
    }

    /**
     * The ways of waiting that can be configured for this kind, the default first; empty for a kind whose consumers
     * always park.
     */
    public List<WaitPolicy> waits() {
        return polled ? List.of(WaitPolicy.values()) : List.of();
    }

    /**
     * A queue of this kind for any number of consumers.
     *
     * @param capacity capacity in batches, at least 1; some kinds round it up to a power of two
     * @param wait the way in which consumers wait; ignored unless it is among {@link #waits}
     * @throws IllegalArgumentException when this kind is not among {@link #forSharing}
     */
    public <T> BatchQueue<T> shared(int capacity, WaitPolicy wait) {
        return switch (this) {
            case ABQ -> LockedBatchQueue.array(capacity);
            case LBQ -> LockedBatchQueue.linked(capacity);
            case MPMC -> LockFreeBatchQueue.shared(capacity, wait);
            case DISRUPTOR -> new SharedRing<>(capacity, wait);
            case MPSC -> throw new IllegalArgumentException(key() + " has one consumer");
        };
    }

    /**
     * A queue of this kind for one consumer at a time.
     *
     * @param capacity capacity in batches, at least 1; some kinds round it up to a power of two
     * @param wait the way in which the consumer waits; ignored unless it is among {@link #waits}
     * @throws IllegalArgumentException when this kind is not among {@link #forSingleConsumers}
     */
    public <T> BatchQueue<T> singleConsumer(int capacity, WaitPolicy wait) {
        return switch (this) {
            case ABQ -> LockedBatchQueue.array(capacity);
            case LBQ -> LockedBatchQueue.linked(capacity);
            case MPSC -> LockFreeBatchQueue.singleConsumer(capacity, wait);
            case DISRUPTOR -> new SingleConsumerRing<>(capacity, wait);
            case MPMC -> throw new IllegalArgumentException(key() + " is for several consumers");
        };
    }

    /** The name in the configuration. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
