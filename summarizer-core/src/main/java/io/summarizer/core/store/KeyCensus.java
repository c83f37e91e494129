package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.sketch.DistinctCounter;
import java.util.Arrays;

/**
 * Estimates, for each key column, the number of different values among refused keys. If one column is the cause of too
 * many keys, this column has about as many values as there were refused keys, and the other columns have few. Written
 * by the thread of its store. Memory: 256 bytes per column.
 */
final class KeyCensus {
    private final KeyLayout layout;
    private final DistinctCounter[] columns;

    KeyCensus(KeyLayout layout) {
        this.layout = layout;
        columns = new DistinctCounter[layout.columns()];
        Arrays.setAll(columns, column -> new DistinctCounter());
    }

    /** Adds a key in the encoding of records. */
    void add(byte[] bytes, int key) {
        int text = key + layout.fixedBytes() + Integer.BYTES;
        for (int column = 0; column < columns.length; column++) {
            KeyType type = layout.type(column);
            int at = key + layout.offset(column);
            int length = type.bytes();
            if (type == KeyType.STRING) {
                length = Bytes.getInt(bytes, text);
                at = text + Integer.BYTES;
                text = at + length;
            }
            boolean isNull = (bytes[key + (column >>> 3)] >>> (column & 7) & 1) != 0;
            columns[column].add(Bytes.hash(bytes, at, length, isNull ? ~KeyHash.SEED : KeyHash.SEED));
        }
    }

    /** The counter of a column. */
    DistinctCounter column(int column) {
        return columns[column];
    }
}
