package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.ByteBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The data that all partitions share for the ids of one event type in one summary: the rule, the bound, and the
 * inherited ids, which belong to no partition. Thread-safe.
 */
final class IdTable {
    private static final InheritedIds[] NONE = {};

    final DedupRule rule;
    final IdBudget budget;
    private final ByteBudget state;
    /** Places of a partition's {@link InverseBloomFilter}. */
    final long olderPlaces;

    /** Time for which ids are kept after their window, because events with earlier stamps may follow. */
    final long lag;

    private volatile InheritedIds[] inherited = NONE;

    private IdTable(DedupRule rule, long lag, IdBudget budget, ByteBudget state, long olderPlaces) {
        this.lag = lag;
        this.rule = rule;
        this.budget = budget;
        this.state = state;
        this.olderPlaces = olderPlaces;
    }

    /**
     * A table that keeps about {@code idsMax} recent ids exactly. It also keeps up to the same number of older ids. It
     * forgets an older id when another older id takes its place.
     *
     * @param lag time for which ids are kept after their window, in the unit of the window
     * @param state the budget for the bytes of all these ids
     */
    static IdTable of(DedupRule rule, long lag, long idsMax, int partitions, int chunkBytes, ByteBudget state) {
        return of(rule, lag, idsMax, partitions, chunkBytes, state, false);
    }

    private static IdTable of(
            DedupRule rule,
            long lag,
            long idsMax,
            int partitions,
            int chunkBytes,
            ByteBudget state,
            boolean areMoving) {
        int idsPerChunk = IdLog.idsPerChunk(chunkBytes);
        return new IdTable(
                rule,
                lag,
                new IdBudget((idsMax + idsPerChunk - 1) / idsPerChunk, partitions, areMoving),
                state,
                Math.max(1, idsMax / partitions));
    }

    /**
     * A copy of this table with another rule, which may have another window, and with another bound. Partitions that
     * move to the new table keep their ids, even if they are more than the bound allows. Filters keep their size.
     */
    IdTable under(DedupRule rule, long idsMax, int partitions, int chunkBytes) {
        IdTable next = of(rule, lag, idsMax, partitions, chunkBytes, state, true);
        inherited().forEach(next::inherit);
        return next;
    }

    /** An account for the ids of one partition. */
    ByteAccount newAccount() {
        return new ByteAccount(ByteBudget.unbounded(), state);
    }

    /** Adds ids. All partitions then treat them as seen. */
    synchronized void inherit(InheritedIds ids) {
        if (ids.count() > 0) {
            InheritedIds[] more = Arrays.copyOf(inherited, inherited.length + 1);
            more[inherited.length] = ids;
            inherited = more;
            ids.hold(state);
        }
    }

    /** Releases the inherited ids. Called when the table is no longer used. */
    synchronized void retire() {
        inherited().forEach(ids -> ids.letGo(state));
        inherited = NONE;
    }

    List<InheritedIds> inherited() {
        return List.of(inherited);
    }

    /** The latest stamp that this id has among the inherited ids; 0 when no inherited id equals this id. */
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
        return now - ids.latest() - lag > rule.windowMicros();
    }

    private synchronized void drop(long now) {
        List<InheritedIds> left = new ArrayList<>();
        for (InheritedIds ids : inherited) {
            if (!isOver(ids, now)) {
                left.add(ids);
            } else {
                ids.letGo(state);
            }
        }
        inherited = left.toArray(NONE);
    }
}
