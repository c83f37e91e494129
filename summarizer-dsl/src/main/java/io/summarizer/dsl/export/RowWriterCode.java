package io.summarizer.dsl.export;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.summarizer.core.export.CsvBuffer;
import io.summarizer.core.export.CsvFields;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvRowWriter;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.export.SortKey;
import io.summarizer.core.store.RowCursor;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.JavaText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the class of a {@link CsvRowWriter}: straight-line code that copies cells at constant offsets to bytes of the
 * buffer. The methods are short enough for HotSpot. The code reserves space once for several columns, up to the next
 * text column.
 */
final class RowWriterCode {
    /** Number of columns per method. Because the code of each column has a bounded length, methods are short. */
    private static final int COLUMNS_PER_METHOD = 24;

    private final CheckedQuery query;
    private final JavaClass type;
    private final ColumnCode columns;
    private final boolean json;

    RowWriterCode(CheckedQuery query, JavaClass type) {
        this.query = query;
        this.type = type;
        columns = new ColumnCode(type);
        json = query.format() == ExportFormat.NDJSON;
    }

    /** Adds the methods that write and sort; the caller adds the methods of a condition. */
    void write() {
        List<Column> written = query.written();
        Code write = type.member();
        write.open("public void write(" + type.use(RowCursor.class) + "[] rows, " + type.use(CsvBuffer.class)
                + " out) throws " + type.use(IOException.class));
        if (written.size() <= COLUMNS_PER_METHOD) {
            columns(write, written, true);
        } else {
            for (int from = 0, part = 1; from < written.size(); from += COLUMNS_PER_METHOD, part++) {
                int to = Math.min(written.size(), from + COLUMNS_PER_METHOD);
                String method = type.names().variable("write_part" + part);
                write.line(method + "(rows, out);");
                Code member = type.member();
                member.open("private static void " + method + "(" + type.use(RowCursor.class) + "[] rows, "
                        + type.use(CsvBuffer.class) + " out) throws " + type.use(IOException.class));
                columns(member, written.subList(from, to), to == written.size());
                member.close();
            }
        }
        write.close();
        if (!query.order().isEmpty()) {
            sortKey();
        }
    }

    private void columns(Code code, List<Column> some, boolean last) {
        columns.rows(code, some);
        code.line("byte[] to = out.bytes();");
        code.line("int at = out.reserve(" + room(some, 0) + ");");
        for (int i = 0; i < some.size(); i++) {
            Column column = some.get(i);
            if (!json && !isFirst(column)) {
                put(code, ",");
            }
            code.comment(column.name());
            if (json) {
                String bytes =
                        JavaText.literal(name(column)) + ".getBytes(" + type.use(StandardCharsets.class) + ".UTF_8)";
                String name = type.constant("byte[]", column.name() + "_name", bytes);
                code.line("at = " + type.use(CsvFields.class) + ".putBytes(to, at, " + name + ");");
            }
            String isNull = columns.isNull(column);
            if (!isNull.isEmpty()) {
                code.open("if (!(" + isNull + "))");
            }
            field(code, column, room(some, i + 1));
            if (!isNull.isEmpty()) {
                noField(code, column, room(some, i + 1));
                code.close();
            }
        }
        if (last) {
            put(code, json && query.written().isEmpty() ? "{" : "");
            put(code, json ? "}\n" : query.profile() == CsvProfile.EXCEL ? "\r\n" : "\n");
        }
        code.line("out.advance(at);");
    }

    private boolean isFirst(Column column) {
        return column.equals(query.written().get(0));
    }

    /** The name of a column as the name of a JSON member, with the characters around it: {@code ,"status":}. */
    private String name(Column column) {
        String escaped = new String(JsonStringEncoder.getInstance().quoteAsString(column.name()));
        return (isFirst(column) ? "{\"" : ",\"") + escaped + "\":";
    }

    /**
     * Number of bytes to reserve for the columns from {@code from} up to the next text column, including names,
     * separators, and a null in place of the text.
     */
    private int room(List<Column> some, int from) {
        int room = 4;
        for (int i = from; i < some.size(); i++) {
            room += 4;
            if (json) {
                room += name(some.get(i)).getBytes(StandardCharsets.UTF_8).length;
            }
            if (some.get(i).type().isText()) {
                break;
            }
            room += CsvFields.LONGEST;
        }
        return room;
    }

