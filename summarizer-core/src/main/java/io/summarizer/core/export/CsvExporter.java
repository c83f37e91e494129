package io.summarizer.core.export;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.OverflowRow;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a summary, or a nested one, as CSV or NDJSON in UTF-8. A CSV has a header line of names, then a line for each
 * row of the query. If the query has no order, the rows of closed windows come first, window by window. Then come the
 * other rows that are in files, file by file, and then the rows in memory, partition by partition. Rows of a partition
 * are in the order of their creation.
 *
 * <p>If the query names no columns, the columns are the key columns, then the value columns. For a nested summary, the
 * key columns of all enclosing summaries come first. Fields of a CSV have formats that Excel, R, pandas, PostgreSQL and
 * DuckDB read unaided:
 * <ul>
 * <li>integers in decimal, uint64 unsigned; a multiset64 in the form that {@link Distinct} selects: its estimated
 * cardinality, the set itself, or both;
 * <li>currency with a point and always six places: {@code -0.500000};
 * <li>doubles as the shortest decimal that reads back the same: {@code 0.1}, {@code 1.0E10};
 * <li>timestamps as {@code 2026-11-20T00:00:00.000000Z}; bools as {@code true} and {@code false};
 * <li>text in quotes only when necessary; the empty text is {@code ""};
 * <li>nulls as empty fields: a null key, or a minimum, maximum, first or last without observation. If a null is the
 * only field of a line, it is {@code ""}, because readers skip empty lines. In {@link CsvProfile#PG}, the line stays
 * empty, because COPY takes it for a null. </ul> {@link CsvProfile} has the other dialects.
 *
 * <p>In NDJSON, each row is an object in a line of its own. The members of the object have the names and the order of
 * the CSV's columns. Integers, currency and doubles are numbers with all digits of the CSV; bools are {@code true} and
 * {@code false}; times, texts and sets are strings; nulls are {@code null}.
 *
 * <p>If the query has a {@link CsvQuery.Grouping}, the written rows are the groups.
 *
 * <p>Immutable and thread-safe; each export has its own {@link CsvExport}.
 */
public final class CsvExporter {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final RowScan.Source rows;
    private final int[] path;
    private final CsvProgram program;
    private final CsvQuery query;
    private final @Nullable Grouped grouped;
    private final ExportMemory sorting;
    private final ExportMemory groups;

    /**
     * The grouping of the rows before they are written.
     *
     * @param filter the program with the condition on rows, null when all rows are grouped
     */
    record Grouped(Rollup rollup, @Nullable CsvProgram filter) {}

    private CsvExporter(
            SummaryView view,
            List<Integer> path,
            CsvProgram program,
            CsvQuery query,
            @Nullable Grouped grouped,
            ExportMemory sorting,
            ExportMemory groups)
            throws CsvQueryException {
        rows = rows(view, query.windows());
        this.path = path.stream().mapToInt(Integer::intValue).toArray();
        this.program = program;
        this.query = query;
        this.grouped = grouped;
        this.sorting = sorting;
        this.groups = groups;
    }

    private static RowScan.Source rows(SummaryView view, WindowRange range) throws CsvQueryException {
        SummaryLayout layout = view.layout();
        if (range.isAll() && layout.window() == null) {
            return new RowScan.Source(
                    layout, List.copyOf(view.stored()), OverflowRow.merged(view).partitions());
        }
        List<StoreView> inMemory = view.partitions().stream().filter(range::has).toList();
        List<ClosedWindow> closed =
                view.closed().files().stream().filter(range::has).toList();
        checkFit(closed, layout);
        List<RowSource> files = new ArrayList<>(closed);
        view.stored().stream().filter(range::has).forEach(files::add);
        SummaryView chosen = new SummaryView(layout, inMemory, view.updates(), view.closed());
        return new RowScan.Source(layout, files, OverflowRow.merged(chosen).partitions());
    }

    /** Refuses the query if a file has rows that cannot be converted to the present definitions. */
    private static void checkFit(List<ClosedWindow> files, SummaryLayout layout) throws CsvQueryException {
        Set<SummaryLayout> fit = Collections.newSetFromMap(new IdentityHashMap<>());
        for (ClosedWindow file : files) {
            if (fit.add(file.layout())) {
                List<String> refusals = LayoutMatch.of(
                                List.of(file.layout()),
                                (summary, path) -> path.isEmpty() ? file.rows() : 0,
                                List.of(layout),
                                "in the file")
                        .refusals();
                if (!refusals.isEmpty()) {
                    throw new CsvQueryException(
                            CsvQueryException.Reason.CONFLICT,
                            file + ": this closed window does not go together with the present definitions:\n  "
                                    + String.join("\n  ", refusals)
                                    + "\nhelp: leave it out by from= and until=, or go back to the definitions that it was"
                                    + " made with");
                }
            }
        }
    }

    /**
     * An exporter of the summary of this view, or of the nested summary with these field names.
     *
     * @param sorting memory for sorting
     * @param groups memory for groups
     * @throws CsvQueryException when the query does not fit that summary
     * @throws IllegalArgumentException when there is no such nested summary
     */
    public static CsvExporter of(
            SummaryView view,
            List<String> fields,
            CsvQuery query,
            CsvCompiler compiler,
            ExportMemory sorting,
            ExportMemory groups)
            throws CsvQueryException {
        List<Integer> path = view.path(fields);
        Requests requests = Requests.of(view.layout(), path, query);
        CsvProgram filter = requests.filter == null ? null : requests.filter.compile(compiler);
        Grouped grouped = requests.rollup == null ? null : new Grouped(requests.rollup, filter);
        return new CsvExporter(view, path, requests.writer.compile(compiler), query, grouped, sorting, groups);
    }

    /** Whether {@link #of} would return at once, without compiling. */
    public static boolean isQuick(SummaryView view, List<String> fields, CsvQuery query, CsvCompiler compiler) {
        try {
            Requests requests = Requests.of(view.layout(), view.path(fields), query);
            return (requests.filter == null || requests.filter.isKept(compiler)) && requests.writer.isKept(compiler);
        } catch (CsvQueryException e) {
            return true; // it is thrown again at once
        }
    }

    /** A query to compile. */
    private record Request(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        CsvProgram compile(CsvCompiler compiler) throws CsvQueryException {
            return compiler.compile(layout, path, query);
        }

        boolean isKept(CsvCompiler compiler) {
            return compiler.isKept(layout, path, query);
        }
    }

    /**
     * The queries to compile for an export.
     *
     * @param filter has the condition on the rows to group; null when there is no condition
     * @param rollup the table of groups; null when rows are not grouped
     */
    private record Requests(
            Request writer,
            @Nullable Request filter,
            @Nullable Rollup rollup) {
        static Requests of(SummaryLayout layout, List<Integer> path, CsvQuery query) throws CsvQueryException {
            if (layout.window() == null && !query.windows().isAll()) {
                throw CsvQueryException.invalid(
                        "from, until and closed choose time windows, and `" + layout.name() + "` has none");
            }
            CsvQuery.Grouping grouping = query.grouping();
            if (grouping == null) {
                return new Requests(new Request(layout, path, query.withoutLimit()), null, null);
            }
            Rollup rollup = Rollup.of(layout, path, grouping);
            String someColumn = layout.keys().get(0).name();
            return new Requests(
                    new Request(rollup.layout(), List.of(), query.ofGroups()),
                    query.where().isEmpty() ? null : new Request(layout, path, query.ofRows(someColumn)),
                    rollup);
        }
    }

    /**
     * Does the same as {@link #of(SummaryView, List, CsvQuery, CsvCompiler, ExportMemory, ExportMemory)}, with memory
     * for this export alone.
     */
    public static CsvExporter of(SummaryView view, List<String> fields, CsvQuery query, CsvCompiler compiler)
            throws CsvQueryException {
        return of(view, fields, query, compiler, ExportMemory.forSorting(), ExportMemory.forGroups());
    }

    /** Writes everything to a stream, like {@link #writeTo(ByteSink)}. Neither flushes nor closes the stream. */
    public long writeTo(OutputStream out) throws IOException, CsvQueryException {
        return writeTo((ByteSink) out::write);
    }

    /**
     * Writes everything to a sink, in pieces of at most 64 KiB. Returns the number of bytes.
     *
     * @throws CsvQueryException when the query takes too much memory or work. If the query sorts or groups, nothing was
     *     written before this exception.
     */
    public long writeTo(ByteSink sink) throws IOException, CsvQueryException {
        try (CsvExport export = start(sink)) {
            export.step(() -> false);
            return export.written();
        }
    }

    /** Names of the written columns, in order. */
    public List<String> columns() {
        return program.columns();
    }

    /** Makes an export to a sink, which the caller then runs in steps. Writes nothing yet. */
    public CsvExport start(ByteSink sink) {
        return new CsvExport(this, sink);
    }

    CsvRowWriter newWriter() {
        return program.newWriter().get();
    }

    CsvQuery query() {
        return query;
    }

    /** The grouping of the rows, or null. */
    @Nullable
    Grouped grouped() {
        return grouped;
    }

    /** A walk over the rows of the summary. */
    RowScan scan() {
        return new RowScan(rows, path);
    }

    ExportMemory sorting() {
        return sorting;
    }

    ExportMemory groups() {
        return groups;
    }

    void header(CsvBuffer out) throws IOException {
        if (query.format() == ExportFormat.NDJSON) {
            return;
        }
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
}
