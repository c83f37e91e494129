package io.summarizer.dsl.diagnose;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
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

    /** What makes an error the same as another. */
    private record Key(String file, Span span, String message) {}

    /** An error whose source line was not looked up yet: most lines are never shown. */
    private record Pending(Source source, Span span, String message, List<String> help) {}

    private static final Comparator<Pending> BY_PLACE = Comparator.comparing((Pending error) -> error.source.name())
            .thenComparingInt(error -> error.span.line())
            .thenComparingInt(error -> error.span.column())
            .thenComparing(error -> error.message);

    private final Set<Key> seen = new HashSet<>();
    private final List<Pending> kept = new ArrayList<>();
    private long dropped;

    /** Adds an error with advice. */
    public void error(Source source, Span span, String message, String... help) {
        error(source, span, message, List.of(help));
    }

    /** Adds an error with advice. */
    public void error(Source source, Span span, String message, List<String> help) {
        if (kept.size() >= MAX_KEPT) {
            dropped++;
        } else if (seen.add(new Key(source.name(), span, message))) {
            kept.add(new Pending(source, span, message, help));
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
        List<Pending> errors = new ArrayList<>(kept);
        errors.sort(BY_PLACE);
        List<Diagnostic> sorted = new ArrayList<>();
        Source source = new Source("", "");
        int line = 0;
        String text = "";
        for (Pending error : errors) {
            if (!error.source.equals(source) || error.span.line() != line) {
                source = error.source;
                line = error.span.line();
                text = line == 0 ? "" : error.source.line(line);
            }
            sorted.add(new Diagnostic(error.source.name(), error.span, error.message, text, error.help));
        }
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
