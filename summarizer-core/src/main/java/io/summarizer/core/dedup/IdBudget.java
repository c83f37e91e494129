package io.summarizer.core.dedup;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The chunks of exact ids that the partitions of one {@link IdTable} share. Half of them are divided equally, so that
 * no partition is left without; the other half goes to those that need it first, because a hot key brings all its ids
 * to one. Thread-safe; asked once per chunk.
 */
final class IdBudget {
    private final int equally;
    private final AtomicInteger shared;

    /** A budget for so many partitions, each of which gets at least one chunk. */
    IdBudget(long chunks, int partitions) {
        equally = (int) Math.max(1, Math.min(chunks, Integer.MAX_VALUE) / 2 / partitions);
        shared =
                new AtomicInteger((int) Math.max(0, Math.min(chunks, Integer.MAX_VALUE) - (long) equally * partitions));
    }

    /** Takes one more chunk for a partition that has {@code held}; false when none is left for it. */
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
