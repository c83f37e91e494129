package io.summarizer.core.queue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The queues there are, by the names that the configuration uses; which of them suits how many consumers, and which ways of
 * waiting it has a use for.
 */
public enum QueueKind {
    /** {@code java.util.concurrent.ArrayBlockingQueue}: one lock, no garbage. */
    ABQ(true, true, false),
    /** {@code java.util.concurrent.LinkedBlockingQueue}: a lock at either end, a node a batch. */
    LBQ(true, true, false),
    /** The multi-producer multi-consumer array queue of JCTools. */
    MPMC(true, false, true),
    /** The multi-producer single-consumer array queue of JCTools. */
    MPSC(false, true, true),
    /** A ring of the Disruptor; one consumer, or several claimants of one ring. */
    DISRUPTOR(true, true, true);

    private final boolean shared;
    private final boolean singleConsumer;
    private final boolean polled;

    QueueKind(boolean shared, boolean singleConsumer, boolean polled) {
        this.shared = shared;
        this.singleConsumer = singleConsumer;
        this.polled = polled;
    }

    /** Those that several consumers may take from: for the parse stage. */
    public static List<QueueKind> forSharing() {
        return Arrays.stream(values()).filter(kind -> kind.shared).toList();
    }

    /** Those that may have one consumer each: for owners. */
    public static List<QueueKind> forSingleConsumers() {
        return Arrays.stream(values()).filter(kind -> kind.singleConsumer).toList();
    }

    /**
     * The ways of waiting among which this kind leaves a choice, the default first; empty for those that park, whatever they
     * are told.
     */
    public List<WaitPolicy> waits() {
        return polled ? List.of(WaitPolicy.values()) : List.of();
    }

    /**
     * A queue of this kind for any number of consumers.
     *
     * @param capacity in batches, at least 1; some kinds round it up to a power of two
     * @param wait how consumers wait; of no effect unless it is among {@link #waits}
     * @throws IllegalArgumentException when it is not among {@link #forSharing}
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
     * @param capacity in batches, at least 1; some kinds round it up to a power of two
     * @param wait how the consumer waits; of no effect unless it is among {@link #waits}
     * @throws IllegalArgumentException when it is not among {@link #forSingleConsumers}
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
