package io.summarizer.core.state;

import io.summarizer.core.state.LayoutMatch.TableMatch;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings the rows of one summary into the same summary of other definitions: what writing a state file and loading it
 * would do, without the file. Rows may come to lie in other partitions, as a wider key has another hash.
 *
 * <p>Thread-safe: several threads may each {@link #add} a partition, and nobody else may use the target meanwhile. Memory:
 * a block of rows for each thread, and 5 bytes for each row that others are nested in, a partition at a time.
 */
public final class RowTransfer {
    private final LayoutMatch match;
    private final int summary;
    private final Summaries target;
    private final ReentrantLock[] locks = new ReentrantLock[Partitions.COUNT];

    /**
     * A transfer that has brought nothing yet.
     *
     * @param match of the summaries that there were, which goes together, to those of {@code target}
     * @param summary number of the summary among those that there were; it is defined still
     */
    public RowTransfer(LayoutMatch match, int summary, Summaries target) {
        this.match = match;
        this.summary = summary;
        this.target = target;
        Arrays.setAll(locks, i -> new ReentrantLock());
    }

    /** Adds all rows of a partition, nested ones included. */
    public void add(StoreView partition) {
        List<Table> tables = Table.of(match.from().get(summary));
        List<StoreView> views = new ArrayList<>();
        RowMap[] maps = new RowMap[tables.size()];
        Arrays.setAll(maps, i -> new RowMap());
        StateBuffer block = new StateBuffer();
        for (int number = 0; number < tables.size(); number++) {
            Table table = tables.get(number);
            StoreView parents = table.isNested() ? views.get(table.parent()) : null;
            views.add(parents == null ? partition : parents.nested(table.position()));
            TableMatch to = match.table(summary, number);
            if (to != null) {
                add(number, tables, to, views.get(number), parents, maps, block);
            }
        }
    }

    private void add(
            int number,
            List<Table> tables,
            TableMatch to,
            StoreView view,
            @Nullable StoreView parents,
            RowMap[] maps,
            StateBuffer block) {
        TableWriter from = new TableWriter(number, view, parents);
        TableReader into = TableReader.of(StateFormat.VERSION, tables, number, to, target, locks, maps);
        try {
            for (int rows; (rows = from.fill()) > 0; ) {
                block.clear();
                from.putRows(rows, block);
                block.flip();
                into.read(block, block.getInt());
            }
        } catch (MalformedException | StateException e) {
            // Rows written a moment ago read well, and the bound on them is the same as it was.
            throw new IllegalStateException("rows of " + tables.get(number).path() + " were not taken over", e);
        }
    }
}
