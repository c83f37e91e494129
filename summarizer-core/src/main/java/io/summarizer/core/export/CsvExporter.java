package io.summarizer.core.export;

import io.summarizer.core.state.OverflowRow;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a summary, or a nested one, as CSV in UTF-8: a header line of names, then a line for each row that the query asks
 * for; without an order, partition by partition in the order in which rows were made.
 *
 * <p>Columns, unless the query names others: the key columns (of a nested summary those of all enclosing ones first), then
 * the value columns. Fields, by what they hold, such that Excel, R, pandas, PostgreSQL and DuckDB read them unaided:
 * <ul>
 *   <li>integers in decimal, uint64 unsigned; a multiset64 as its estimated cardinality, or the set, as {@link
 *       Distinct} says;
 *   <li>currency with a point and always six places: {@code -0.500000};
 *   <li>doubles as the shortest decimal that reads back the same: {@code 0.1}, {@code 1.0E10};
 *   <li>timestamps as {@code 2026-11-20T00:00:00.000000Z}; bools as {@code true} and {@code false};
 *   <li>text in quotes only where it needs them; the empty text is {@code ""};
 *   <li>a null key, and a minimum, maximum, first or last that saw nothing, as an empty field; where it is the only field,
 *       as {@code ""}, since readers skip empty lines (not for {@link CsvProfile#PG}, whose COPY reads them as null).
 * </ul>
 * {@link CsvProfile} says what else there is.
 *
 * <p>Immutable and thread-safe; what each export needs it makes anew: a buffer of 64 KiB and a cursor per level, no object
 * for a row.
 */
public final class CsvExporter {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    /** A share of the heap that one sorting export may take; there are eight at a time. */
    private static final int SORT_SHARE = 32;

    private static final long SORT_BYTES_MIN = 16L << 20;

    private final List<StoreView> partitions;
    private final int[] path;
    private final CsvProgram program;
    private final CsvQuery query;
    private final long sortBytesMax;

    CsvExporter(List<StoreView> partitions, List<Integer> path, CsvProgram program, CsvQuery query, long sortBytesMax) {
        this.partitions = List.copyOf(partitions);
        this.path = path.stream().mapToInt(Integer::intValue).toArray();
        this.program = program;
        this.query = query;
        this.sortBytesMax = sortBytesMax;
    }

    /**
     * For the summary of this view, or its nested one with these field names.
     *
     * @throws CsvQueryException when the query is wrong for that summary
     * @throws IllegalArgumentException when there is no such nested summary
     */
    public static CsvExporter of(SummaryView view, List<String> fields, CsvQuery query, CsvCompiler compiler)
            throws CsvQueryException {
        List<Integer> path = view.path(fields);
        CsvProgram program = compiler.compile(view.layout(), path, query.withoutLimit());
        long sortBytesMax = Math.max(SORT_BYTES_MIN, Runtime.getRuntime().maxMemory() / SORT_SHARE);
        return new CsvExporter(OverflowRow.merged(view).partitions(), path, program, query, sortBytesMax);
    }

    /** Writes all to a stream, which is neither flushed nor closed; as {@link #writeTo(ByteSink)}. */
    public long writeTo(OutputStream out) throws IOException, CsvQueryException {
        return writeTo((ByteSink) out::write);
    }

    /**
     * Writes all to a sink, in pieces of at most 64 KiB; returns the number of bytes.
     *
     * @throws CsvQueryException when the rows cannot be sorted in the memory there is; then nothing was written
     */
    public long writeTo(ByteSink sink) throws IOException, CsvQueryException {
        CsvRowWriter writer = program.newWriter();
        CsvBuffer out = new CsvBuffer(sink);
        if (query.orderBy().isEmpty()) {
            header(out);
            stream(writer, out);
        } else {
            SortedRows sorted = sorted(writer);
            header(out);
            inOrder(sorted, writer, out);
        }
        out.flush();
        return out.written();
    }

    private void header(CsvBuffer out) throws IOException {
        boolean spreadsheet = query.profile() == CsvProfile.EXCEL;
        if (spreadsheet) {
            byte[] mark = BYTE_ORDER_MARK.getBytes(StandardCharsets.UTF_8);
            out.putBytes(mark);
        }
        String separator = "";
        for (String name : program.columns()) {
            out.putAscii(separator);
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            if (spreadsheet) {
                out.putSpreadsheetText(utf8, 0, utf8.length);
            } else {
                out.putText(utf8, 0, utf8.length);
            }
            separator = ",";
        }
        out.putAscii(spreadsheet ? "\r\n" : "\n");
    }

    private void stream(CsvRowWriter writer, CsvBuffer out) throws IOException {
        long left = query.limit();
        for (StoreView partition : partitions) {
            RowCursor[] rows = cursors(partition);
            RowCursor row = rows[rows.length - 1];
            while (left > 0 && row.next()) {
                seekParents(rows);
                if (writer.wants(rows)) {
                    writer.write(rows, out);
                    left--;
                }
            }
        }
    }

    private SortedRows sorted(CsvRowWriter writer) throws CsvQueryException {
        SortedRows sorted = new SortedRows(query.limit(), sortBytesMax);
        SortKey key = new SortKey();
        for (int partition = 0; partition < partitions.size(); partition++) {
            RowCursor[] rows = cursors(partitions.get(partition));
            RowCursor row = rows[rows.length - 1];
            while (row.next()) {
                seekParents(rows);
                if (writer.wants(rows)) {
                    key.clear();
                    writer.sortKey(rows, key);
                    sorted.offer(key, (long) partition << 32 | row.row());
                }
            }
        }
        sorted.sort();
        return sorted;
    }

    private void inOrder(SortedRows sorted, CsvRowWriter writer, CsvBuffer out) throws IOException {
        RowCursor[][] cursors = new RowCursor[partitions.size()][];
        for (int i = 0; i < cursors.length; i++) {
            cursors[i] = cursors(partitions.get(i));
        }
        for (int i = 0; i < sorted.size(); i++) {
            RowCursor[] rows = cursors[(int) (sorted.place(i) >>> 32)];
            rows[rows.length - 1].seek((int) sorted.place(i));
            seekParents(rows);
            writer.write(rows, out);
        }
    }

    /** A cursor for each level, from the top-level summary to the one exported. */
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

    private static void seekParents(RowCursor[] rows) {
        for (int i = rows.length - 1; i > 0; i--) {
            rows[i - 1].seek(rows[i].parent());
        }
    }
}
