package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@link RowCode} that looks every cell up in the {@link RowFormat}: the behaviour of generated code, spelled out. */
public final class TableRowCode extends RowCode {
    private final RowFormat format;
    private final int columns;

    private TableRowCode(SummaryLayout layout, boolean nested) {
        format = new RowFormat(layout, nested);
        columns = layout.values().size();
    }

    /** The code of a top-level summary and all summaries nested in it. */
    public static RowCode.Tree of(SummaryLayout layout) {
        return of(layout, false);
    }

    private static RowCode.Tree of(SummaryLayout layout, boolean nested) {
        List<RowCode.Tree> below = new ArrayList<>();
        for (SummaryLayout each : layout.nested()) {
            below.add(of(each, true));
        }
        return new RowCode.Tree(new TableRowCode(layout, nested), below);
    }

    @Override
    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        int from = base + format.keyOffset;
        int length = format.key.fixedBytes();
        return Arrays.equals(row, from, from + length, bytes, key, key + length);
    }

    @Override
    public int update(StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        Cells cells = tables.cells();
        int at = from;
        while (at < end) {
            int column = Bytes.getShort(ops, at);
            at += 2;
            if (column == UpdateBatch.LEAVE) {
                return at;
            }
            if (column >= UpdateBatch.ENTER) {
                at = tables.enter(column & ~UpdateBatch.ENTER, id, ops, at, end, stamp);
                continue;
            }
            if (column < 0 || column >= columns) {
                throw unknownColumn(column);
            }
            int cell = base + format.cell(column);
            int flag = base + format.flagByte(column);
            int mask = format.flagMask(column);
            switch (format.kind(column)) {
                case SUM_INT32 -> cells.addInt32(row, cell, Bytes.getLong(ops, at));
                case SUM_INT64 -> cells.addInt64(row, cell, Bytes.getLong(ops, at));
                case SUM_DOUBLE -> cells.addDouble(row, cell, Cells.getDouble(ops, at));
                case COUNT -> Cells.increment(row, cell);
                case MIN_INT64 -> Cells.min(row, cell, flag, mask, Bytes.getLong(ops, at));
                case MAX_INT64 -> Cells.max(row, cell, flag, mask, Bytes.getLong(ops, at));
                case MIN_DOUBLE -> Cells.minDouble(row, cell, flag, mask, Cells.getDouble(ops, at));
                case MAX_DOUBLE -> Cells.maxDouble(row, cell, flag, mask, Cells.getDouble(ops, at));
                case FIRST_INT64 -> Cells.first(row, cell, flag, mask, stamp, Bytes.getLong(ops, at));
                case LAST_INT64 -> Cells.last(row, cell, flag, mask, stamp, Bytes.getLong(ops, at));
                case FIRST_STRING -> {
                    int length = Bytes.getInt(ops, at);
                    cells.firstText(row, cell, stamp, ops, at + 4, length);
                    at += 4 + Math.max(0, length);
                    continue;
                }
                case LAST_STRING -> {
                    int length = Bytes.getInt(ops, at);
                    cells.lastText(row, cell, stamp, ops, at + 4, length);
                    at += 4 + Math.max(0, length);
                    continue;
                }
                case MULTISET -> cells.addToSet(column, row, cell, Bytes.getLong(ops, at));
            }
            at += 8;
        }
        return at;
    }
}
