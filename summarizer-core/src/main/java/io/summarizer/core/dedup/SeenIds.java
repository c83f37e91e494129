package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.snapshot.ChunkedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All ids that were seen. If the events of an event type are counted only once, the type has a table for each summary
 * that it updates. A table has as many partitions as a summary. A pipeline starts with these tables, empty or from a
 * checkpoint, and hands them on at each change of definitions.
 *
 * <p>Each {@link RecentIds} belongs to one partition of a summary, and to the thread that owns this partition. All
 * other data are made by one thread, and handed over before other threads see them.
 */
public final class SeenIds {
    /**
     * Number of equal parts into which the budget of all state is divided. One part is for ids, and the others are for
     * rows.
     */
    private static final int SHARE = 4;

    /**
     * Maximum bytes for each configured id. They are the bytes of an exact id, of its place in the index, and of a
     * place in the filter of older ids.
     */
    private static final int BYTES_AN_ID = 48 + IdLog.ID_BYTES;

    private final IdKey key;
    /** The configured number of exact ids of a table. When there are many tables, each table may keep fewer ids. */
    private final long idsMax;
    /** Time for which ids are kept after their window. */
    private final long lag;

    private final ByteBudget state;
    private final int chunkBytes;
    private final int partitions;
    private final List<IdTable> tables = new ArrayList<>();
    private final List<RecentIds> recent = new ArrayList<>();
    /**
     * The counter that {@link #forgotten()} reads. A change of definitions hands this counter on to the new object, so
     * the number never decreases.
     */
    private final AtomicLong forgotten;

    private SeenIds(
            IdKey key, long lag, long idsMax, int partitions, int chunkBytes, ByteBudget state, AtomicLong forgotten) {
        this.key = key;
        this.state = state;
        this.idsMax = idsMax;
        this.lag = lag;
        this.partitions = partitions;
        this.chunkBytes = chunkBytes;
        this.forgotten = forgotten;
    }

    /**
     * Makes tables for these rules. Unchanged rules get their saved ids.
     *
     * @param lag time for which ids are kept after their window, because events with earlier stamps may follow; in the
     *     unit of the rules' windows
     * @param idsMax approximate number of recent ids that each table keeps exactly. When all tables would take more
     *     than a quarter of {@code state}, each table keeps fewer ids. Each table also keeps up to the same number of
     *     older ids. The table forgets an older id when another older id takes its place.
     * @param partitions number of partitions of a summary
     * @param state the budget for the bytes of ids
     */
    public static SeenIds of(
            List<DedupRule> rules, SavedIds saved, long lag, long idsMax, int partitions, ByteBudget state) {
        return of(rules, saved, lag, idsMax, partitions, ChunkedBytes.CHUNK_BYTES, state);
    }

    static SeenIds of(
            List<DedupRule> rules,
            SavedIds saved,
            long lag,
            long idsMax,
            int partitions,
            int chunkBytes,
            ByteBudget state) {
        SeenIds ids = new SeenIds(saved.key(), lag, idsMax, partitions, chunkBytes, state, new AtomicLong());
        for (DedupRule rule : rules) {
            IdTable table = ids.newTable(rule, rules.size());
            saved.ids(rule, 2 * ids.idsMax(rules.size())).ifPresent(inherited -> ids.inherit(table, inherited));
        }
        return ids;
    }

    /**
     * Makes the ids for other definitions. Some tables are kept, others are empty. Kept partitions are the same
     * objects. Their owners still have to move them, see {@link RecentIds#goOverTo}. This object does not change. When
     * all owners have moved their partitions, call {@link #retire} for this object. If the change is given up, call it
     * for the new object instead.
     *
     * @param sources for each new rule, the position of the present table that the rule keeps, or -1
     * @param kept for each rule, whether the keys of its summary have the same partitions as before. If not, partitions
     *     start empty, and the owners have to {@link #inherit} the ids of the former partitions.
     */
    public SeenIds successor(List<DedupRule> rules, int[] sources, boolean[] kept) {
        SeenIds next = new SeenIds(key, lag, idsMax, partitions, chunkBytes, state, forgotten);
        for (int i = 0; i < sources.length; i++) {
            DedupRule rule = rules.get(i);
            if (sources[i] < 0) {
                IdTable unused = next.newTable(rule, rules.size());
            } else if (kept[i]) {
                next.tables.add(table(sources[i]).under(rule, idsMax(rules.size()), partitions, chunkBytes));
                next.recent.addAll(recent.subList(sources[i] * partitions, (sources[i] + 1) * partitions));
            } else {
                IdTable table = next.newTable(rule, rules.size());
                table(sources[i]).inherited().forEach(table::inherit);
            }
        }
        return next;
    }

