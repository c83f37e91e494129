package io.summarizer.core.evolve;

import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Unpacks the rows of one table of one partition, a block at a time. Memory: one block. Not thread-safe. */
public final class TableUnloader {
    /**
     * Maximum number of bytes of texts and sets in a block, and therefore also in a row. Rows with more bytes are
     * refused.
     */
    private static final int ROW_BLOB_BYTES_MAX = 96 << 20;

    /** Bytes of texts and sets after which a block ends. */
    private static final int BLOB_BYTES = 256 * 1024;

    private final SummaryLayout layout;
    private final @Nullable StoreView parents;
    private final RowCursor row;
    private final RowBlock block;
    private final List<Column> columns;
    private final int firstValue;
    private final int rowBlobBytesMax;
    private byte[] registers = {};
    private long blobBytes;

    /**
     * An unloader before the first row.
     *
     * @param parents the view of the rows' parents, or null for a top-level summary
     */
    public TableUnloader(Table table, StoreView view, @Nullable StoreView parents) {
        this(table, view, parents, ROW_BLOB_BYTES_MAX);
    }

    /** An unloader with another bound on the texts and sets of a row. */
    TableUnloader(Table table, StoreView view, @Nullable StoreView parents, int rowBlobBytesMax) {
        this.rowBlobBytesMax = rowBlobBytesMax;
        this.parents = parents;
        layout = view.layout();
        row = view.cursor();
        block = new RowBlock(table);
        columns = block.columns;
        firstValue = columns.size() - layout.values().size();
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
        int i = 0;
        while (i < block.rowsMax() && blobBytes < BLOB_BYTES && row.next()) {
            if (parents != null) {
                columns.get(0).numbers[i] = parents.ordinal(row.parent());
            }
            for (int key = 0; key < layout.keys().size(); key++) {
                key(i, key, columns.get(firstValue - layout.keys().size() + key));
            }
            for (int value = 0; value < layout.values().size(); value++) {
                value(i, value, columns.get(firstValue + value));
            }
            i++;
        }
        for (Column column : columns) {
            column.blob.flip();
        }
        block.rows(i);
        return block;
    }

    private void key(int i, int key, Column column) throws RowRefusedException {
        boolean isNull = row.isKeyNull(key);
        column.flags[i] = (byte) (isNull ? 1 : 0);
        if (isNull) {
            column.numbers[i] = 0;
        } else if (layout.keys().get(key).type() == KeyType.STRING) {
            row.readKeyText(key);
            text(i, column);
        } else {
            column.numbers[i] = row.keyLong(key);
        }
    }

    private void value(int i, int value, Column column) throws RowRefusedException {
        AggregateType type = layout.values().get(value).type();
        if (column.highs.length > 0) {
            long low = row.sum(value);
            long high = row.high();
            boolean wide = high != low >> 63;
            column.flags[i] = (byte) (wide ? 1 : 0);
            column.numbers[i] = low;
            column.highs[i] = wide ? high : 0;
            return;
        }
        if (column.flags.length > 0) {
            boolean empty = row.isEmpty(value);
            column.flags[i] = (byte) (empty ? 0 : 1);
            if (column.stamps.length > 0) {
                column.stamps[i] = empty ? 0 : row.stamp(value);
            }
            if (empty) {
                column.numbers[i] = 0;
                return;
            }
        }
        switch (type) {
            case SUMINT32, SUMINT64, SUMCURRENCY -> throw new IllegalStateException("a sum without a place for it");
            case COUNT, MININT64, MAXINT64, MINTIMESTAMP, MAXTIMESTAMP, FIRSTINT64, LASTINT64 ->
                column.numbers[i] = row.longValue(value);
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE ->
                column.numbers[i] = Double.doubleToRawLongBits(row.doubleValue(value));
            case FIRSTSTRING, LASTSTRING -> {
                row.readText(value);
                text(i, column);
            }
            case MULTISET64 -> set(i, value, column);
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
