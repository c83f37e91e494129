package io.summarizer.server.cli;

import io.summarizer.core.ledger.NullValues;
import java.util.ArrayList;
import java.util.List;

/** Writes lines about expressions that were null because a part of them failed. Stateless. */
final class NullLines {
    /** Largest number of listed expressions. Those with the most nulls are listed. */
    private static final int LINES_MAX = 20;

    private NullLines() {}

    /** Returns a line for each expression with nulls, and a warning for each expression that gave only nulls. */
    static List<String> of(List<NullValues> all) {
        List<String> lines = new ArrayList<>();
        NullValues.worst(all, LINES_MAX).forEach(values -> lines.add("nulls     " + line(values)));
        long more = all.stream().filter(values -> values.total() > 0).count() - lines.size();
        if (more > 0) {
            lines.add("nulls     in " + Units.count(more) + " more expressions, see the ledger");
        }
        NullValues.worst(all, LINES_MAX).stream()
                .filter(NullValues::isAlways)
                .forEach(values -> lines.add("summarizer: warning: " + values.place()
                        + ": each value of this expression was null: " + values.expression()));
        return lines;
    }

    private static String line(NullValues values) {
        return Units.count(values.total()) + " of " + Units.count(values.evaluated()) + " (" + values.reasons()
                + values.sampleText() + ") in " + values.expression() + " at " + values.place();
    }
}
