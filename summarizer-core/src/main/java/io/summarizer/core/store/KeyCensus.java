package io.summarizer.core.store;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.sketch.DistinctCounter;
import java.util.Arrays;

/**
 * About how many different values each column had in keys that found no room: the column that makes the keys so many has about as
 * many as there were keys, the others have few. Written by the thread of its store; 256 bytes a column.
 */
final class KeyCensus {
    private final KeyLayout layout;
    private final DistinctCounter[] columns;

    KeyCensus(KeyLayout layout) {
        this.layout = layout;
        columns = new DistinctCounter[layout.columns()];
        Arrays.setAll(columns, column -> new DistinctCounter());
    }

    /** Adds a key, as records have it. */
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

    /** What a column had. */
    DistinctCounter column(int column) {
        return columns[column];
    }
}
