package io.summarizer.dsl.export;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.CellKind;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.RowFormat;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.generate.Leaves;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes code that reads columns. The caller first calls {@link #rows} to declare the local variables that the
 * expressions use: for each level, the cursor and the bytes of the cursor's row.
 */
record ColumnCode(JavaClass type) {
    /** Declares the variables for the levels of {@code columns}, from an array {@code rows} of cursors. */
    void rows(Code code, Iterable<Column> columns) {
        for (int level : levels(columns)) {
            code.line(type.use(RowCursor.class) + " " + cursor(level) + " = rows[" + level + "];");
            code.line("byte[] cells" + level + " = " + cursor(level) + ".bytes();");
        }
    }

    /**
     * The variables that {@link #rows} declares, as parameters for methods. Long code is divided among methods with
     * these parameters.
     */
    List<Leaves.Parameter> parameters(Iterable<Column> columns) {
        List<Leaves.Parameter> parameters = new ArrayList<>();
        for (int level : levels(columns)) {
            parameters.add(new Leaves.Parameter(type.use(RowCursor.class), cursor(level)));
            parameters.add(new Leaves.Parameter("byte[]", "cells" + level));
        }
        return parameters;
    }

    private static Set<Integer> levels(Iterable<Column> columns) {
        Set<Integer> levels = new TreeSet<>();
        columns.forEach(column -> levels.add(column.level()));
        return levels;
    }

    private static String cursor(int level) {
        return "row" + level;
    }

    /** A Java condition that is true when the column is null; an empty text when the column is never null. */
    String isNull(Column column) {
        RowFormat format = column.format();
        int position = column.position();
        if (column.key()) {
            String at = type.number("nulls" + column.level() + "_at", format.keyOffset + (position >>> 3));
            String bit = type.number(column.name() + "_null", 1 << (position & 7));
            return "(" + cells(column, at) + " & " + bit + ") != 0";
        }
        return switch (format.kind(position)) {
            case MIN_INT64, MAX_INT64, MIN_DOUBLE, MAX_DOUBLE, FIRST_INT64, LAST_INT64 ->
                "(" + cells(column, type.number("flags_at", format.flagByte(position))) + " & "
                        + type.number(column.name() + "_flag", format.flagMask(position)) + ") == 0";
            case FIRST_STRING, LAST_STRING ->
                read("getInt", column, at(column, "_text_at", format.cell(position) + 8)) + " == 0";
            case SUM_INT32, SUM_INT64, SUM_DOUBLE, COUNT, MULTISET -> "";
        };
    }

    /** The value of a column that is neither null nor a text: a long, double or boolean. */
    String value(Column column) {
        RowFormat format = column.format();
        int position = column.position();
        if (column.key()) {
            String at = at(column, "_at", format.keyOffset + format.key.offset(position));
            return switch (column.type()) {
                case INT32 -> read("getInt", column, at);
                case UINT32 -> "(" + read("getInt", column, at) + " & 0xffffffffL)";
                case BOOL -> cells(column, at) + " != 0";
                default -> read("getLong", column, at);
            };
        }
        int cell = format.cell(position);
        return switch (format.kind(position)) {
            case SUM_INT32, SUM_INT64 -> throw new IllegalArgumentException(column.name() + " is a sum");
            case COUNT, MIN_INT64, MAX_INT64 -> read("getLong", column, at(column, "_at", cell));
            case FIRST_INT64, LAST_INT64 -> read("getLong", column, at(column, "_at", cell + 8));
            case SUM_DOUBLE, MIN_DOUBLE, MAX_DOUBLE ->
                type.use(Cells.class) + ".getDouble(cells" + column.level() + ", " + at(column, "_at", cell) + ")";
            case MULTISET -> cursor(column.level()) + ".longValue(" + position + ")";
            case FIRST_STRING, LAST_STRING -> throw new IllegalArgumentException(column.name() + " is text");
        };
    }

    /**
     * The expressions for the two halves of a sum of integers or currency. The code must evaluate the lower half first.
     */
    String sum(Column column) {
        return low(column) + ", " + cursor(column) + ".high()";
    }

    /** The expression for the lower half of a sum. */
    String low(Column column) {
        return sumCall(column, "sum", "");
    }

    private String sumCall(Column column, String method, String arguments) {
        RowFormat format = column.format();
        int position = column.position();
        String suffix = format.kind(position) == CellKind.SUM_INT32 ? "Int32(" : "Int64(";
        return cursor(column) + "." + method + suffix + at(column, "_at", format.cell(position)) + arguments + ")";
    }

    /** A condition that is true when a sum does not fit int64. */
    String isWide(Column column) {
        return low(column) + " >> 63 != " + cursor(column) + ".high()";
    }

    /**
     * Compares a sum of integers with another integer. The other integer is a {@code long}, or the two halves of a
     * number of 128 bits.
     */
    String compareSum(Column column, String other) {
        return sumCall(column, "compareSum", ", " + other);
    }

    private static String cursor(Column column) {
        return cursor(column.level());
    }

    /** A statement that reads a text column into the text of its cursor. The column must not be null. */
    String readText(Column column) {
        String method = column.key() ? "readKeyText" : column.type() == Column.Type.SET ? "readHll" : "readText";
        return cursor(column.level()) + "." + method + "(" + column.position() + ");";
    }

    /** The last text that was read, as three arguments: bytes, offset, length. */
    String text(Column column) {
        String cursor = cursor(column.level());
        return cursor + ".text(), " + cursor + ".textOffset(), " + cursor + ".textLength()";
    }

    /** The name of the constant that has the offset of a part of a column. */
    private String at(Column column, String part, int offset) {
        return type.number(column.name() + part, offset);
    }

    private String read(String method, Column column, String offset) {
        return type.use(Bytes.class) + "." + method + "(cells" + column.level() + ", " + offset + ")";
    }

    private static String cells(Column column, String offset) {
        return "cells" + column.level() + "[" + offset + "]";
    }
}
