package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.evolve.Column;
import io.summarizer.core.evolve.RowBlock;

/** Writes and reads the columns of rows in the format of a file's blocks. */
final class RowFormat {
    private RowFormat() {}

    /** Writes the number of rows and all columns. */
    static void write(RowBlock block, BlockBuffer out) {
        int rows = block.rows();
        out.putInt(rows);
        for (Column column : block.columns) {
            if (column.flags.length > 0) {
                out.putFlags(column.flags, rows);
            }
            if (column.stamps.length > 0) {
                out.putLongs(column.stamps, rows);
            }
            out.putLongs(column.numbers, rows);
            if (isWide(column, rows)) {
                out.putLongs(column.highs, rows);
            }
            if (column.hasBlob) {
                out.putInt(column.blob.limit());
                out.putBytes(column.blob.array(), 0, column.blob.limit());
            }
        }
    }

    /** Reads all columns of {@code rows} rows. The block must end after these rows. */
    static void read(int version, BlockBuffer in, int rows, RowBlock block) throws MalformedException {
        if (rows < 1 || rows > block.rowsMax()) {
            throw new MalformedException("rows=" + rows + " in a block");
        }
        for (Column column : block.columns) {
            boolean hasFlags = column.flags.length > 0 && (version > 1 || column.highs.length == 0);
            if (hasFlags) {
                in.getFlags(column.flags, rows);
            }
            if (column.stamps.length > 0) {
                in.getLongs(column.stamps, rows);
            }
            in.getLongs(column.numbers, rows);
            if (isWide(column, rows)) {
                in.getLongs(column.highs, rows);
            }
            if (column.hasBlob) {
                int length = in.getCount(1);
                column.blob.fill(length);
                System.arraycopy(in.array(), in.skip(length), column.blob.array(), 0, length);
            }
        }
        if (!in.isAtEnd()) {
            throw new MalformedException("bytes behind the last column");
        }
        block.rows(rows);
    }

    /**
     * Whether any of the rows has a sum wider than 64 bits. The flags tell this. In version 1, there are no such sums,
     * so the flags are clear.
     */
    private static boolean isWide(Column column, int rows) {
        for (int i = 0; i < rows && column.highs.length > 0; i++) {
            if (column.flags[i] != 0) {
                return true;
            }
        }
        return false;
    }
}
