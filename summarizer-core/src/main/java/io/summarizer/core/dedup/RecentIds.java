package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;
import org.jspecify.annotations.Nullable;

/**
 * The recent ids of one event type in one partition of a summary. They decide whether an event is new; the id of a new
 * event is then remembered. Only the owner of the partition writes.
 *
 * <p>An id is searched in three places: first among the most recent ids ({@link IdLog} with an {@link IdIndex}), which
 * are exact; then among ids that were evicted from the log early ({@link InverseBloomFilter}); then among the inherited
 * ids. An id that is found in none of these is new. So a new event is taken for a duplicate only if two ids have the
 * same 128-bit hash. A duplicate is missed only if its id left the log because the bound was reached, and another id
 * then displaced it in the filter.
 *
 * <p>The window is measured in arrival stamps. It begins at the event that was counted; duplicates do not prolong it.
 * If two update records belong to one event, they have the same stamp, and neither is a duplicate of the other.
 *
 * <p>Cost of a new id: a probe of the index, 24 bytes appended, and one more probe for the overwritten id. Allocates
 * memory only to grow, by chunks and index segments.
 */
public final class RecentIds {
    /** Maximum number of notes in {@link FrozenTables} that {@link #freeze} makes. */
    public static final int NOTES = 2;

    private final IdLog log;
    private final ByteAccount account;
    private final IdIndex index;
    private final int chunkBytes;
    private IdTable table;
    private @Nullable InverseBloomFilter older;

    private long latest;
    private long evicted;

    /** Whether the last call of {@link #isNew} remembered an id. */
    private boolean remembered;

    /** Number of ids that were prefetched and not yet looked up. */
    private int prefetched;

    RecentIds(IdTable table, int chunkBytes) {
        this.table = table;
        this.chunkBytes = chunkBytes;
        account = table.newAccount();
        log = new IdLog(chunkBytes, account);
        index = new IdIndex(account);
    }

    /**
     * Whether an event is to be counted. Returns false when another event with this id was counted within the window.
     * Otherwise, remembers the id and returns true.
     *
     * @param stamp arrival stamp of the event
     */
    public boolean isNew(long high, long low, long stamp) {
        IdTable table = this.table;
        prefetched = Math.max(0, prefetched - 1);
        remembered = false;
        int place = find(high, low);
        long seen;
        if (place >= 0) {
            seen = log.stamp(place);
        } else {
            seen = older == null ? 0 : older.stamp(high, low);
            if (seen == 0) {
                seen = table.inheritedStamp(high, low, stamp);
            }
        }
        if (seen != 0) {
            if (seen == stamp) {
                return true; // another record of the same event
            }
            if (Math.abs(stamp - seen) <= table.rule.windowMicros()) {
                return false;
            }
        }
        if (place >= 0) {
            boolean unused = index.remove(low, place); // it exists: it was found
        }
        remember(high, low, stamp);
        remembered = true;
        return true;
    }

    /**
     * Forgets the id that the last call of {@link #isNew} remembered, if it remembered one. Called when the event was
     * not counted after all, so that it counts when it comes again.
     */
    public void forgetLast() {
        if (remembered) {
            remembered = false;
            log.removeLast();
            int place = log.nextPlace();
            boolean unused = index.remove(log.low(place), place); // it exists: it was just inserted
        }
    }

    /**
     * Prefetches two places in the index: the place of an id, and the place of the old id that the new id will
     * overwrite. Has no other effect. Call this method for ids in the order in which {@link #isNew} will get them.
     * {@code CountOnceBenchmark} measures the gain.
     *
     * @return a meaningless value; use it, so that the reads are not optimized away
     */
    public int prefetch(long low) {
        return prefetchIndex(low) + prefetchIndex(log.lowAhead(prefetched++));
    }

    private int prefetchIndex(long low) {
        long[] segment = index.segment(low);
        return (int) segment[(int) low & IdIndex.mask(segment)];
    }

    private int find(long high, long low) {
        long[] segment = index.segment(low);
        int mask = IdIndex.mask(segment);
        for (int i = (int) low & mask; ; i = (i + 1) & mask) {
            long slot = segment[i];
            if (slot == 0) {
                return -1;
            }
            if (IdIndex.mayBe(slot, low) && log.is(IdIndex.place(slot), high, low)) {
                return IdIndex.place(slot);
            }
        }
    }

    /** Remembers an id that these ids have saved. */
    void load(long high, long low, long stamp) {
        remember(high, low, stamp);
    }

    private void remember(long high, long low, long stamp) {
        latest = Math.max(latest, stamp);
        if (log.isFull()) {
            makeRoom();
        }
        int place = log.nextPlace();
        long present = log.stamp(place);
        if (present != 0) {
            forget(place, present);
        }
        log.add(high, low, stamp);
        index.insert(low, place);
    }

    private void makeRoom() {
        boolean empty = log.chunks() == 0;
        boolean stale = !empty && log.latestOfOldest() < latest - table.rule.windowMicros() - table.lag;
        if (empty || (!stale && account.hasRoom() && table.budget.take(log.chunks()))) {
            log.extend();
        } else {
            log.recycle();
        }
    }

    /**
     * Removes from the index the id at {@code place} in the log. Does nothing if the id was seen again later. If the
     * window of the removed id, and the table's lag after it, are not over, puts this id into the filter.
     */
    private void forget(int place, long stamp) {
        long high = log.high(place);
        long low = log.low(place);
        if (index.remove(low, place) && latest - stamp - table.lag <= table.rule.windowMicros()) {
            evicted++;
            InverseBloomFilter older = this.older;
            if (older == null) {
                older = new InverseBloomFilter(table.olderPlaces, chunkBytes, account);
                this.older = older;
            }
            older.put(high, low, stamp);
        }
    }

    /** Moves to the table of other definitions, which has the same ids. */
    public void goOverTo(SeenIds ids, int table) {
        this.table = ids.table(table);
        this.table.budget.adopt(log.chunks());
    }

    DedupRule rule() {
        return table.rule;
    }

    /**
     * Gives the bytes of these ids back to the budget. Call this method once, when no event will be compared with these
     * ids any more.
     */
    public void retire() {
        account.release();
    }

    /** Number of ids that are kept exactly. */
    public int size() {
        return index.size();
    }

    /** Number of ids that were evicted within their window, because the bound was reached. */
    public long evicted() {
        return evicted;
    }

    /** Bytes of ids, index and filter. */
    public long bytesUsed() {
        return log.allocatedBytes() + index.allocatedBytes() + (older == null ? 0 : older.allocatedBytes());
    }

    /** All ids, for a table to inherit. */
    InheritedIds toInherit(long idsMax) {
        InheritedIds.Builder builder = new InheritedIds.Builder();
        log.forEach(builder);
        if (older != null) {
            older.forEach(builder);
        }
        return builder.build(idsMax, table.rule.windowMicros());
    }

    /**
     * Makes a view of all present ids. The view is valid while the lease holds, but not before {@link FrozenTables#add}
     * was called on {@code into}. Adds up to {@value #NOTES} notes to {@code into}. Costs as much as {@link
     * ChunkedBytes#freeze}.
     */
    public View freeze(FrozenTables into) {
        return new View(log.freeze(into), older == null ? null : older.freeze(into), latest);
    }

    /**
     * The ids of one moment.
     *
     * @param latest the latest stamp
     */
    public record View(ChunkedBytes.Frozen recent, ChunkedBytes.@Nullable Frozen older, long latest) {}
}
