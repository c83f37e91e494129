package io.summarizer.server.service;

import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.codegen.TooLargeException;
import io.summarizer.dsl.diagnose.Diagnostic;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
import java.util.List;
import java.util.Locale;

/** Thrown for definitions with errors; the message lists all of them. */
public final class DefinitionsException extends Exception {
    private static final long serialVersionUID = 1;

    private final String place;
    private final long errors;
    private final boolean readable;
    private final transient List<Diagnostic> diagnostics;

    /**
     * Makes the exception for a check that found errors.
     *
     * @param place place of the definitions, for the message
     */
    DefinitionsException(String place, CheckResult result) {
        super(result.render().strip());
        this.place = place;
        readable = result.isReadable();
        errors = result.errors();
        diagnostics = result.diagnostics();
    }

    /** Makes the exception for definitions that are too large to compile. */
    public DefinitionsException(String place, TooLargeException cause) {
        super(tooLarge(place, cause).render().strip(), cause);
        this.place = place;
        readable = true;
        errors = 1;
        diagnostics = List.of(tooLarge(place, cause));
    }

    private static Diagnostic tooLarge(String place, TooLargeException cause) {
        return new Diagnostic(
                Diagnostic.Severity.ERROR,
                Span.of(new Source(place, "")),
                String.valueOf(cause.getMessage()),
                List.of("write fewer statements, or divide them among several event types or summaries"));
    }

    /** All errors, for people. */
    public String rendered() {
        return String.valueOf(getMessage());
    }

    /** The definitions and the number of their errors: {@code schemas has 2 errors}. */
    public String summary() {
        return String.format(Locale.ROOT, "%s has %,d %s", place, errors, errors == 1 ? "error" : "errors");
    }

    /** Whether the folder, or a required file in it, could not be read. */
    public boolean isUnreadable() {
        return !readable;
    }

    /** Number of errors. */
    public long errors() {
        return errors;
    }

    /** The errors, up to a maximum number, in the order of file, line and column. */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }
}
