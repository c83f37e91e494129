package io.summarizer.core.export;

import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A walk over the rows of a table. The table is a top-level summary or a nested summary. Rows in files come first, file
 * by file. Rows in memory follow, partition by partition. Between two calls, the walk holds a cursor for each level,
 * and one part of a file. Not thread-safe.
 */
final class RowScan implements AutoCloseable {
    private static final RowCursor[] NONE = {};

    private final Source from;
    private final int[] path;
    /** Number of the current file or partition. Files are numbered first, then partitions. */
    private int source;
    /** Cursors on the current row; empty before the first row of a partition or of a part of a file. */
    private RowCursor[] rows = NONE;
    /** The current file; null when none is open. */
    private RowSource.@Nullable Rows file;
    /** The table in the current part of the file. */
    private @Nullable StoreView part;
    /** Number of rows in earlier parts of the file; 0 for rows in memory. */
    private int before;

    /** Cursors of all partitions; empty before the first {@link #seek}. */
    private RowCursor[][] all = {};

    /**
     * The rows of a summary.
     *
     * @param layout layout of all rows
     * @param files rows in files
     * @param partitions rows in memory
     */
    record Source(SummaryLayout layout, List<RowSource> files, List<StoreView> partitions) {
        Source {
            files = List.copyOf(files);
            partitions = List.copyOf(partitions);
        }

        /** Rows that are all in memory. */
        static Source of(StoreView rows) {
            return new Source(rows.layout(), List.of(), List.of(rows));
        }
    }

    /**
     * A walk before the first row.
     *
     * @param path positions of nested summaries from the outermost on
     */
    RowScan(Source from, int[] path) {
        this.from = from;
        this.path = path;
    }

    /** Goes to the next row of the walk. Returns false when there is no further row. */
    boolean next() throws IOException {
        while (source < from.files.size() + from.partitions.size()) {
            if (rows.length == 0 && !enter()) {
                source++;
                continue;
            }
            if (rows[rows.length - 1].next()) {
                seekParents();
                return true;
            }
            leave();
        }
        return false;
    }

    /**
     * Begins with the rows of the partition, or of the next part of the file. The position is then before the first of
     * these rows.
     */
    private boolean enter() throws IOException {
        if (source >= from.files.size()) {
            rows = cursors(from.partitions.get(source - from.files.size()));
            return true;
        }
        return nextPart();
    }

    private boolean nextPart() throws IOException {
        RowSource.Rows open = file;
        if (open == null) {
            open = from.files.get(source).open(from.layout, pathAsList());
            file = open;
        }
        StoreView top = open.next();
        if (top == null) {
            close();
            return false;
        }
        StoreView table = top;
        for (int position : path) {
            table = table.nested(position);
        }
        part = table;
        rows = cursors(top);
        return true;
    }

    private List<Integer> pathAsList() {
        return Arrays.stream(path).boxed().toList();
    }

    private void leave() {
        rows = NONE;
        StoreView left = part;
        if (left == null) {
            source++;
        } else {
            before = Math.addExact(before, Math.toIntExact(left.rows()));
        }
    }

    /** Whether the row at a {@link #place} is in a file. */
    boolean isInFile(long place) {
        return place >>> 32 < from.files.size();
    }

    /** Goes to the row at a {@link #place} in memory. Do not go on from this row by {@link #next}. */
    void seek(long place) {
        if (all.length == 0) {
            all = from.partitions.stream().map(this::cursors).toArray(RowCursor[][]::new);
        }
        rows = all[(int) (place >>> 32) - from.files.size()];
        rows[rows.length - 1].seekOrdinal((int) place);
        seekParents();
    }

    /**
     * Goes to the row at a {@link #place} in a file. Each call needs a higher place than the previous call, unless
     * {@link #restart} was called in between. Do not go on from this row by {@link #next}.
     */
    void seekInFile(long place) throws IOException {
        int wanted = (int) (place >>> 32);
        int ordinal = (int) place;
        if (wanted != source) {
            restart();
            source = wanted;
        }
        while (part == null || ordinal - before >= part.rows()) {
            if (part != null) {
                leave();
            }
            if (!nextPart()) {
                throw new IOException(from.files.get(wanted) + " has fewer rows than before");
            }
        }
        rows[rows.length - 1].seekOrdinal(ordinal - before);
        seekParents();
    }

    /** Goes before the first row. */
    void restart() {
        close();
        source = 0;
        rows = NONE;
    }

    /** A cursor on the row of each level, from the top-level summary to the table. */
    RowCursor[] rows() {
        return rows;
    }

    /**
     * The place of the current row, which identifies it among all rows of the table. Places ascend in the order of the
     * walk.
     */
    long place() {
        return (long) source << 32 | (before + rows[rows.length - 1].ordinal());
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

    /** Closes the current file. */
    @Override
    public void close() {
        RowSource.Rows open = file;
        file = null;
        part = null;
        before = 0;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // All bytes that were read from the file were checked.
            }
        }
    }
}
