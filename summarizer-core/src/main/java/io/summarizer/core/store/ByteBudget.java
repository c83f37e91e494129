package io.summarizer.core.store;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a top-level summary may take of the memory, over all its partitions and all that is nested in it, before it gets no further
 * keys. Its partitions say now and then what they have, so it is known about. Thread-safe.
 */
public final class ByteBudget {
    private volatile long maximum;
    private final AtomicLong used = new AtomicLong();

    /** So many bytes; 0: any number. */
    ByteBudget(long maximum) {
        become(maximum);
    }

    /** Another bound; what is there stays. */
    void become(long maximum) {
        this.maximum = maximum == 0 ? Long.MAX_VALUE : maximum;
    }

    /** Whether there is a bound: otherwise nobody counts. */
    public boolean isBounded() {
        return maximum != Long.MAX_VALUE;
    }

    /** The bound. */
    public long maximum() {
        return maximum;
    }

    /** Bytes that are in use, as the partitions last said. */
    public long used() {
        return used.get();
    }

    boolean isExhausted() {
        return used.get() >= maximum;
    }

    void add(long more) {
        used.addAndGet(more);
    }
}
