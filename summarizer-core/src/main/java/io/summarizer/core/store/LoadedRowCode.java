package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;

/**
 * The code of rows that a {@link StoreLoader} loads and that are never updated. Needs no generated class, and compares
 * keys byte by byte. Immutable.
 */
public final class LoadedRowCode extends RowCode {
    private final int keyOffset;
    private final int keyBytes;

    private LoadedRowCode(RowFormat format) {
        keyOffset = format.keyOffset;
        keyBytes = format.key.fixedBytes();
    }

    /** The code of a summary and of its nested summaries. */
    public static Tree of(SummaryLayout layout) {
        return of(layout, false);
    }

    private static Tree of(SummaryLayout layout, boolean nested) {
        return new Tree(
                new LoadedRowCode(new RowFormat(layout, nested)),
                layout.nested().stream().map(below -> of(below, true)).toList());
    }

    @Override
    public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
        return Bytes.equal(row, base + keyOffset, bytes, key, keyBytes);
    }

    @Override
    public int update(StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
        throw new UnsupportedOperationException("rows are loaded here, not updated");
    }
}
