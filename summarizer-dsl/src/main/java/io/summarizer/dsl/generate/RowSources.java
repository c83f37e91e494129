package io.summarizer.dsl.generate;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.CellKind;
import io.summarizer.core.store.Cells;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowFormat;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.UpdateRun;
import io.summarizer.dsl.codegen.Code;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.JavaClass;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.codegen.SourceCompiler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The source of the {@link RowCode} of a summary and of each summary nested in it. The generated class compares keys
 * and updates cells at constant offsets. Immutable.
 */
public final class RowSources {
    /** Maximum number of columns in one method. With more columns, HotSpot would not compile the method. */
    private static final int COLUMNS_PER_METHOD = 64;
    /** Longest key whose comparison is unrolled. */
    private static final int MAX_WORD_BY_WORD = 512;

    private final GeneratedSource source;
    private final List<RowSources> nested;

    private RowSources(GeneratedSource source, List<RowSources> nested) {
        this.source = source;
        this.nested = List.copyOf(nested);
    }

    /**
     * The sources for top-level summary {@code layout}.
     *
     * @param classNames provides the names of the classes
     */
    public static RowSources of(SummaryLayout layout, Names classNames) {
        return of(layout, layout.name(), false, classNames);
    }

    private static RowSources of(SummaryLayout layout, String path, boolean isNested, Names classNames) {
        GeneratedSource source = new Writer(layout, path, isNested, classNames.type(path + " Rows")).source();
        List<RowSources> nested = new ArrayList<>();
        for (SummaryLayout below : layout.nested()) {
            nested.add(of(below, path + '.' + below.name(), true, classNames));
        }
        return new RowSources(source, nested);
    }

    /** The row code of {@code layout}, compiled on its own; for stores without definitions. */
    public static RowCode.Tree compile(SummaryLayout layout) {
        RowSources sources = of(layout, new Names());
        return sources.instance(SourceCompiler.compile(sources.sources()));
    }

    /** All sources, the summary's own first. */
    public List<GeneratedSource> sources() {
        List<GeneratedSource> all = new ArrayList<>();
        addTo(all);
        return all;
    }

    private void addTo(List<GeneratedSource> all) {
        all.add(source);
        nested.forEach(below -> below.addTo(all));
    }

    /** An instance of the row code, from the compiled classes of these sources. */
    public RowCode.Tree instance(GeneratedClasses classes) {
        return new RowCode.Tree(
                classes.newInstance(source.className(), RowCode.class),
                nested.stream().map(below -> below.instance(classes)).toList());
    }

    /** Writes one class. */
    private static final class Writer {
        private final SummaryLayout layout;
        private final RowFormat format;
        private final boolean isNested;
        private final JavaClass file;
        private final String bytes;
        private final String cells;
        private final String updateBatch;

        Writer(SummaryLayout layout, String path, boolean isNested, String className) {
            this.layout = layout;
            format = new RowFormat(layout, isNested);
            this.isNested = isNested;
            file = new JavaClass(className, "Rows of " + path + ", " + format.width + " bytes each.");
            file.inherits("extends " + file.use(RowCode.class));
            bytes = file.use(Bytes.class);
            cells = file.use(Cells.class);
            updateBatch = file.use(UpdateBatch.class);
        }

        GeneratedSource source() {
            hasKey(file.member());
            update(file.member());
            if (!isNested) {
                updateRun(file.member()); // only top-level rows have records, and so runs
            }
            return file.source();
        }

        private void hasKey(Code code) {
            code.open("public boolean hasKey(byte[] row, int base, byte[] bytes, int key)");
            List<String> terms = new ArrayList<>();
            int length = format.key.fixedBytes();
            if (length > MAX_WORD_BY_WORD) {
                code.line("return " + file.use(Arrays.class) + ".equals(row, base + " + keyAt(0) + ", base + "
                        + keyAt(length) + ", bytes, key, key" + plus(length) + ");");
                code.close();
                return;
            }
            int at = 0;
            for (int width : new int[] {8, 4, 1}) {
                for (; at + width <= length; at += width) {
                    terms.add(difference(width, at));
                }
                if (width > 1 && at > 0 && at < length) {
                    // The last word has the remaining bytes, preceded by bytes that an earlier word has already
                    // compared.
                    terms.add(difference(width, length - width));
                    at = length;
                }
            }
            if (terms.size() == 1) {
                code.line("return " + terms.get(0) + " == 0;");
            } else {
                // The code compares all words and then branches once. Callers compare keys only when the hashes are
                // equal, and then the keys are equal in nearly all cases, so there is no gain in stopping early.
                code.line("return (" + terms.get(0));
                for (int i = 1; i < terms.size(); i++) {
                    code.line("        | " + terms.get(i) + (i + 1 == terms.size() ? ") == 0;" : ""));
                }
            }
            code.close();
        }

