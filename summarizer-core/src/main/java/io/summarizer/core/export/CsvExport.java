package io.summarizer.core.export;

import io.summarizer.core.store.RowCursor;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * One running export. It runs in steps, and each step may run on a different thread, so that many exports can share few
 * threads. Between steps the export holds a buffer of 64 KiB, a cursor per level and the rows that it sorts. Makes no
 * object per row.
 *
 * <p>Belongs to one thread at a time. One of these threads has to close the export.
 */
public final class CsvExport implements AutoCloseable {
    /**
     * Number of rows that are visited or written between two calls of {@code pauses}, when the work for each row is
     * short.
     */
    private static final int ROWS = 32;
    /** Number of rows that are put in order between two calls of {@code pauses}. */
    private static final int SORT_ROWS = 4096;

    private final CsvExporter exporter;
    private final CsvRowWriter writer;
    private final CsvBuffer out;
    private final SortedRows sorted;
    private final boolean sorts;
    private final SortKey key = new SortKey();
    /** Number of rows between two calls of {@code pauses}. */
    private final int asksEvery;

    private Phase phase;
    private long left;
    /** The partition whose rows are visited. */
    private int partition;
    /** Cursors on the current row of partition {@link #partition}; empty before the first partition. */
    private RowCursor[] rows = {};

    /** Cursors of all partitions, for writing rows in order. */
    private RowCursor[][] all = {};

    private int next;
    private int looked;
    private long written;

    /** The phases, in order; the first two occur only when rows are sorted. */
    private enum Phase {
        COLLECT,
        SORT,
        HEADER,
        WRITE,
        DONE
    }

    CsvExport(CsvExporter exporter, ByteSink sink) {
        this.exporter = exporter;
        CsvQuery query = exporter.query();
        writer = exporter.newWriter();
        asksEvery = writer.takesLong() ? 1 : ROWS;
        out = new CsvBuffer(sink);
        left = query.limit();
        sorted = new SortedRows(left, exporter.memory());
        sorts = !query.orderBy().isEmpty();
        phase = sorts ? Phase.COLLECT : Phase.HEADER;
    }

    /**
     * Writes until everything is written or {@code pauses} returns true. Returns whether everything is written. Calls
     * {@code pauses} after every few rows, after each row whose condition may take long, and whenever bytes went to the
     * sink. So at most 64 KiB and a row are written between two calls of {@code pauses}.
     *
     * @throws CsvQueryException when the query takes too much memory or work
     */
    public boolean step(BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (phase != Phase.DONE) {
            boolean completed = switch (phase) {
                case COLLECT -> collect(pauses);
                case SORT -> sorted.sort(SORT_ROWS);
                case HEADER -> {
                    exporter.header(out);
                    yield true;
                }
                case WRITE -> sorts ? inOrder(pauses) : stream(pauses);
                case DONE -> true;
            };
            if (completed) {
                phase = Phase.values()[phase.ordinal() + 1];
            }
            if (phase == Phase.DONE) {
                out.flush();
            } else if (pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Bytes given to the sink. */
    public long written() {
        return out.written();
    }

    /** Releases the memory for sorting. */
    @Override
    public void close() {
        sorted.close();
    }

    private boolean collect(BooleanSupplier pauses) throws CsvQueryException {
        while (nextRow()) {
            if (writer.wants(rows)) {
                key.clear();
                writer.sortKey(rows, key);
                sorted.offer(key, (long) partition << 32 | rows[rows.length - 1].row());
            }
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    private boolean stream(BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (left > 0 && nextRow()) {
            if (writer.wants(rows)) {
                writer.write(rows, out);
                left--;
            }
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    private boolean inOrder(BooleanSupplier pauses) throws IOException {
        if (all.length == 0) {
            all = exporter.partitions().stream().map(exporter::cursors).toArray(RowCursor[][]::new);
        }
        while (next < sorted.size()) {
            long place = sorted.place(next++);
            rows = all[(int) (place >>> 32)];
            rows[rows.length - 1].seek((int) place);
            seekParents();
            writer.write(rows, out);
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Moves {@link #rows} to the next row of this or a later partition; returns false when there is none. */
    private boolean nextRow() {
        while (true) {
            if (rows.length > 0) {
                if (rows[rows.length - 1].next()) {
                    seekParents();
                    return true;
                }
                partition++;
            }
            if (partition == exporter.partitions().size()) {
                return false;
            }
            rows = exporter.cursors(exporter.partitions().get(partition));
        }
    }

    private boolean isTimeToAsk() {
        if (++looked % asksEvery != 0 && out.written() == written) {
            return false;
        }
        written = out.written();
        return true;
    }

    private void seekParents() {
        for (int i = rows.length - 1; i > 0; i--) {
            rows[i - 1].seek(rows[i].parent());
        }
    }
}
