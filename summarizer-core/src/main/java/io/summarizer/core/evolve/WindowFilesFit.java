package io.summarizer.core.evolve;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a definition fits the files of closed windows, which stay as they are when definitions change. The
 * layouts of files have to {@link LayoutMatch match} the definition. Rows in memory lose the data of a removed field,
 * but files keep them, and fields of files are found by number. So a new field must not have the number of a removed
 * field: it would show the data of the removed field. Stateless.
 */
public final class WindowFilesFit {
    /** Files have rows, and their windows cannot change; {@link LayoutMatch} need not know how many rows. */
    private static final LayoutMatch.RowCounts FILES = new LayoutMatch.RowCounts() {
        @Override
        public long of(int summary, List<Integer> path) {
            return 0;
        }

        @Override
        public boolean hasFiles(int summary) {
            return true;
        }
    };

    private WindowFilesFit() {}

    /**
     * The reason why a definition does not fit the files. A file that did not fit the replaced definition either is no
     * reason.
     *
     * @param to the definition of the summary
     * @param from the definition that is replaced; null when there is none
     * @param files the layouts of the summary in files
     * @return a text for users; empty when the definition fits
     */
    public static String problem(SummaryLayout to, @Nullable SummaryLayout from, List<SummaryLayout> files) {
        for (SummaryLayout file : files) {
            List<String> refusals = refusals(file, to);
            if (!refusals.isEmpty() && (from == null || refusals(file, from).isEmpty())) {
                return String.join("; ", refusals);
            }
        }
        return reused(to.name(), to, from, files);
    }

    private static List<String> refusals(SummaryLayout file, SummaryLayout definition) {
        return LayoutMatch.of(List.of(file), FILES, List.of(definition), "in files of closed windows")
                .refusals();
    }

    /** Finds a new field or nested summary whose number another one has in files. */
    private static String reused(
            String table, SummaryLayout to, @Nullable SummaryLayout from, List<SummaryLayout> files) {
        for (ValueColumn value : to.values()) {
            boolean isNew = from == null || from.values().stream().noneMatch(old -> old.number() == value.number());
            List<String> names = files.stream()
                    .flatMap(file -> file.values().stream())
                    .filter(old -> old.number() == value.number())
                    .map(ValueColumn::name)
                    .toList();
            if (isNew && !names.isEmpty() && !names.contains(value.name())) {
                return text(table, value.number(), value.name(), names.get(0));
            }
        }
        for (SummaryLayout below : to.nested()) {
            SummaryLayout before = from == null
                    ? null
                    : numbered(List.of(from), below.number()).stream()
                            .findFirst()
                            .orElse(null);
            List<SummaryLayout> old = numbered(files, below.number());
            List<String> names = old.stream().map(SummaryLayout::name).toList();
            if (before == null && !names.isEmpty() && !names.contains(below.name())) {
                return text(table, below.number(), below.name(), names.get(0));
            }
            String problem = reused(table + "/" + below.name(), below, before, old);
            if (!problem.isEmpty()) {
                return problem;
            }
        }
        return "";
    }

    /** The nested summaries of this number. */
    private static List<SummaryLayout> numbered(List<SummaryLayout> layouts, int number) {
        return layouts.stream()
                .flatMap(layout -> layout.nested().stream())
                .filter(nested -> nested.number() == number)
                .toList();
    }

    private static String text(String table, int number, String name, String before) {
        return table + ": field " + number + " (" + name + ") is new, but files of closed windows have data of an"
                + " earlier field " + number + " (" + before + "); give the new field a number that was never used";
    }
}
