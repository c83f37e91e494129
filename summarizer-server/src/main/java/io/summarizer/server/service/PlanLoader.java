package io.summarizer.server.service;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.model.Definitions;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** From a folder of definitions to a plan that can be run. */
public final class PlanLoader {
    private PlanLoader() {}

    /**
     * Checks a folder.
     *
     * @throws DefinitionsException with all that is wrong, as {@code check} prints it
     */
    public static Definitions check(Path folder) throws DefinitionsException {
        CheckResult result = DefinitionsCompiler.check(folder);
        return result.definitions().orElseThrow(() -> new DefinitionsException(result.render(), result.errors()));
    }

    /**
     * Compiles checked definitions.
     *
     * @param timezone of text without a zone
     */
    public static Plan compile(Definitions definitions, ZoneId timezone) {
        return PlanCompiler.compile(definitions, new PlanCompiler.Options(List.of(timezone)));
    }
}