        private String difference(int width, int offset) {
            String row = "row, base + " + keyAt(offset);
            String key = "bytes, key" + plus(offset);
            return switch (width) {
                case 8 -> "(" + bytes + ".getLong(" + row + ") ^ " + bytes + ".getLong(" + key + "))";
                case 4 -> "(" + bytes + ".getInt(" + row + ") ^ " + bytes + ".getInt(" + key + "))";
                default -> "(row[base + " + keyAt(offset) + "] ^ bytes[key" + plus(offset) + "])";
            };
        }

        private void update(Code code) {
            code.line("public int update(");
            code.open("        " + file.use(StoreTables.class)
                    + " tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp)");
            code.line(cells + " cells = tables.cells();");
            code.line("int at = from;");
            code.open("while (at < end)");
            code.line("int column = " + bytes + ".getShort(ops, at);");
            if (!split(code, "at = updateFrom", "(cells, column, row, base, ops, at, stamp);", this::group)) {
                columns(code, 0, layout.values().size());
            }
            code.open("default:");
            code.onlyIf("column == " + updateBatch + ".LEAVE", "return at + 2;");
            if (layout.nested().isEmpty()) {
                code.line("throw unknownColumn(column);");
            } else {
                code.onlyIf("column < " + updateBatch + ".ENTER", "throw unknownColumn(column);");
                code.line("at = tables.enter(column & ~" + updateBatch + ".ENTER, id, ops, at + 2, end, stamp);");
            }
            code.close();
            code.close();
            code.close();
            code.line("return at;");
            code.close();
        }

        /** Writes a group of columns into a separate method. */
        @FunctionalInterface
        private interface Group {
            void write(Code code, int first, int end);
        }

        /**
         * Opens a switch over groups of columns and writes a method for each group. Returns false, and writes nothing,
         * when there is only one group.
         */
        private boolean split(Code code, String method, String arguments, Group group) {
            int columns = layout.values().size();
            if (columns <= COLUMNS_PER_METHOD) {
                return false;
            }
            code.open("switch (column >>> 6)");
            for (int first = 0; first < columns; first += COLUMNS_PER_METHOD) {
                code.open("case " + first / COLUMNS_PER_METHOD + ":")
                        .line(method + first + arguments)
                        .line("break;")
                        .close();
                group.write(file.member(), first, Math.min(columns, first + COLUMNS_PER_METHOD));
            }
            return true;
        }

        /**
         * Writes a method for the columns from {@code first} on. The method applies one op and returns the place of the
         * next op.
         */
        private void group(Code code, int first, int end) {
            code.line("private static int updateFrom" + first + "(");
            code.open("        " + cells + " cells, int column, byte[] row, int base, byte[] ops, int at, long stamp)");
            columns(code, first, end);
            code.open("default:").line("throw unknownColumn(column);").close();
            code.close();
            code.line("return at;");
            code.close();
        }

        /** Opens a switch over the columns of one op. */
        private void columns(Code code, int first, int end) {
            String integer = bytes + ".getLong(ops, at + 2)";
            code.open("switch (column)");
            for (int number = first; number < end; number++) {
                boolean isText =
                        format.kind(number) == CellKind.FIRST_STRING || format.kind(number) == CellKind.LAST_STRING;
                String text = "stamp, ops, at + 6, " + bytes + ".getInt(ops, at + 2)";
                String add = add(
                        number, integer, cells + ".getDouble(ops, at + 2)", "", isText ? text : "stamp, " + integer);
                head(code, number)
                        .line(add)
                        .line(isText ? "at += 6 + UpdateBatch.textBytes(ops, at + 2);" : "at += 10;")
                        .line("break;")
                        .close();
            }
        }

