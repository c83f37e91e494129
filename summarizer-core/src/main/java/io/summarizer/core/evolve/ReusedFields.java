package io.summarizer.core.evolve;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds new fields whose number a field of the files of closed windows has already. Rows in memory lose the data of a
 * removed field, but files keep them, and fields of files are found by number. So a new field with the number of a
 * removed field would show the data of the removed field. Stateless.
 */
public final class ReusedFields {
    private ReusedFields() {}

    /**
     * The first new field that would show data of another field.
     *
     * @param to the definition of the summary
     * @param from the definition that is replaced; null when there is none
     * @param file the layout of the summary in a file
     * @return a text for users; empty when there is no such field
     */
    public static String problem(SummaryLayout to, @Nullable SummaryLayout from, SummaryLayout file) {
        return problem(to.name(), to, from, file);
    }

    private static String problem(String table, SummaryLayout to, @Nullable SummaryLayout from, SummaryLayout file) {
        for (ValueColumn value : to.values()) {
            if (from == null || !has(from, value.number())) {
                ValueColumn old = value(file, value.number());
                boolean fits = old != null && old.name().equals(value.name()) && LayoutMatch.converts(old, value);
                if (has(file, value.number()) && !fits) {
                    return text(table, value.number(), value.name(), file);
                }
            }
        }
        for (SummaryLayout below : to.nested()) {
            SummaryLayout before = from == null ? null : nested(from, below.number());
            SummaryLayout old = nested(file, below.number());
            boolean isNew = from == null || !has(from, below.number());
            if (isNew
                    && has(file, below.number())
                    && (old == null || !old.name().equals(below.name()))) {
                return text(table, below.number(), below.name(), file);
            }
            String problem = old == null ? "" : problem(table + "/" + below.name(), below, before, old);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return "";
    }

    private static String text(String table, int number, String name, SummaryLayout file) {
        ValueColumn value = value(file, number);
        SummaryLayout nested = nested(file, number);
        String old = value != null
                ? value.name() + ", " + value.type().keyword()
                : nested != null ? "the nested summary " + nested.name() : "";
        return table + ": field " + number + " (" + name + ") is new, but files of closed windows have data of an"
                + " earlier field " + number + " (" + old + "); give the new field a number that was never used";
    }

    private static boolean has(SummaryLayout layout, int number) {
        return value(layout, number) != null || nested(layout, number) != null;
    }

    private static @Nullable ValueColumn value(SummaryLayout layout, int number) {
        return first(layout.values(), value -> value.number() == number);
    }

    private static @Nullable SummaryLayout nested(SummaryLayout layout, int number) {
        return first(layout.nested(), nested -> nested.number() == number);
    }

    private static <T> @Nullable T first(Iterable<T> all, Predicate<T> fits) {
        for (T each : all) {
            if (fits.test(each)) {
                return each;
            }
        }
        return null;
    }
}
