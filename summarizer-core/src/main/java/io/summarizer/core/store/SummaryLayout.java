package io.summarizer.core.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a summary: its key columns, its value columns, and its nested summaries. Immutable.
 *
 * @param name name of a top-level summary; for a nested summary, the name of its {@code repeated} field
 * @param number field number of a nested summary; 0 for a top-level summary
 * @param keys key columns in the order of definition, at least one
 * @param values value columns in the order of definition; an update names them by position
 * @param nested nested summaries in the order of definition; an update names them by position
 * @param limit the bounds of the summary; they have no effect on the form of its rows
 * @param window the time windows of a top-level summary; null when its rows have no windows
 */
public record SummaryLayout(
        String name,
        int number,
        List<KeyColumn> keys,
        List<ValueColumn> values,
        List<SummaryLayout> nested,
        SummaryLimit limit,
        @Nullable SummaryWindow window) {
    /** Suffix of the name of a summary that takes the overflow of another summary. */
    private static final String OVERFLOW = ".overflow";

    public SummaryLayout {
        keys = List.copyOf(keys);
        values = List.copyOf(values);
        nested = List.copyOf(nested);
    }

    /** A layout without windows. */
    public SummaryLayout(
            String name,
            int number,
            List<KeyColumn> keys,
            List<ValueColumn> values,
            List<SummaryLayout> nested,
            SummaryLimit limit) {
        this(name, number, keys, values, nested, limit, null);
    }

    /** A layout without bounds of its own; only the server's bound on keys holds. */
    public SummaryLayout(
            String name, int number, List<KeyColumn> keys, List<ValueColumn> values, List<SummaryLayout> nested) {
        this(name, number, keys, values, nested, SummaryLimit.DEFAULT);
    }

    /** The position of the layout of this name, or -1. */
    public static int indexOf(List<SummaryLayout> layouts, String name) {
        for (int i = 0; i < layouts.size(); i++) {
            if (layouts.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Whether an overflow summary takes the updates of this summary, or of a summary nested in it, when there are too
     * many keys.
     */
    public boolean overflows() {
        return limit.overflow() == SummaryLimit.Overflow.OTHER
                || nested.stream().anyMatch(SummaryLayout::overflows);
    }

    /** Whether this is an overflow summary, in which one row takes the updates of all keys. */
    public boolean isKeyless() {
        return limit.overflow() == SummaryLimit.Overflow.KEYLESS;
    }

    /** Name of the top-level summary that takes the overflow of this summary. */
    public String overflowName() {
        return name + OVERFLOW;
    }

    /**
     * Name of the top-level summary whose overflow this summary takes. For a summary that takes no overflow, the result
     * is its own name.
     */
    public String overflowOf() {
        return isKeyless() ? name.substring(0, name.length() - OVERFLOW.length()) : name;
    }

    /**
     * The top-level summary that takes the overflow of this summary. It has the same columns, but all keys are null. If
     * a summary {@linkplain #overflows() may overflow}, the plan also has this overflow summary.
     */
    public SummaryLayout overflow() {
        return new SummaryLayout(
                overflowName(),
                number,
                keys,
                values,
                nested.stream().map(SummaryLayout::keyless).toList(),
                SummaryLimit.KEYLESS,
                window);
    }

    private static SummaryLayout keyless(SummaryLayout layout) {
        return new SummaryLayout(
                layout.name,
                layout.number,
                layout.keys,
                layout.values,
                layout.nested.stream().map(SummaryLayout::keyless).toList(),
                SummaryLimit.KEYLESS);
    }

    /** A key column; {@code number} is its identity in state files. */
    public record KeyColumn(String name, int number, KeyType type) {}

    /**
     * A value column; {@code number} is its identity in state files.
     *
     * @param log2m for a {@code multiset64}, log2 of the number of its registers, else 0
     * @param regwidth for a {@code multiset64}, the bits of a register, else 0
     */
    public record ValueColumn(String name, int number, AggregateType type, int log2m, int regwidth) {}
}
