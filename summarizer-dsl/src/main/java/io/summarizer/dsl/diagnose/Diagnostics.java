package io.summarizer.dsl.diagnose;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects errors. The same error at the same place counts once; beyond {@link #MAX_KEPT} they are only counted. Belongs
 * to one thread.
 */
public final class Diagnostics {
    /** Errors shown to people. */
    public static final int MAX_SHOWN = 50;
    /** Errors kept to be sorted; what comes after them is only counted. */
    public static final int MAX_KEPT = 1000;

    private final Set<Diagnostic> kept = new LinkedHashSet<>();
    private long dropped;

    /** Adds an error with advice. */
    public void error(Source source, Span span, String message, String... help) {
        error(source, span, message, List.of(help));
    }

    /** Adds an error with advice. */
    public void error(Source source, Span span, String message, List<String> help) {
        if (kept.size() < MAX_KEPT) {
            kept.add(source.error(span, message, help));
        } else {
            dropped++;
        }
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return kept.isEmpty();
    }

    /** How many there are. */
    public long count() {
        return kept.size() + dropped;
    }

    /** What was kept, by file, line and column. */
    public List<Diagnostic> sorted() {
        List<Diagnostic> sorted = new ArrayList<>(kept);
        sorted.sort(Diagnostic.BY_PLACE);
        return List.copyOf(sorted);
    }

    /** The first {@link #MAX_SHOWN} of sorted errors, an empty line between them, then how many more there are. */
    public static String render(List<Diagnostic> sorted, long count) {
        StringBuilder out = new StringBuilder();
        int shown = Math.min(sorted.size(), MAX_SHOWN);
        for (Diagnostic diagnostic : sorted.subList(0, shown)) {
            out.append(out.isEmpty() ? "" : "\n").append(diagnostic.render());
        }
        if (count > shown) {
            out.append("\nand ").append(count - shown).append(" more\n");
        }
        return out.toString();
    }
}
