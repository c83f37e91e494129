package io.summarizer.core.dedup;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the partitions share that remember the ids of one event type for one summary: the rule, the bound, and what was
 * inherited, which no partition can claim for itself. Thread-safe.
 */
final class IdTable {
    /**
     * How much longer than the window ids are kept: parser workers overtake each other, so an owner sees stamps that are a
     * little behind the latest.
     */
    static final long LAG_MICROS = 10_000_000;

    private static final InheritedIds[] NONE = {};

    final DedupRule rule;
    final IdBudget budget;

    /** Places of a partition's {@link InverseBloomFilter}. */
    final long olderPlaces;

    private volatile InheritedIds[] inherited = NONE;

    private IdTable(DedupRule rule, IdBudget budget, long olderPlaces) {
        this.rule = rule;
        this.budget = budget;
        this.olderPlaces = olderPlaces;
    }

    /** One that may hold about {@code idsMax} exact ids, and as many older ones that may get lost. */
    static IdTable of(DedupRule rule, long idsMax, int partitions, int chunkBytes) {
        int idsPerChunk = IdLog.idsPerChunk(chunkBytes);
        return new IdTable(
                rule,
                new IdBudget((idsMax + idsPerChunk - 1) / idsPerChunk, partitions),
                Math.max(1, idsMax / partitions));
    }

    /** The same with perhaps another window; partitions that go over to it keep what they took of the bound. */
    IdTable under(DedupRule rule) {
        IdTable next = new IdTable(rule, budget, olderPlaces);
        next.inherited = inherited;
        return next;
    }

    /** Takes in ids that count as seen in all partitions. */
    synchronized void inherit(InheritedIds ids) {
        if (ids.count() > 0) {
            InheritedIds[] more = Arrays.copyOf(inherited, inherited.length + 1);
            more[inherited.length] = ids;
            inherited = more;
        }
    }

    List<InheritedIds> inherited() {
        return List.of(inherited);
    }

    /** The latest stamp that an inherited id has; 0 when none is like this one. */
    long inheritedStamp(long high, long low, long now) {
        InheritedIds[] inherited = this.inherited;
        long latest = 0;
        for (InheritedIds ids : inherited) {
            if (isOver(ids, now)) {
                drop(now);
            } else {
                latest = Math.max(latest, ids.stamp(high, low));
            }
        }
        return latest;
    }

    private boolean isOver(InheritedIds ids, long now) {
        return now - ids.latest() - LAG_MICROS > rule.windowMicros();
    }

    private synchronized void drop(long now) {
        List<InheritedIds> left = new ArrayList<>();
        for (InheritedIds ids : inherited) {
            if (!isOver(ids, now)) {
                left.add(ids);
            }
        }
        inherited = left.toArray(NONE);
    }
}
