package io.summarizer.dsl.diagnose;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects errors and warnings, in separate lists. The same one at the same place counts once; beyond {@link #MAX_KEPT}
 * they are only counted. Belongs to one thread.
 */
public final class Diagnostics {
    /** Most errors shown to people. */
    public static final int MAX_SHOWN = 50;
    /** Most errors that are kept for sorting; further ones are only counted. */
    public static final int MAX_KEPT = 1000;

    /** The identity of a diagnostic. */
    private record Key(String file, Span span, String message) {}

    /** A diagnostic whose source line was not looked up yet: most lines are never shown. */
    private record Pending(Source source, Span span, String message, List<String> help) {}

    private static final Comparator<Pending> BY_PLACE = Comparator.comparing((Pending error) -> error.source.name())
            .thenComparingInt(error -> error.span.line())
            .thenComparingInt(error -> error.span.column())
            .thenComparing(error -> error.message);

    private final Set<Key> seen = new HashSet<>();
    private final List<Pending> errors = new ArrayList<>();
    private final List<Pending> warnings = new ArrayList<>();
    private final boolean lenient;
    private long dropped;

    /** Diagnostics of new definitions. */
    public Diagnostics() {
        this(false);
    }

    /**
     * Diagnostics.
     *
     * @param lenient whether the definitions were in force once, so that new errors are warnings
     */
    public Diagnostics(boolean lenient) {
        this.lenient = lenient;
    }

    /** Adds an error with advice. */
    public void error(Source source, Span span, String message, String... help) {
        error(source, span, message, List.of(help));
    }

    /** Adds an error with advice. */
    public void error(Source source, Span span, String message, List<String> help) {
        if (errors.size() >= MAX_KEPT) {
            dropped++;
        } else {
            add(errors, new Pending(source, span, message, help));
        }
    }

    /** Adds a warning with advice. */
    public void warning(Source source, Span span, String message, String... help) {
        if (warnings.size() < MAX_KEPT) {
            add(warnings, new Pending(source, span, message, List.of(help)));
        }
    }

    /** Adds an error that earlier versions did not report; for definitions that were in force then it is a warning. */
    public void newError(Source source, Span span, String message, String... help) {
        if (lenient) {
            warning(source, span, message, help);
        } else {
            error(source, span, message, help);
        }
    }

    private void add(List<Pending> to, Pending added) {
        if (seen.add(new Key(added.source.name(), added.span, added.message))) {
            to.add(added);
        }
    }

    /** Whether there is no error. */
    public boolean isEmpty() {
        return errors.isEmpty();
    }

    /** Number of errors. */
    public long count() {
        return errors.size() + dropped;
    }

    /** The errors that were kept, by file, line and column. */
    public List<Diagnostic> sorted() {
        return sorted(errors, Diagnostic.Severity.ERROR);
    }

    /** The warnings that were kept, by file, line and column. */
    public List<Diagnostic> warnings() {
        return sorted(warnings, Diagnostic.Severity.WARNING);
    }

    private static List<Diagnostic> sorted(List<Pending> kept, Diagnostic.Severity severity) {
        List<Pending> pending = new ArrayList<>(kept);
        pending.sort(BY_PLACE);
        List<Diagnostic> sorted = new ArrayList<>();
        Source source = new Source("", "");
        int line = 0;
        String text = "";
        for (Pending error : pending) {
            if (!error.source.equals(source) || error.span.line() != line) {
                source = error.source;
                line = error.span.line();
                text = line == 0 ? "" : error.source.line(line);
            }
            sorted.add(new Diagnostic(severity, error.source.name(), error.span, error.message, text, error.help));
        }
        return List.copyOf(sorted);
    }

    /**
     * The first {@link #MAX_SHOWN} of sorted diagnostics, an empty line between them, then the number of further ones.
     */
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