    /** Puts a column that is null. */
    private void noField(Code code, Column column, int roomBehind) {
        boolean alone = query.written().size() == 1 && query.profile() != CsvProfile.PG;
        if (json || alone || column.type().isText()) {
            code.next("else");
        }
        if (json) {
            code.line("at = " + type.use(CsvFields.class) + ".putNull(to, at);");
        } else if (alone) {
            put(code, "\"\""); // most readers skip an empty line
        }
        if (column.type().isText()) {
            code.line("out.advance(at);");
            code.line("at = out.reserve(" + roomBehind + ");");
        }
    }

    /** Puts a column that is not null. */
    private void field(Code code, Column column, int roomBehind) {
        String put = type.use(CsvFields.class) + (query.profile() == CsvProfile.EXCEL ? ".putSpreadsheet" : ".put");
        String plain = type.use(CsvFields.class) + ".put";
        switch (column.type()) {
            case INT32, UINT32 -> number(code, plain + "Long(to, at, ", columns.value(column));
            case INT64, CARDINALITY -> number(code, put + "Long(to, at, ", columns.value(column));
            case UINT64 -> number(code, put + "UnsignedLong(to, at, ", columns.value(column));
            case SUM -> number(code, put + "Sum(to, at, ", columns.sum(column));
            case CURRENCY -> number(code, plain + "Millionths(to, at, ", columns.sum(column));
            case DOUBLE -> number(code, plain + "Double(to, at, ", columns.value(column));
            case BOOL -> number(code, plain + "Bool(to, at, ", columns.value(column));
            case TIMESTAMP -> {
                String method = query.profile() == CsvProfile.PG ? "out.putPgTimestamp(at, " : "out.putTimestamp(at, ";
                put(code, json ? "\"" : "");
                number(code, method, columns.value(column));
                put(code, json ? "\"" : "");
            }
            case TEXT, SET -> {
                code.line("out.advance(at);");
                code.line(columns.readText(column));
                String method = switch (query.profile()) {
                    case RFC4180 -> json ? "putJsonText" : "putText";
                    case EXCEL -> column.type() == Column.Type.SET ? "putText" : "putSpreadsheetText";
                    case PG -> "putPgText";
                };
                code.line("out." + method + "(" + columns.text(column) + ");");
                code.line("at = out.reserve(" + roomBehind + ");");
            }
        }
    }

    private static void number(Code code, String call, String value) {
        code.line("at = " + call + value + ");");
    }

    private static void put(Code code, String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            String literal = switch (ascii.charAt(i)) {
                case '\n' -> "\\n";
                case '\r' -> "\\r";
                default -> ascii.substring(i, i + 1);
            };
            code.line("to[at++] = '" + literal + "';");
        }
    }

    private void sortKey() {
        List<CheckedQuery.Sorting> order = query.order();
        Code code = type.member();
        code.open("public void sortKey(" + type.use(RowCursor.class) + "[] rows, " + type.use(SortKey.class) + " key)");
        List<Column> sorted = new ArrayList<>();
        order.forEach(by -> sorted.add(by.column()));
        columns.rows(code, sorted);
        for (CheckedQuery.Sorting by : order) {
            Column column = by.column();
            code.comment(column.name() + (by.descending() ? " desc" : ""));
            String isNull = columns.isNull(column);
            if (!isNull.isEmpty()) {
                code.open("if (" + isNull + ")").line("key.putNull();").next("else");
            }
            sortField(code, column, by.descending());
            if (!isNull.isEmpty()) {
                code.close();
            }
        }
        code.close();
    }

    private void sortField(Code code, Column column, boolean descending) {
        if (column.type() == Column.Type.TEXT) {
            code.line(columns.readText(column));
        }
        String put = switch (column.type()) {
            case TEXT -> "Text(" + columns.text(column);
            case DOUBLE -> "Double(" + columns.value(column);
            case UINT64 -> "UnsignedLong(" + columns.value(column);
            case BOOL -> "Long(" + columns.value(column) + " ? 1L : 0L";
            case SUM, CURRENCY -> "Sum(" + columns.sum(column);
            case INT32, UINT32, INT64, TIMESTAMP, CARDINALITY -> "Long(" + columns.value(column);
            case SET -> throw new IllegalArgumentException("a set has no order");
        };
        code.line("key.put" + put + ", " + descending + ");");
    }
}
