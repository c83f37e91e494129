package io.summarizer.core.dedup;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.UpdateBatch;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Adds the key of a row to a hash, independently of the key's encoding. Columns are added in the order of their field
 * numbers. Each numeric value is added as 64 bits. So the hash stays the same when a change of definitions reorders
 * columns or widens types. Immutable.
 */
public final class KeyWords {
    private static final int MASK_COLUMNS = 64;

    private final KeyLayout layout;
    /** Positions of the columns, in the order of their field numbers. */
    private final int[] columns;

    /** An object for keys with these columns. */
    public KeyWords(List<KeyColumn> keys) {
        layout = new KeyLayout(keys);
        columns = IntStream.range(0, keys.size())
                .boxed()
                .sorted(Comparator.comparingInt(column -> keys.get(column).number()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Adds the key at position {@code key}, in the encoding of {@code UpdateBatch}. A key that was too long is added
     * without its texts.
     */
    public void addTo(IdHash hash, byte[] bytes, int key) {
        boolean tooLong =
                layout.strings() > 0 && Bytes.getInt(bytes, key + layout.fixedBytes()) == UpdateBatch.TOO_LONG;
        for (int from = 0; from < columns.length; from += MASK_COLUMNS) {
            hash.add(nulls(from, bytes, key));
        }
        for (int column : columns) {
            int at = key + layout.offset(column);
            switch (layout.type(column)) {
                case INT64, UINT64, TIMESTAMP -> hash.add(Bytes.getLong(bytes, at));
                case INT32 -> hash.add(Bytes.getInt(bytes, at));
                case UINT32 -> hash.add(Bytes.getInt(bytes, at) & 0xffffffffL);
                case BOOL -> hash.add(bytes[at]);
                case STRING -> {
                    if (tooLong) {
                        continue; // its texts were left out
                    }
                    int text = text(layout.offset(column), bytes, key);
                    hash.addText(bytes, text + 4, Bytes.getInt(bytes, text));
                }
            }
        }
    }

    /** A bit for each of up to 64 columns. The bit is set if the column is null. */
    private long nulls(int from, byte[] bytes, int key) {
        long nulls = 0;
        for (int i = from; i < Math.min(columns.length, from + MASK_COLUMNS); i++) {
            int column = columns[i];
            nulls |= (bytes[key + (column >>> 3)] >>> (column & 7) & 1L) << i;
        }
        return nulls;
    }

    /** Position of text number {@code number} in a key. The text begins with its length. */
    private int text(int number, byte[] bytes, int key) {
        int at = key + layout.fixedBytes() + 4;
        for (int before = number; before > 0; before--) {
            at += 4 + Bytes.getInt(bytes, at);
        }
        return at;
    }
}
