package io.summarizer.core.export;

import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import java.util.List;

/**
 * A walk over the rows of a table, partition by partition. The table is a summary, or one nested in it. Between two
 * calls it holds a cursor for each level. Not thread-safe.
 */
final class RowScan {
    private static final RowCursor[] NONE = {};

    private final List<StoreView> partitions;
    private final int[] path;
    private int partition;
    /** Cursors on the current row of partition {@link #partition}; empty before its first row. */
    private RowCursor[] rows = NONE;

    /** Cursors of all partitions; empty before the first {@link #seek}. */
    private RowCursor[][] all = {};

    /**
     * A walk before the first row.
     *
     * @param partitions the partitions of the top-level summary
     * @param path positions of nested summaries from the outermost on
     */
    RowScan(List<StoreView> partitions, int[] path) {
        this.partitions = partitions;
        this.path = path;
    }

    /** Goes to the next row of this or a later partition; returns false when there is none. */
    boolean next() {
        while (partition < partitions.size()) {
            if (rows.length == 0) {
                rows = cursors(partitions.get(partition));
            }
            if (rows[rows.length - 1].next()) {
                seekParents();
                return true;
            }
            partition++;
            rows = NONE;
        }
        return false;
    }

    /** Goes to the row at a {@link #place}. The walk cannot go on from there by {@link #next}. */
    void seek(long place) {
        if (all.length == 0) {
            all = partitions.stream().map(this::cursors).toArray(RowCursor[][]::new);
        }
        rows = all[(int) (place >>> 32)];
        rows[rows.length - 1].seek((int) place);
        seekParents();
    }

    /** A cursor on the row of each level, from the top-level summary to the table. */
    RowCursor[] rows() {
        return rows;
    }

    /** Identifies the row among all rows of the table. */
    long place() {
        return (long) partition << 32 | rows[rows.length - 1].row();
    }

    private RowCursor[] cursors(StoreView partition) {
        RowCursor[] cursors = new RowCursor[path.length + 1];
        StoreView view = partition;
        cursors[0] = view.cursor();
        for (int i = 0; i < path.length; i++) {
            view = view.nested(path[i]);
            cursors[i + 1] = view.cursor();
        }
        return cursors;
    }

    private void seekParents() {
        for (int i = rows.length - 1; i > 0; i--) {
            rows[i - 1].seek(rows[i].parent());
        }
    }
}
