package io.summarizer.server.service;

import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.LayoutMatch.Change;
import io.summarizer.core.evolve.LayoutMatch.Kind;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reports the effect of new definitions on summaries, with one line for each summary, and one line for each changed
 * field of a summary.
 */
public final class ChangeReport {
    private final LayoutMatch match;
    private final Function<String, List<Long>> windows;
    private final long now;

    /** Makes a report of summaries without files of closed windows. */
    public ChangeReport(LayoutMatch match) {
        this(match, summary -> List.of(), 0);
    }

    /**
     * Makes a report.
     *
     * @param windows the ends, in µs since the epoch, of those windows of a summary that have files
     * @param now time in µs since the epoch
     */
    public ChangeReport(LayoutMatch match, Function<String, List<Long>> windows, long now) {
        this.match = match;
        this.windows = windows;
        this.now = now;
    }

    /** Whether the definitions must be refused. */
    public boolean isRefused() {
        return !match.refusals().isEmpty();
    }

    /** The lines, each with a line feed. */
    public String text() {
        StringBuilder text = new StringBuilder();
        for (int summary = 0; summary < match.to().size(); summary++) {
            if (!isToldOfAnother(match.to().get(summary), match.to())) {
                defined(summary, text);
            }
        }
        for (SummaryLayout layout : match.from()) {
            if (!isToldOfAnother(layout, match.from())
                    && match.changes().stream().anyMatch(change -> isLoss(change, layout))) {
                line(
                        layout.name(),
                        "is not defined any more; its " + count(layout.name(), "goes", "go") + renamed(layout),
                        text);
            }
        }
        if (match.to().isEmpty()) {
            text.append("no summary is defined\n");
        }
        if (isRefused() && changesOf(Kind.REFUSED).isEmpty()) {
            match.refusals()
                    .forEach(refusal -> text.append("refused: ").append(refusal).append('\n'));
        }
        return text.toString();
    }

    /**
     * Whether a summary needs no lines of its own in the report. True for a summary that exists before and after the
     * change, and that takes the overflow of another summary. The lines of the other summary cover it.
     */
    private boolean isToldOfAnother(SummaryLayout layout, List<SummaryLayout> all) {
        if (!layout.isKeyless()) {
            return false;
        }
        String other = layout.overflowOf();
        boolean inBoth = SummaryLayout.indexOf(match.from(), layout.name()) >= 0
                && SummaryLayout.indexOf(match.to(), layout.name()) >= 0;
        return inBoth && SummaryLayout.indexOf(all, other) >= 0;
    }

    private void defined(int summary, StringBuilder text) {
        String name = match.to().get(summary).name();
        List<Change> changes = match.changes().stream()
                .filter(change -> change.summary().equals(name))
                .toList();
        boolean refused = changes.stream().anyMatch(change -> change.kind() == Kind.REFUSED);
        if (refused) {
            line(name, "is refused; it has " + count(name), text);
        } else {
            switch (match.outcome(summary)) {
                case NEW -> line(name, "is new and starts empty" + files(name), text);
                case KEPT -> line(name, "stays with its " + count(name), text);
                case REBUILT -> line(name, "stays; its " + count(name, "is", "are") + " laid out anew", text);
            }
        }
        if (match.to().get(summary).window() == null) { // else, a limit holds for each window
            for (Table table : Table.of(match.to().get(summary))) {
                limit(table, match.rows(summary, table.positions()), text);
            }
        }
        deleted(match.to().get(summary))
                .ifPresent(what -> text.append("  ").append(what).append('\n'));
        for (Change change : changes) {
            if (change.ofField() || change.table().contains("/")) {
                String table = change.table().equals(name) ? "" : nestedPath(change.table());
                String before = table.isEmpty() ? "" : table + (change.ofField() ? ": " : " ");
                text.append("  " + before + change.what() + '\n');
            }
        }
    }

    /** The files that an earlier summary of this name has left. */
    private String files(String name) {
        int files = windows.apply(name).size();
        return files == 0
                ? ""
                : String.format(Locale.ROOT, ", but the files of %,d closed windows belong to it again", files);
    }

    /**
     * Returns the report on the number of files that the new {@code keep} of a summary deletes at once; empty when
     * there are no such files.
     */
    public Optional<String> deleted(SummaryLayout summary) {
        SummaryWindow window = summary.window();
        if (window == null || window.keepMicros() == SummaryWindow.FOR_EVER) {
            return Optional.empty();
        }
        List<Long> ends = windows.apply(summary.name());
        long deleted =
                ends.stream().filter(end -> end <= now - window.keepMicros()).count();
        return deleted == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, "keep deletes %,d of its %,d files of closed windows", deleted, ends.size()));
    }

    /**
     * Reports a bound that is below the present number of rows, with both numbers. Such a bound removes no rows, but
     * lets no further keys in.
     */
    private static void limit(Table table, long there, StringBuilder text) {
        SummaryLimit limit = table.layout().limit();
        long keys = limit.keys();
        if (keys > 0 && keys < there) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %slimit keys = %,d is below its %,d rows: these stay, and further keys are %s\n",
                    table.isNested() ? nestedPath(table.path()) + ": " : "",
                    keys,
                    there,
                    limit.overflow() == SummaryLimit.Overflow.OTHER ? "put into the overflow" : "refused"));
        }
    }

    /** The part of a table's path below its top-level summary. */
    private static String nestedPath(String path) {
        return path.substring(path.indexOf('/') + 1);
    }

    private static boolean isLoss(Change change, SummaryLayout layout) {
        return change.kind() == Kind.LEFT_OUT
                && !change.ofField()
                && change.table().equals(layout.name());
    }

    /**
     * Reports that a summary may have been renamed. For the service, a summary with a new name is a new summary, so the
     * rows under the old name are about to be removed.
     */
    private String renamed(SummaryLayout gone) {
        List<String> alike = new ArrayList<>();
        for (int summary = 0; summary < match.to().size(); summary++) {
            SummaryLayout to = match.to().get(summary);
            if (match.outcome(summary) == LayoutMatch.Outcome.NEW
                    && to.keys().equals(gone.keys())
                    && to.values().equals(gone.values())
                    && to.isKeyless() == gone.isKeyless()) {
                alike.add(to.name());
            }
        }
        return alike.isEmpty()
                ? ""
                : " (a summary is known by its name; " + String.join(", ", alike)
                        + (alike.size() == 1 ? " starts empty)" : " start empty)");
    }

    private List<Change> changesOf(Kind kind) {
        return match.changes().stream().filter(change -> change.kind() == kind).toList();
    }

    private String count(String summary) {
        long count = match.rows(summary);
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? "row" : "rows");
    }

    /** The number of rows of a summary, followed by a verb: {@code one} for one row, otherwise {@code several}. */
    private String count(String summary, String one, String several) {
        return count(summary) + " " + (match.rows(summary) == 1 ? one : several);
    }

    private static void line(String summary, String what, StringBuilder text) {
        text.append(summary).append(' ').append(what).append('\n');
    }
}
