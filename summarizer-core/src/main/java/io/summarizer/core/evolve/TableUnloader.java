package io.summarizer.core.evolve;

import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.RowColumns;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks the rows of one table of one partition, a block at a time. Memory: one block, and copies of its rows. Not
 * thread-safe.
 */
public final class TableUnloader {
    /**
     * Maximum number of bytes of texts and sets in a block of a file, and therefore also in a row. Rows with more bytes
     * are refused.
     */
    private static final int ROW_BLOB_BYTES_MAX = 96 << 20;

    /** Bytes of texts and sets after which a block ends. */
    private static final int BLOB_BYTES = 256 * 1024;

    private final SummaryLayout layout;
    private final @Nullable StoreView parents;
    private final RowCursor row;
    /** The rows of the block, for the columns without texts and sets. */
    private final RowColumns rows;

    private final RowBlock block;
    private final List<Column> columns;
    private final int firstKey;
    private final int firstValue;
    /** The positions of the columns with texts or sets. Their sizes decide where a block ends. */
    private final int[] blobs;

    private final int rowBlobBytesMax;
    private byte[] registers = {};
    private long blobBytes;

    /**
     * An unloader for a file, before the first row.
     *
     * @param parents the view of the rows' parents, or null for a top-level summary
     */
    public TableUnloader(Table table, StoreView view, @Nullable StoreView parents) {
        this(table, view, parents, ROW_BLOB_BYTES_MAX);
    }

    /**
     * An unloader for rows that go to other tables in memory. The texts and sets of a row have no common bound, because
     * each column has its own block of bytes.
     */
    static TableUnloader inMemory(Table table, StoreView view, @Nullable StoreView parents) {
        return new TableUnloader(table, view, parents, Integer.MAX_VALUE);
    }

    /** An unloader with another bound on the texts and sets of a row. */
    TableUnloader(Table table, StoreView view, @Nullable StoreView parents, int rowBlobBytesMax) {
        this.rowBlobBytesMax = rowBlobBytesMax;
        this.parents = parents;
        layout = view.layout();
        row = view.cursor();
        block = new RowBlock(table, (int) Math.min(Integer.MAX_VALUE, view.rows()));
        rows = new RowColumns(row, block.rowsMax());
        columns = block.columns;
        firstKey = parents == null ? 0 : 1;
        firstValue = firstKey + layout.keys().size();
        blobs = IntStream.range(0, columns.size())
                .filter(column -> columns.get(column).hasBlob)
                .toArray();
    }

    /**
     * Unpacks the next rows, up to the bounds of a block.
     *
     * @return the block, valid until the next call; empty when there are no more rows
     * @throws RowRefusedException when the texts and sets of a row exceed the bound of a block
     */
    public RowBlock next() throws RowRefusedException {
        blobBytes = 0;
        for (Column column : columns) {
            column.blob.clear();
        }
        rows.clear();
        int i = 0;
        while (i < block.rowsMax() && blobBytes < BLOB_BYTES && row.next()) {
            rows.add();
            if (parents != null) {
                columns.get(0).numbers[i] = parents.ordinal(row.parent());
            }
            for (int blob : blobs) {
                blob(i, blob, columns.get(blob));
            }
            i++;
        }
        for (int at = firstKey; at < columns.size(); at++) {
            if (!columns.get(at).hasBlob) {
                numbers(at, columns.get(at));
            }
        }
        for (Column column : columns) {
            column.blob.flip();
        }
        block.rows(i);
        return block;
    }

    /** Unpacks a column without texts and sets, for all rows of the block. */
    private void numbers(int at, Column column) {
        if (at < firstValue) {
            rows.keys(at - firstKey, column.flags, column.numbers);
        } else if (column.highs.length > 0) {
            rows.sums(at - firstValue, column.flags, column.numbers, column.highs);
        } else {
            rows.values(at - firstValue, column.flags, column.stamps, column.numbers);
        }
    }

    /** Unpacks a text or set of the row. */
    private void blob(int i, int at, Column column) throws RowRefusedException {
        if (at < firstValue) {
            keyText(i, at - firstKey, column);
        } else if (column.stamps.length > 0) {
            stampedText(i, at - firstValue, column);
        } else {
            set(i, at - firstValue, column);
        }
    }

    private void keyText(int i, int key, Column column) throws RowRefusedException {
        boolean isNull = row.isKeyNull(key);
        column.flags[i] = (byte) (isNull ? 1 : 0);
        column.numbers[i] = 0;
        if (!isNull) {
            row.readKeyText(key);
            text(i, column);
        }
    }

    private void stampedText(int i, int value, Column column) throws RowRefusedException {
        boolean isEmpty = row.isEmpty(value);
        column.flags[i] = (byte) (isEmpty ? 0 : 1);
        column.stamps[i] = isEmpty ? 0 : row.stamp(value);
        column.numbers[i] = 0;
        if (!isEmpty) {
            row.readText(value);
            text(i, column);
        }
    }

    private void text(int i, Column column) throws RowRefusedException {
        account(row.textLength());
        column.numbers[i] = row.textLength();
        column.blob.putBytes(row.text(), row.textOffset(), row.textLength());
    }

    /** Adds bytes of texts and sets to the block. Throws an exception when a row exceeds the bound. */
    private void account(long bytes) throws RowRefusedException {
        blobBytes += bytes;
        if (blobBytes > rowBlobBytesMax) {
            throw new RowRefusedException(layout.name() + ": a row has more texts and sets than a state file takes, "
                    + rowBlobBytesMax + " bytes; shorten what is kept, as by substr");
        }
    }

    private void set(int i, int value, Column column) throws RowRefusedException {
        MultisetArena.View sets = row.sets(value);
        int handle = row.setHandle(value);
        int before = column.blob.position();
        if (sets.isFull(handle)) {
            int count = 1 << sets.log2m();
            if (registers.length < count) {
                registers = new byte[count];
            }
            sets.registers(handle, registers);
            PackedRegisters.put(column.blob, registers, sets.log2m(), sets.regwidth());
            column.numbers[i] = -1;
        } else {
            column.numbers[i] = sets.tokens(handle);
            if (column.numbers[i] != 0) {
                sets.forEachToken(handle, column.blob::putInt);
            }
        }
        account(column.blob.position() - before);
    }
}
