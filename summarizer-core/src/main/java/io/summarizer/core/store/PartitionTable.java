package io.summarizer.core.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of an owner's values, by row and partition. A row is a summary or a table of ids. The partitions of other
 * owners have no value here. Each value is used by one thread at a time.
 */
public final class PartitionTable<T> {
    private final @Nullable T[] cells;

    /** Visits the values of a table. */
    @FunctionalInterface
    public interface Visitor<T> {
        /** Visits one value. */
        void visit(int row, int partition, T value);
    }

    /**
     * A table without values.
     *
     * @param rows number of rows
     * @param array makes the array that {@link #cells} returns
     */
    public PartitionTable(int rows, IntFunction<@Nullable T[]> array) {
        cells = array.apply(rows * Partitions.COUNT);
    }

    /** The cell of a partition. */
    public static int cell(int row, int partition) {
        return row * Partitions.COUNT + partition;
    }

    /** The cell of the partition that a key with this hash falls into. */
    public static int cellOf(int row, long hash) {
        return row * Partitions.COUNT + Partitions.of(hash);
    }

    /** Number of rows. */
    public int rows() {
        return cells.length / Partitions.COUNT;
    }

    /** All values, indexed by {@link #cell}. For loops that are fast enough only with an array. */
    public @Nullable T[] cells() {
        return cells;
    }

    /** The value of a partition, or null. */
    public @Nullable T get(int row, int partition) {
        return cells[cell(row, partition)];
    }

    /** All values of a row, by partition; throws when a value is missing. */
    public List<T> row(int row) {
        List<T> values = new ArrayList<>(Partitions.COUNT);
        forEach(row, (same, partition, value) -> values.add(value));
        if (values.size() != Partitions.COUNT) {
            throw new IllegalStateException("row " + row + " has partitions=" + values.size());
        }
        return values;
    }

    /** Sets or removes the value of a partition. */
    public void set(int row, int partition, @Nullable T value) {
        cells[cell(row, partition)] = value;
    }

    /** Sets the values of a row to those of a row of another table. */
    public void setRow(int row, PartitionTable<T> from, int source) {
        System.arraycopy(from.cells, cell(source, 0), cells, cell(row, 0), Partitions.COUNT);
    }

    /** Removes the values of a row. */
    public void clearRow(int row) {
        Arrays.fill(cells, cell(row, 0), cell(row + 1, 0), null);
    }

    /** Visits the values of all rows. */
    public void forEach(Visitor<? super T> visitor) {
        for (int row = 0; row < rows(); row++) {
            forEach(row, visitor);
        }
    }

    /** Visits the values of a row. */
    public void forEach(int row, Visitor<? super T> visitor) {
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            T value = get(row, partition);
            if (value != null) {
                visitor.visit(row, partition, value);
            }
        }
    }
}
