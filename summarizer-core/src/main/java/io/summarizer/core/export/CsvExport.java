package io.summarizer.core.export;

import java.io.IOException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One running export. It runs in steps. Each step may run on a different thread, so that many exports can share few
 * threads. Between two steps, the export holds a buffer of 64 KiB, a cursor per level, the groups, and the rows to
 * sort. It makes no object per row.
 *
 * <p>Belongs to one thread at a time. One of these threads has to close the export.
 */
public final class CsvExport implements AutoCloseable {
    /**
     * Number of rows that are visited or written between two calls of {@code pauses}, if the work for each row is
     * short.
     */
    private static final int ROWS = 32;
    /** Number of rows that are sorted between two calls of {@code pauses}. */
    private static final int SORT_ROWS = 4096;

    private static final int[] TOP_LEVEL = {};

    private final CsvExporter exporter;
    private final CsvRowWriter writer;
    private final CsvBuffer out;
    private final SortedRows sorted;
    private final boolean sorts;
    private final SortKey key = new SortKey();
    /** Number of rows between two calls of {@code pauses}. */
    private final int asksEvery;

    private final @Nullable Grouping grouping;

    private Phase phase;
    private long left;
    /**
     * The rows to group, until the groups are complete. After that, and in exports without groups, the rows to write.
     */
    private RowScan scan;

    /** The texts of the next rows that are in files; null before the first such row. */
    private @Nullable FileTexts texts;

    private int next;
    private int looked;
    private long written;
    private long rows;

    /**
     * The phases, in order. An export without groups skips the phases for groups, and an export without an order skips
     * the phases for the order.
     */
    private enum Phase {
        GROUP,
        COLLECT,
        SORT,
        HEADER,
        WRITE,
        DONE
    }

    /**
     * The groups, until they are complete.
     *
     * @param filter has the condition on rows; null when all rows are grouped
     */
    private record Grouping(Groups groups, @Nullable CsvRowWriter filter) {}

    CsvExport(CsvExporter exporter, ByteSink sink) {
        this.exporter = exporter;
        CsvQuery query = exporter.query();
        writer = exporter.newWriter();
        grouping = grouping(exporter);
        CsvRowWriter filter = grouping == null ? null : grouping.filter;
        asksEvery = writer.takesLong() || (filter != null && filter.takesLong()) ? 1 : ROWS;
        out = new CsvBuffer(sink);
        left = query.limit();
        sorted = new SortedRows(left, exporter.sorting());
        sorts = !query.orderBy().isEmpty();
        scan = exporter.scan();
        phase = grouping != null ? Phase.GROUP : sorts ? Phase.COLLECT : Phase.HEADER;
    }

    private static @Nullable Grouping grouping(CsvExporter exporter) {
        CsvExporter.Grouped grouped = exporter.grouped();
        if (grouped == null) {
            return null;
        }
        CsvProgram filter = grouped.filter();
        return new Grouping(
                new Groups(grouped.rollup(), exporter.groups()),
                filter == null ? null : filter.newWriter().get());
    }

    /**
     * Writes until everything is written or {@code pauses} returns true. Returns whether everything is written. Calls
     * {@code pauses} after every few rows, after each row if the condition may take long, and after each write to the
     * sink. So between two calls of {@code pauses}, this method writes at most 64 KiB plus one row.
     *
     * @throws CsvQueryException when the query takes too much memory or work
     */
    public boolean step(BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (phase != Phase.DONE) {
            boolean completed = switch (phase) {
                case GROUP -> group(Objects.requireNonNull(grouping), pauses);
                case COLLECT -> !sorts || collect(pauses);
                case SORT -> !sorts || sorted.sort(SORT_ROWS);
                case HEADER -> {
                    exporter.header(out);
                    yield true;
                }
                case WRITE -> sorts ? inOrder(pauses) : stream(pauses);
                case DONE -> true;
            };
            if (completed) {
                phase = phase == Phase.WRITE && sorts && sorted.nextPass()
                        ? collectAgain()
                        : phase == Phase.SORT && rows > 0 ? Phase.WRITE : Phase.values()[phase.ordinal() + 1];
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

    /** Rows written. */
    public long rows() {
        return rows;
    }

    /** Releases the memory for sorting and groups, and the file that is being read. */
    @Override
    public void close() {
        sorted.close();
        scan.close();
        if (texts != null) {
            texts.close();
        }
        if (grouping != null) {
            grouping.groups.close();
        }
    }

    private boolean group(Grouping grouping, BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (scan.next()) {
            if (grouping.filter == null || grouping.filter.wants(scan.rows())) {
                grouping.groups.add(scan.rows());
            }
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        scan = new RowScan(RowScan.Source.of(grouping.groups.view()), TOP_LEVEL);
        return true;
    }

    /** Begins another pass over all rows. */
    private Phase collectAgain() {
        scan.restart();
        next = 0;
        if (texts != null) {
            texts.close();
            texts = null;
        }
        return Phase.COLLECT;
    }

    private boolean collect(BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (scan.next()) {
            if (writer.wants(scan.rows())) {
                key.clear();
                writer.sortKey(scan.rows(), key);
                sorted.offer(key, scan.place());
            }
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    private boolean stream(BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (left > 0 && scan.next()) {
            if (writer.wants(scan.rows())) {
                writer.write(scan.rows(), out);
                rows++;
                left--;
            }
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    private boolean inOrder(BooleanSupplier pauses) throws IOException, CsvQueryException {
        while (next < sorted.size()) {
            long place = sorted.place(next);
            if (scan.isInFile(place)) {
                FileTexts texts = this.texts;
                if (texts == null) {
                    this.texts =
                            texts = new FileTexts(exporter.scan(), exporter.newWriter(), sorted, exporter.sorting());
                }
                if (!texts.fill(next, () -> isTimeToAsk() && pauses.getAsBoolean())) {
                    return false;
                }
                texts.write(next, out);
            } else {
                scan.seek(place);
                writer.write(scan.rows(), out);
            }
            next++;
            rows++;
            if (isTimeToAsk() && pauses.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    private boolean isTimeToAsk() {
        if (++looked % asksEvery != 0 && out.written() == written) {
            return false;
        }
        written = out.written();
        return true;
    }
}
