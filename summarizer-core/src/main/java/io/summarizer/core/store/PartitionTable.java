package io.summarizer.core.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of values of an owner. Each row stands for a summary or for a table of ids, each cell for a partition. The
 * table has no values for partitions of other owners. One thread at a time uses a value.
 */
public final class PartitionTable<T> {
    private final Partitions partitions;
    private final int rows;
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
     * @param partitions the partitions of each row
     * @param rows number of rows
     * @param array makes the array that {@link #cells} returns
     */
    public PartitionTable(Partitions partitions, int rows, IntFunction<@Nullable T[]> array) {
        this.partitions = partitions;
        this.rows = rows;
        cells = array.apply(partitions.cell(rows, 0));
    }

    /** The partitions of each row. */
    public Partitions partitions() {
        return partitions;
    }

    /** Number of rows. */
    public int rows() {
        return rows;
    }

    /** All values, indexed by {@link Partitions#cell}. Used in loops that are fast enough only with an array. */
    public @Nullable T[] cells() {
        return cells;
    }

    /** The value of a partition, or null. */
    public @Nullable T get(int row, int partition) {
        return cells[partitions.cell(row, partition)];
    }

    /** The values of a row that are present, by partition. */
    public List<T> present(int row) {
        List<T> values = new ArrayList<>(partitions.end() - partitions.first());
        forEach(row, (same, partition, value) -> values.add(value));
        return values;
    }

    /** The values of a row for all partitions of this owner, by partition; throws when a value is missing. */
    public List<T> row(int row) {
        List<T> values = present(row);
        if (values.size() != partitions.end() - partitions.first()) {
            throw new IllegalStateException("row " + row + " has partitions=" + values.size());
        }
        return values;
    }

    /** Sets or removes the value of a partition. */
    public void set(int row, int partition, @Nullable T value) {
        cells[partitions.cell(row, partition)] = value;
    }

    /** Sets the values of a row to the values of a row of another table. */
    public void setRow(int row, PartitionTable<T> from, int source) {
        System.arraycopy(from.cells, partitions.cell(source, 0), cells, partitions.cell(row, 0), partitions.count());
    }

    /** Removes the values of a row. */
    public void clearRow(int row) {
        Arrays.fill(cells, partitions.cell(row, 0), partitions.cell(row + 1, 0), null);
    }

    /** Visits the values of all rows. */
    public void forEach(Visitor<? super T> visitor) {
        for (int row = 0; row < rows(); row++) {
            forEach(row, visitor);
        }
    }

    /** Visits the values of a row. */
    public void forEach(int row, Visitor<? super T> visitor) {
        for (int partition = partitions.first(); partition < partitions.end(); partition++) {
            T value = get(row, partition);
            if (value != null) {
                visitor.visit(row, partition, value);
            }
        }
    }
}