    /** Releases inherited ids, because these tables are no longer used. */
    public void retire() {
        tables.forEach(IdTable::retire);
    }

    /** Computes the number of ids that each table keeps exactly, for {@code tables} tables. */
    private long idsMax(int tables) {
        return Math.max(1, Math.min(idsMax, state.maximum() / SHARE / BYTES_AN_ID / tables));
    }

    private IdTable newTable(DedupRule rule, int ofTables) {
        IdTable table = IdTable.of(rule, lag, idsMax(ofTables), partitions, chunkBytes, state);
        tables.add(table);
        IntStream.range(0, partitions).forEach(partition -> recent.add(new RecentIds(table, chunkBytes)));
        return table;
    }

    /**
     * The number of the table with ids of this rule; -1 when there is no such table. The table may have another window
     * than the rule.
     */
    public int find(DedupRule rule) {
        return IntStream.range(0, tables.size())
                .filter(table -> tables.get(table).rule.hasIdsOf(rule))
                .findFirst()
                .orElse(-1);
    }

    /** The number of the table that takes over the ids of a partition; -1 when there is no such table. */
    public int successorOf(RecentIds ids) {
        return find(ids.rule());
    }

    /** The key of the hash of ids. */
    public IdKey key() {
        return key;
    }

    /**
     * Number of ids that each table keeps exactly: the configured number, or fewer when all tables would take more than
     * a quarter of all state.
     */
    public long idsMax() {
        return idsMax(Math.max(1, tables.size()));
    }

    /** Number of tables. */
    public int tables() {
        return tables.size();
    }

    /** The ids that a partition of a table has seen. */
    public RecentIds recent(int table, int partition) {
        return recent.get(table * partitions + partition);
    }

    IdTable table(int table) {
        return tables.get(table);
    }

    /** Makes all partitions of a table inherit the ids of a retired partition. Any thread. */
    public void inherit(int table, RecentIds retired) {
        inherit(tables.get(table), retired.toInherit(2 * idsMax()));
    }

    private void inherit(IdTable table, InheritedIds ids) {
        forgotten.addAndGet(ids.forgotten());
        table.inherit(ids);
    }

    /** Number of inherited ids that tables still search. */
    public long inherited() {
        return tables.stream()
                .flatMap(table -> table.inherited().stream())
                .mapToLong(InheritedIds::count)
                .sum();
    }

    /**
     * Number of ids that were dropped since the start because of the bound on inherited ids. Only ids whose window was
     * not over are counted: without the bound, a table would have inherited them.
     */
    public long forgotten() {
        return forgotten.get();
    }

    /** Bytes of the inherited ids that tables still search. */
    public long inheritedBytes() {
        return tables.stream()
                .flatMap(table -> table.inherited().stream())
                .mapToLong(InheritedIds::allocatedBytes)
                .sum();
    }

    /**
     * Adds the saved ids of a partition to the same partition of this object. Call this method only if the keys of
     * summaries had the same partitions when the ids were saved.
     */
    public void load(int partition, SavedIds saved) {
        for (int table = 0; table < tables.size(); table++) {
            RecentIds into = recent(table, partition);
            saved.ids(tables.get(table).rule, Long.MAX_VALUE).ifPresent(ids -> ids.forEach(into::load));
        }
    }

    /**
     * A view of the ids of one partition at one moment, without inherited ids.
     *
     * @param views a view of the partition in each table, all taken under one lease
     */
    public SeenIdsView view(List<RecentIds.View> views) {
        return new SeenIdsView(
                key,
                IntStream.range(0, tables.size())
                        .mapToObj(table -> new SeenIdsView.Table(
                                tables.get(table).rule, lag, List.of(), List.of(views.get(table))))
                        .toList(),
                IdLog.idsPerChunk(chunkBytes));
    }

    /**
     * A view of all ids at one moment.
     *
     * @param views a view of each partition of each table, all taken under one lease
     */
    public SeenIdsView view(@Nullable RecentIds.View[] views) {
        List<SeenIdsView.Table> viewed = new ArrayList<>();
        for (int table = 0; table < tables.size(); table++) {
            List<RecentIds.View> ofTable = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                RecentIds.View view = views[table * partitions + partition];
                if (view == null) {
                    throw new IllegalStateException("table " + table + " partition " + partition + " has no owner");
                }
                ofTable.add(view);
            }
            viewed.add(new SeenIdsView.Table(
                    tables.get(table).rule, lag, tables.get(table).inherited(), ofTable));
        }
        return new SeenIdsView(key, viewed, IdLog.idsPerChunk(chunkBytes));
    }
}
