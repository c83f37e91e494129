package io.summarizer.core.evolve;

import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Transfers the rows of one summary to the same summary in other definitions. The result is the same as if a state file
 * were written and loaded. Rows may move to other partitions, because a wider key has another hash.
 *
 * <p>Thread-safe: several threads may call {@link #add} at a time, each for a different partition. Meanwhile, no other
 * thread may use the target. Memory per thread: a block of rows. If rows may have nested rows, 6 more bytes for each
 * row of the current partition.
 */
public final class RowTransfer {
    private final LayoutMatch match;
    private final int summary;
    private final Summaries target;
    private final ReentrantLock[] locks;

    /**
     * A transfer before its first row.
     *
     * @param match a compatible match of the former summaries with the summaries of {@code target}
     * @param summary number of the summary among the former summaries; the new definitions also have this summary
     */
    public RowTransfer(LayoutMatch match, int summary, Summaries target) {
        this.match = match;
        this.summary = summary;
        this.target = target;
        locks = SummaryLoader.newLocks(target.here());
    }

    /** Adds all rows of a partition, or of one window of a partition, including nested rows. */
    public void add(StoreView partition) {
        List<Table> tables = Table.of(match.from().get(summary));
        List<StoreView> views = new ArrayList<>();
        SummaryLoader loader = new SummaryLoader(match, summary, target, locks);
        loader.begin();
        for (int number = 0; number < tables.size(); number++) {
            Table table = tables.get(number);
            StoreView parents = table.isNested() ? views.get(table.parent()) : null;
            StoreView view = parents == null ? partition : parents.nested(table.position());
            views.add(view);
            if (loader.loads(number)) {
                add(number, TableUnloader.inMemory(table, view, parents), loader);
            }
        }
    }

    private static void add(int table, TableUnloader from, SummaryLoader into) {
        try {
            for (RowBlock rows = from.next(); rows.rows() > 0; rows = from.next()) {
                into.add(table, rows);
            }
        } catch (MalformedException | RowRefusedException e) {
            // This cannot happen: rows of a store are well-formed, of any size, and loaded rows are granted anyway.
            throw new IllegalStateException("rows were not taken over", e);
        }
    }
}
