package io.summarizer.core.store;

import io.summarizer.core.store.SummaryLayout.KeyColumn;
import java.util.List;

/**
 * The places of the columns in an encoded key. The key begins with a null mask, in which bit i%8 of byte i/8 is set
 * when column i is null. The fixed-width columns follow, little-endian and without gaps. If there are string columns, a
 * tail follows, with a 4-byte length and the bytes of each string. The bytes of a null column are zeros, so equal keys
 * have equal bytes. Immutable.
 */
public final class KeyLayout {
    private final int[] offsets;
    private final KeyType[] types;
    private final int fixedBytes;
    private final int strings;

    public KeyLayout(List<KeyColumn> columns) {
        int at = (columns.size() + 7) / 8;
        offsets = new int[columns.size()];
        types = new KeyType[columns.size()];
        int strings = 0;
        for (int i = 0; i < offsets.length; i++) {
            types[i] = columns.get(i).type();
            if (types[i] == KeyType.STRING) {
                offsets[i] = strings++;
            } else {
                offsets[i] = at;
                at += types[i].bytes();
            }
        }
        fixedBytes = at;
        this.strings = strings;
    }

    /**
     * Whether keys with {@code columns} and keys with {@code others} have the same encoding, and therefore the same
     * hash.
     */
    public static boolean isSame(List<KeyColumn> columns, List<KeyColumn> others) {
        return columns.stream()
                        .map(KeyColumn::type)
                        .toList()
                        .equals(others.stream().map(KeyColumn::type).toList())
                && columns.stream()
                        .map(KeyColumn::number)
                        .toList()
                        .equals(others.stream().map(KeyColumn::number).toList());
    }

    /** Number of columns. */
    public int columns() {
        return offsets.length;
    }

    /** Type of column {@code column}. */
    public KeyType type(int column) {
        return types[column];
    }

    /**
     * For each column: the offset in the encoded key if the column has a fixed width, or the position among the strings
     * if it is a string.
     */
    public int offset(int column) {
        return offsets[column];
    }

    /** Bytes of the null mask and the fixed-width columns. */
    public int fixedBytes() {
        return fixedBytes;
    }

    /** Number of string columns. If there are any, the encoded key has a tail. */
    public int strings() {
        return strings;
    }
}
