package io.summarizer.core.evolve;

import java.util.Arrays;

/**
 * The destination of each row of one table, by the ordinal of the row. A destination is a partition and a row id. Not
 * thread-safe.
 */
final class RowMap {
    private int[] rows = new int[64];
    private short[] partitions = new short[64];
    private int count;

    void clear() {
        count = 0;
    }

    int count() {
        return count;
    }

    void add(int partition, int row) {
        if (count == rows.length) {
            rows = Arrays.copyOf(rows, count * 2);
            partitions = Arrays.copyOf(partitions, count * 2);
        }
        rows[count] = row;
        partitions[count++] = (short) partition;
    }

    int row(int ordinal) {
        return rows[ordinal];
    }

    int partition(int ordinal) {
        return partitions[ordinal];
    }
}
