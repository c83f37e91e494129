package io.summarizer.core.dedup;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The chunks of exact ids that the partitions of one {@link IdTable} share. Half of the chunks are divided equally, so
 * that every partition gets chunks. The other half goes to the partitions that ask first, because a hot key brings all
 * its ids to one partition. Thread-safe; partitions ask once per chunk.
 */
final class IdBudget {
    private final int equally;
    private final AtomicInteger shared;
    /** Number of partitions whose chunks are not counted yet. Until then, nobody gets a shared chunk. */
    private final AtomicInteger awaited;

    /**
     * A budget for {@code partitions} partitions, each of which gets at least one chunk.
     *
     * @param areMoving whether the partitions have chunks already, see {@link #adopt}
     */
    IdBudget(long chunks, int partitions, boolean areMoving) {
        awaited = new AtomicInteger(areMoving ? partitions : 0);
        equally = (int) Math.max(1, Math.min(chunks, Integer.MAX_VALUE) / 2 / partitions);
        shared =
                new AtomicInteger((int) Math.max(0, Math.min(chunks, Integer.MAX_VALUE) - (long) equally * partitions));
    }

    /**
     * Counts the chunks of a partition that comes from another budget; called once for each partition that moves. If
     * partitions bring more chunks than there are, they keep these chunks, and nobody gets one of the shared chunks.
     */
    void adopt(int held) {
        shared.addAndGet(-Math.max(0, held - equally));
        awaited.decrementAndGet();
    }

    /**
     * Takes one more chunk for a partition that has {@code held} chunks; returns false when no chunk is left for it.
     */
    boolean take(int held) {
        if (held < equally) {
            return true;
        }
        if (awaited.get() > 0) {
            return false;
        }
        while (true) {
            int left = shared.get();
            if (left <= 0) {
                return false;
            }
            if (shared.compareAndSet(left, left - 1)) {
                return true;
            }
        }
    }
}
