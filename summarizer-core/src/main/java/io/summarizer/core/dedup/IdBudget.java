package io.summarizer.core.dedup;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many chunks of exact ids the partitions of one {@link IdTable} may have together. Half of them are shared out equally, so
 * that no partition is left without; the other half goes to those that need it first, as a hot key brings all its ids to one.
 * Thread-safe; asked once a chunk.
 */
final class IdBudget {
    private final int equally;
    private final AtomicInteger shared;

    /** For so many partitions, each of which gets one chunk at least. */
    IdBudget(long chunks, int partitions) {
        equally = (int) Math.max(1, Math.min(chunks, Integer.MAX_VALUE) / 2 / partitions);
        shared =
                new AtomicInteger((int) Math.max(0, Math.min(chunks, Integer.MAX_VALUE) - (long) equally * partitions));
    }

    /** Takes one more chunk for a partition that has {@code held}; false when there is none for it. */
    boolean take(int held) {
        if (held < equally) {
            return true;
        }
        while (true) {
            int left = shared.get();
            if (left == 0) {
                return false;
            }
            if (shared.compareAndSet(left, left - 1)) {
                return true;
            }
        }
    }
}
