package io.summarizer.dsl.check;

import io.summarizer.dsl.diagnose.Diagnostic;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.model.Definitions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a check: definitions, or all of their errors. Immutable.
 *
 * @param definitions the checked definitions; present when there is no error
 * @param diagnostics errors by file, line and column
 * @param errors number of errors; {@code diagnostics} has at most {@link Diagnostics#MAX_KEPT} of them
 * @param warnings warnings by file, line and column; definitions with warnings can be used
 * @param files texts of all files that were read, by their paths from the folder: a call of {@link
 *     DefinitionsCompiler#check(Map)} with these texts gives the same result
 * @param isReadable whether the folder and all needed files could be read
 */
public record CheckResult(
        Optional<Definitions> definitions,
        List<Diagnostic> diagnostics,
        long errors,
        List<Diagnostic> warnings,
        Map<String, String> files,
        boolean isReadable) {
    public CheckResult {
        diagnostics = List.copyOf(diagnostics);
        warnings = List.copyOf(warnings);
        files = Map.copyOf(files);
    }

    /** Whether there is no error. */
    public boolean isValid() {
        return definitions.isPresent();
    }

    /** The errors as text, at most {@link Diagnostics#MAX_SHOWN}; empty when there are no errors. */
    public String render() {
        return Diagnostics.render(diagnostics, errors);
    }

    /** The warnings as text, at most {@link Diagnostics#MAX_SHOWN}; empty when there are no warnings. */
    public String renderWarnings() {
        return Diagnostics.render(warnings, warnings.size());
    }
}
