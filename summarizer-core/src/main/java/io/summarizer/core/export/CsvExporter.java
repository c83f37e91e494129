package io.summarizer.core.export;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes a summary, or a nested one, as CSV by RFC 4180 with LF line ends, UTF-8: a header line of names, then a line for
 * each row, partition by partition in the order in which rows were made.
 *
 * <p>Columns: the key columns (of a nested summary those of all enclosing ones first), then the value columns. Fields, by
 * what they hold, such that Excel, R, pandas, PostgreSQL and DuckDB read them unaided:
 * <ul>
 *   <li>integers in decimal, uint64 unsigned; a multiset64 as its estimated cardinality;
 *   <li>currency with a point and always six places: {@code -0.500000};
 *   <li>doubles as the shortest decimal that reads back the same: {@code 0.1}, {@code 1.0E10};
 *   <li>timestamps as {@code 2026-11-20T00:00:00.000000Z}; bools as {@code true} and {@code false};
 *   <li>text in quotes only where it needs them; the empty text is {@code ""};
 *   <li>a null key, and a minimum, maximum, first or last that saw nothing, as an empty field.
 * </ul>
 *
 * <p>Immutable and thread-safe; what each export needs it makes anew: a buffer of 64 KiB and a cursor per level, no object
 * for a row.
 */
public final class CsvExporter {
    private final List<StoreView> partitions;
    private final int[] path;
    /** Layouts from the top-level summary to the one exported. */
    private final SummaryLayout[] layouts;

    /**
     * @param partitions views of all partitions of a top-level summary
     * @param path positions of nested summaries from the outermost on; empty for the top-level summary itself
     */
    public CsvExporter(SummaryLayout layout, List<StoreView> partitions, List<Integer> path) {
        this.partitions = List.copyOf(partitions);
        this.path = path.stream().mapToInt(Integer::intValue).toArray();
        layouts = new SummaryLayout[path.size() + 1];
        layouts[0] = layout;
        for (int i = 0; i < this.path.length; i++) {
            layouts[i + 1] = layouts[i].nested().get(this.path[i]);
        }
    }

    /** For the summary of this view, or its nested one with these field names. */
    public static CsvExporter of(SummaryView view, List<String> fields) {
        return new CsvExporter(view.layout(), view.partitions(), view.path(fields));
    }

    /** Writes all to a stream, which is neither flushed nor closed; returns the number of bytes. */
    public long writeTo(OutputStream out) throws IOException {
        return writeTo((ByteSink) out::write);
    }

    /** Writes all to a sink, in pieces of at most 64 KiB; returns the number of bytes. */
    public long writeTo(ByteSink sink) throws IOException {
        CsvBuffer out = new CsvBuffer(sink);
        header(out);
        for (StoreView partition : partitions) {
            rows(partition, out);
        }
        out.flush();
        return out.written();
    }

    private void header(CsvBuffer out) throws IOException {
        for (SummaryLayout layout : layouts) {
            for (KeyColumn key : layout.keys()) {
                name(key.name(), out);
            }
        }
        for (ValueColumn value : layouts[path.length].values()) {
            name(value.name(), out);
        }
        out.replaceLast('\n');
    }

    private static void name(String name, CsvBuffer out) throws IOException {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        out.putText(utf8, 0, utf8.length);
        out.putByte(',');
    }

    private void rows(StoreView partition, CsvBuffer out) throws IOException {
        int levels = layouts.length;
        RowCursor[] cursors = new RowCursor[levels];
        KeyType[][] keys = new KeyType[levels][];
        StoreView view = partition;
        for (int i = 0; i < levels; i++) {
            view = i == 0 ? partition : view.nested(path[i - 1]);
            cursors[i] = view.cursor();
            keys[i] = layouts[i].keys().stream().map(KeyColumn::type).toArray(KeyType[]::new);
        }
        AggregateType[] values =
                layouts[levels - 1].values().stream().map(ValueColumn::type).toArray(AggregateType[]::new);

        RowCursor row = cursors[levels - 1];
        while (row.next()) {
            for (int i = levels - 1; i > 0; i--) {
                cursors[i - 1].seek(cursors[i].parent());
            }
            for (int i = 0; i < levels; i++) {
                keys(cursors[i], keys[i], out);
            }
            values(row, values, out);
            out.replaceLast('\n');
        }
    }

    private static void keys(RowCursor row, KeyType[] types, CsvBuffer out) throws IOException {
        for (int column = 0; column < types.length; column++) {
            if (!row.isKeyNull(column)) {
                switch (types[column]) {
                    case INT32, INT64, UINT32 -> out.putLong(row.keyLong(column));
                    case UINT64 -> out.putUnsignedLong(row.keyLong(column));
                    case BOOL -> out.putBool(row.keyLong(column) != 0);
                    case TIMESTAMP -> out.putTimestamp(row.keyLong(column));
                    case STRING -> {
                        row.readKeyText(column);
                        out.putText(row.text(), row.textOffset(), row.textLength());
                    }
                }
            }
            out.putByte(',');
        }
    }

    private static void values(RowCursor row, AggregateType[] types, CsvBuffer out) throws IOException {
        for (int column = 0; column < types.length; column++) {
            if (!row.isEmpty(column)) {
                switch (types[column]) {
                    case SUMCURRENCY -> out.putMillionths(row.longValue(column));
                    case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> out.putDouble(row.doubleValue(column));
                    case MINTIMESTAMP, MAXTIMESTAMP -> out.putTimestamp(row.longValue(column));
                    case FIRSTSTRING, LASTSTRING -> {
                        row.readText(column);
                        out.putText(row.text(), row.textOffset(), row.textLength());
                    }
                    case SUMINT32, SUMINT64, COUNT, MININT64, MAXINT64, FIRSTINT64, LASTINT64, MULTISET64 ->
                        out.putLong(row.longValue(column));
                }
            }
            out.putByte(',');
        }
    }
}
