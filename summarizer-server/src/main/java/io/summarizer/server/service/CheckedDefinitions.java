package io.summarizer.server.service;

import io.summarizer.dsl.diagnose.Diagnostic;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.model.Definitions;
import java.util.List;

/**
 * Definitions without errors. Immutable.
 *
 * @param files files of the definitions
 * @param diagnostics the warnings, in the order of file, line and column
 */
public record CheckedDefinitions(Definitions definitions, DefinitionFiles files, List<Diagnostic> diagnostics) {
    public CheckedDefinitions {
        diagnostics = List.copyOf(diagnostics);
    }

    /** The warnings as {@code check} prints them; empty when there are no warnings. */
    public String warnings() {
        return Diagnostics.render(diagnostics, diagnostics.size()).strip();
    }
}
