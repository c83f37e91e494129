package io.summarizer.server.service;

import io.summarizer.core.pipeline.Plan;

/** A plan, and the definitions from which the plan was compiled. */
public record LoadedPlan(Plan plan, CheckedDefinitions checked) {
    /** The files of the definitions. */
    public DefinitionFiles files() {
        return checked.files();
    }
}
