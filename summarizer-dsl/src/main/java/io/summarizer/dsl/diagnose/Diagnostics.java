package io.summarizer.dsl.diagnose;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects errors and warnings, in separate lists. The same message at the same place counts once. Errors and warnings
 * beyond {@link #MAX_KEPT} are only counted. Used by one thread.
 */
public final class Diagnostics {
    /** Maximum number of errors shown to people. */
    public static final int MAX_SHOWN = 50;
    /** Maximum number of errors that are kept for sorting; further errors are only counted. */
    public static final int MAX_KEPT = 1000;

    private static final Comparator<Diagnostic> BY_PLACE = Comparator.comparing(Diagnostic::file)
            .thenComparingInt(Diagnostic::line)
            .thenComparingInt(Diagnostic::column)
            .thenComparing(Diagnostic::message);

    /** The identities of diagnostics: their places and messages. */
    private final Set<List<Object>> seen = new HashSet<>();

    private final List<Diagnostic> errors = new ArrayList<>();
    private final List<Diagnostic> warnings = new ArrayList<>();
    private final boolean lenient;
    private final boolean strict;
    private long dropped;

    /** Diagnostics of new definitions. */
    public Diagnostics() {
        this(false);
    }

    /**
     * Diagnostics.
     *
     * @param lenient whether the definitions were in use before; if so, errors that earlier versions did not report
     *     become warnings
     */
    public Diagnostics(boolean lenient) {
        this(lenient, false);
    }

    private Diagnostics(boolean lenient, boolean strict) {
        this.lenient = lenient;
        this.strict = strict;
    }

    /** Diagnostics of a query, whose answer has no place for warnings: warnings become errors, except hints. */
    public static Diagnostics ofQuery() {
        return new Diagnostics(false, true);
    }

    /** Adds an error with advice. Returns null, the result of a failed check. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // null has any type
    public <T> @Nullable T error(Span span, String message, String... help) {
        return error(span, message, List.of(help));
    }

    /** Adds an error with advice. Returns null, the result of a failed check. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // null has any type
    public <T> @Nullable T error(Span span, String message, List<String> help) {
        if (errors.size() >= MAX_KEPT) {
            dropped++;
        } else {
            add(errors, new Diagnostic(Diagnostic.Severity.ERROR, span, message, help));
        }
        return null;
    }

    /**
     * Adds an error with advice that takes time to find. The advice is asked for only if the error is kept. Returns
     * null, the result of a failed check.
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // null has any type
    public <T> @Nullable T error(Span span, String message, Supplier<List<String>> help) {
        return error(span, message, errors.size() >= MAX_KEPT ? List.of() : help.get());
    }

    /** Adds a warning with advice. */
    public void warning(Span span, String message, String... help) {
        if (strict) {
            error(span, message, help);
        } else if (warnings.size() < MAX_KEPT) {
            add(warnings, new Diagnostic(Diagnostic.Severity.WARNING, span, message, List.of(help)));
        }
    }

    /** Adds a warning with advice about a value that is defined, but may surprise. A query takes it without a word. */
    public void hint(Span span, String message, String... help) {
        if (!strict) {
            warning(span, message, help);
        }
    }

    /**
     * Adds an error that earlier versions did not report. For definitions that were in use before, adds a warning
     * instead.
     */
    public void newError(Span span, String message, String... help) {
        if (lenient) {
            warning(span, message, help);
        } else {
            error(span, message, help);
        }
    }

    private void add(List<Diagnostic> to, Diagnostic added) {
        if (seen.add(
                List.of(added.file(), added.line(), added.column(), added.span().length(), added.message()))) {
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
        return errors.stream().sorted(BY_PLACE).toList();
    }

    /** The warnings that were kept, by file, line and column. */
    public List<Diagnostic> warnings() {
        return warnings.stream().sorted(BY_PLACE).toList();
    }

    /**
     * The first {@link #MAX_SHOWN} diagnostics in their sorted order, as text, with empty lines between them. If there
     * are more, their number follows.
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
