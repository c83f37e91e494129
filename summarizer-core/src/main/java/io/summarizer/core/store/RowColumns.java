package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * Copies of rows of a view, read one column at a time. So the type of a column is looked up once for many rows ({@code
 * bin/bench state --sections large} measures state files, which are made in this way). Texts and sets are not read
 * here, but from the cursor. Not thread-safe. Memory: the copies.
 */
public final class RowColumns {
    private final RowCursor cursor;
    private final RowFormat format;
    private final int width;
    private final byte[] bytes;
    private int rows;

    /** Room for {@code maxRows} rows of a cursor. */
    public RowColumns(RowCursor cursor, int maxRows) {
        this.cursor = cursor;
        format = cursor.format();
        width = format.width;
        bytes = new byte[Math.multiplyExact(maxRows, width)];
    }

    /** Forgets all rows. */
    public void clear() {
        rows = 0;
    }

    /** Copies the row of the cursor. */
    public void add() {
        System.arraycopy(cursor.bytes(), 0, bytes, rows * width, width);
        rows++;
    }

    /**
     * Reads a key column that is not a string.
     *
     * @param nulls is set to 1 for each row in which the key is null, to 0 for others
     * @param values is set to the keys as {@link RowCursor#keyLong} returns them; 0 for null
     */
    public void keys(int column, byte[] nulls, long[] values) {
        int at = format.keyOffset + format.key.offset(column);
        switch (format.key.type(column)) {
            case INT64, UINT64, TIMESTAMP -> longs(at, values);
            case INT32 -> ints(at, -1L, values);
            case UINT32 -> ints(at, 0xffff_ffffL, values);
            case BOOL -> {
                for (int i = 0; i < rows; i++) {
                    values[i] = bytes[i * width + at];
                }
            }
            case STRING -> throw new IllegalArgumentException("column " + column + " is a string");
        }
        flags(format.keyOffset + (column >>> 3), 1 << (column & 7), nulls);
        for (int i = 0; i < rows; i++) {
            values[i] &= nulls[i] - 1L;
        }
    }

    /**
     * Reads a value column that is a sum of integers.
     *
     * @param wide is set to 1 for each sum that does not fit int64, to 0 for others
     * @param lows is set to the lower halves of the sums
     * @param highs is set to the upper halves of wide sums; to 0 for others
     */
    public void sums(int column, byte[] wide, long[] lows, long[] highs) {
        int at = format.cell(column);
        boolean is32 = format.kind(column) == CellKind.SUM_INT32;
        if (is32) {
            ints(at, -1L, lows);
        } else {
            longs(at, lows);
        }
        Arrays.fill(wide, 0, rows, (byte) 0);
        Arrays.fill(highs, 0, rows, 0);
        for (int i = 0; i < rows; i++) {
            long cell = lows[i];
            if (is32 ? (cell & 1) == 0 : !Cells.isHandle(cell)) {
                lows[i] = is32 ? cell >> 1 : cell;
            } else {
                int handle = is32 ? (int) cell >>> 1 : (int) cell;
                lows[i] = cursor.texts().low(handle);
                long high = cursor.texts().high(handle);
                wide[i] = (byte) (high == lows[i] >> 63 ? 0 : 1);
                highs[i] = wide[i] * high;
            }
        }
    }

    /**
     * Reads a value column that is a count, a sum of doubles, a minimum, a maximum, or a first or last integer.
     *
     * @param present is set to 1 for each row with a value, to 0 for others; not written for types that always have a
     *     value
     * @param stamps is set to the arrival stamps of firsts and lasts; 0 where there is no value
     * @param values is set to the values, or to the bits of doubles; 0 where there is no value
     */
    public void values(int column, byte[] present, long[] stamps, long[] values) {
        int at = format.cell(column);
        CellKind kind = format.kind(column);
        boolean isStamped = switch (kind) {
            case FIRST_INT64, LAST_INT64 -> true;
            case COUNT, SUM_DOUBLE, MIN_INT64, MAX_INT64, MIN_DOUBLE, MAX_DOUBLE -> false;
            default -> throw new IllegalArgumentException("column " + column + " is a " + kind);
        };
        longs(isStamped ? at + Long.BYTES : at, values);
        if (isStamped) {
            longs(at, stamps);
        }
        if (!kind.isFlagged()) {
            return;
        }
        flags(format.flagByte(column), format.flagMask(column), present);
        for (int i = 0; i < rows; i++) {
            long mask = -(long) present[i];
            values[i] &= mask;
            if (isStamped) {
                stamps[i] &= mask;
            }
        }
    }

    private void longs(int at, long[] values) {
        for (int i = 0; i < rows; i++) {
            values[i] = Bytes.getLong(bytes, i * width + at);
        }
    }

    private void ints(int at, long mask, long[] values) {
        for (int i = 0; i < rows; i++) {
            values[i] = Bytes.getInt(bytes, i * width + at) & mask;
        }
    }

    private void flags(int at, int mask, byte[] flags) {
        int bit = Integer.numberOfTrailingZeros(mask);
        for (int i = 0; i < rows; i++) {
            flags[i] = (byte) (bytes[i * width + at] >>> bit & 1);
        }
    }
}
