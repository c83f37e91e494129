package io.summarizer.core.evolve;

import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.evolve.LayoutMatch.TableMatch;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Loads saved rows of one summary, table after table, into the summary of the same name. The definitions may have
 * changed since the rows were saved. Rows may move to other partitions, because a wider key has another hash.
 *
 * <p>Not thread-safe; several loaders may share a target if they share the locks. Memory: if rows may have nested rows,
 * 6 bytes for each row of the current partition.
 */
public final class SummaryLoader {
    /** The partition of a single store. */
    private static final Partitions ONE = Partitions.of(1);

    private final @Nullable TableLoader[] loaders;
    private final RowMap[] maps;
    private final WindowOfSection window;
    private long lastStamp;

    /**
     * A loader before its first row.
     *
     * @param match a compatible match of the former summaries with the summaries of {@code target}
     * @param summary number of the summary among the former summaries
     * @param locks of the summary's partitions in the target, made by {@link #newLocks}
     */
    public SummaryLoader(LayoutMatch match, int summary, Summaries target, ReentrantLock[] locks) {
        this(
                match,
                summary,
                (partition, window) ->
                        target.partition(match.target(summary), partition).toLoad(window),
                target.here(),
                locks,
                false);
    }

    /**
     * Makes a loader into a single store. The store takes the rows of all partitions.
     *
     * @param target a store of the defined summary that {@code summary} matches
     * @param appends whether all rows have different keys, and the store is never changed after the loading; if so,
     *     loading is faster
     */
    public SummaryLoader(LayoutMatch match, int summary, SummaryStore target, boolean appends) {
        this(match, summary, (partition, window) -> target, ONE, newLocks(ONE), appends);
    }

    private SummaryLoader(
            LayoutMatch match,
            int summary,
            LoadTarget target,
            Partitions partitions,
            ReentrantLock[] locks,
            boolean appends) {
        List<Table> tables = Table.of(match.from().get(summary));
        loaders = new TableLoader[tables.size()];
        maps = new RowMap[loaders.length];
        Arrays.setAll(maps, i -> new RowMap());
        int top = match.target(summary);
        window = new WindowOfSection(top < 0 ? null : match.to().get(top).window());
        for (int number = 0; number < loaders.length; number++) {
            TableMatch to = match.table(summary, number);
            if (to != null) {
                Table table = tables.get(number);
                int self = number;
                loaders[number] = new TableLoader(
                        table,
                        to,
                        target,
                        partitions,
                        locks,
                        table.isNested() ? maps[table.parent()] : null,
                        maps[number],
                        tables.stream().anyMatch(other -> other.parent() == self),
                        window,
                        appends);
            }
        }
    }

    /**
     * A lock for each partition of a summary. All threads that load into the summary at the same time share these
     * locks.
     */
    public static ReentrantLock[] newLocks(Partitions partitions) {
        ReentrantLock[] locks = new ReentrantLock[partitions.count()];
        Arrays.setAll(locks, i -> new ReentrantLock());
        return locks;
    }

    /** Begins the rows of another partition, or of another window. */
    public void begin() {
        window.begin();
        for (RowMap map : maps) {
            map.clear();
        }
    }

    /** Whether the rows of a table have a destination. Rows without a destination are left out. */
    public boolean loads(int table) {
        return loaders[table] != null;
    }

    /**
     * Adds rows of a table. Call this method after the rows of the parent tables were added. Checks every value. Either
     * adds all values of the columns or throws an exception.
     *
     * @throws MalformedException when no writer of rows could have made these columns
     * @throws RowRefusedException when the summary is full
     */
    public void add(int table, RowBlock rows) throws MalformedException, RowRefusedException {
        TableLoader loader = loaders[table];
        if (loader != null) {
            loader.add(rows);
            lastStamp = Math.max(lastStamp, loader.lastStamp());
        }
    }

    /** The greatest arrival stamp that was added. */
    public long lastStamp() {
        return lastStamp;
    }
}
