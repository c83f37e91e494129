package io.summarizer.core.store;

import java.util.List;

/**
 * Shape of a summary: its key, its aggregates, its nested summaries. Immutable.
 *
 * @param name name of a top-level summary; for a nested one, the name of its {@code repeated} field
 * @param number field number of a nested summary, 0 for a top-level one
 * @param keys key columns in the order of definition, at least one
 * @param values value columns in the order of definition; an update names them by position
 * @param nested nested summaries in the order of definition; an update names them by position
 */
public record SummaryLayout(
        String name, int number, List<KeyColumn> keys, List<ValueColumn> values, List<SummaryLayout> nested) {
    public SummaryLayout {
        keys = List.copyOf(keys);
        values = List.copyOf(values);
        nested = List.copyOf(nested);
    }

    /** A key column; {@code number} is its identity in state files. */
    public record KeyColumn(String name, int number, KeyType type) {}

    /**
     * A value column; {@code number} is its identity in state files.
     *
     * @param log2m of a {@code multiset64}: log2 of its registers, else 0
     * @param regwidth of a {@code multiset64}: bits of a register, else 0
     */
    public record ValueColumn(String name, int number, AggregateType type, int log2m, int regwidth) {}
}