        private Code head(Code code, int number) {
            ValueColumn column = layout.values().get(number);
            return code.comment(column.type().keyword() + ' ' + column.name() + " = " + column.number())
                    .open("case " + number + ":");
        }

        /**
         * The statement that adds operands to a column. A count has no operands: its statement ends with the arguments
         * {@code more} instead.
         */
        private String add(int number, String integer, String decimal, String more, String stamped) {
            String name = layout.values().get(number).name();
            CellKind kind = format.kind(number);
            String cell = "row, base + " + file.number(name + "_at", format.cell(number));
            String flagged = kind.isFlagged()
                    ? cell + ", base + " + file.number("flags_at", format.flagByte(number)) + ", "
                            + file.number(name + "_flag", format.flagMask(number))
                    : "";
            return switch (kind) {
                case SUM_INT32 -> "cells.addInt32(" + cell + ", " + integer + ");";
                case SUM_INT64 -> "cells.addInt64(" + cell + ", " + integer + ");";
                case SUM_DOUBLE -> "cells.addDouble(" + cell + ", " + decimal + ");";
                case COUNT -> cells + ".increment(" + cell + more + ");";
                case MIN_INT64 -> cells + ".min(" + flagged + ", " + integer + ");";
                case MAX_INT64 -> cells + ".max(" + flagged + ", " + integer + ");";
                case MIN_DOUBLE -> cells + ".minDouble(" + flagged + ", " + decimal + ");";
                case MAX_DOUBLE -> cells + ".maxDouble(" + flagged + ", " + decimal + ");";
                case FIRST_INT64 -> cells + ".first(" + flagged + ", " + stamped + ");";
                case LAST_INT64 -> cells + ".last(" + flagged + ", " + stamped + ");";
                case FIRST_STRING -> "cells.firstText(" + cell + ", " + stamped + ");";
                case LAST_STRING -> "cells.lastText(" + cell + ", " + stamped + ");";
                case MULTISET -> "cells.addToSet(" + number + ", " + cell + ", " + integer + ");";
            };
        }

        private void updateRun(Code code) {
            String run = file.use(UpdateRun.class);
            code.open("public void update(" + file.use(StoreTables.class) + " tables, int id, byte[] row, int base, "
                    + run + " run)");
            code.line(cells + " cells = tables.cells();");
            code.open("for (int op = run.ops(), end = run.end(); op < end; op += " + run + ".OP_BYTES)");
            code.line("int column = run.column(op);");
            if (split(code, "updateRunFrom", "(cells, column, row, base, run, op);", this::groupOfRun)) {
                code.open("default:").line("throw unknownColumn(column);").close();
                code.close();
            } else {
                columnsOfRun(code, 0, layout.values().size());
            }
            code.close();
            code.close();
        }

        /**
         * Writes a method for the columns from {@code first} on. One call of the method applies the ops of one of these
         * columns, for all records of a run.
         */
        private void groupOfRun(Code code, int first, int end) {
            code.line("private static void updateRunFrom" + first + "(");
            code.open("        " + cells + " cells, int column, byte[] row, int base, " + file.use(UpdateRun.class)
                    + " run, int op)");
            columnsOfRun(code, first, end);
            code.close();
        }

        /** Opens a switch over the columns of a run. A run has ops of all columns except text columns. */
        private void columnsOfRun(Code code, int first, int end) {
            code.open("switch (column)");
            for (int number = first; number < end; number++) {
                if (format.kind(number) != CellKind.FIRST_STRING && format.kind(number) != CellKind.LAST_STRING) {
                    head(code, number)
                            .line(add(number, "run, op", "run, op", ", run", "run, op"))
                            .line("break;")
                            .close();
                }
            }
            code.open("default:").line("throw unknownColumn(column);").close();
            code.close();
        }

        /** The offset in a row of a byte of the key; a constant expression. */
        private String keyAt(int offset) {
            String key = file.number("key_at", format.keyOffset);
            return offset == 0 ? key : "(" + key + plus(offset) + ")";
        }

        private static String plus(int offset) {
            return offset == 0 ? "" : " + " + offset;
        }
    }
}
