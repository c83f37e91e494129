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
        return definitions(DefinitionsCompiler.check(folder));
    }

    /**
     * Checks a folder and compiles what is in it.
     *
     * @param timezone of text without a zone
     * @throws DefinitionsException as {@link #check}
     */
    public static LoadedPlan load(Path folder, ZoneId timezone) throws DefinitionsException {
        return load(DefinitionsCompiler.check(folder), timezone);
    }

    /**
     * Compiles definitions that were kept.
     *
     * @param timezone of text without a zone
     * @throws DefinitionsException when this program takes them no more
     */
    public static LoadedPlan load(DefinitionFiles files, ZoneId timezone) throws DefinitionsException {
        return load(DefinitionsCompiler.check(files.texts()), timezone);
    }

    private static LoadedPlan load(CheckResult result, ZoneId timezone) throws DefinitionsException {
        return new LoadedPlan(compile(definitions(result), timezone), new DefinitionFiles(result.files()));
    }

    private static Definitions definitions(CheckResult result) throws DefinitionsException {
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
