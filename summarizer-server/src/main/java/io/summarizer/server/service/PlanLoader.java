package io.summarizer.server.service;

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
     * @param timezones of text without a zone, by the number of the listener that brings it
     * @throws DefinitionsException as {@link #check}
     */
    public static LoadedPlan load(Path folder, List<ZoneId> timezones) throws DefinitionsException {
        return load(DefinitionsCompiler.check(folder), timezones);
    }

    /**
     * Compiles definitions that were kept.
     *
     * @param timezones of text without a zone, by the number of the listener that brings it
     * @throws DefinitionsException when this program takes them no more
     */
    public static LoadedPlan load(DefinitionFiles files, List<ZoneId> timezones) throws DefinitionsException {
        return load(DefinitionsCompiler.check(files.texts()), timezones);
    }

    private static LoadedPlan load(CheckResult result, List<ZoneId> timezones) throws DefinitionsException {
        PlanCompiler.Options options = new PlanCompiler.Options(timezones);
        return new LoadedPlan(PlanCompiler.compile(definitions(result), options), new DefinitionFiles(result.files()));
    }

    private static Definitions definitions(CheckResult result) throws DefinitionsException {
        return result.definitions().orElseThrow(() -> new DefinitionsException(result.render(), result.errors()));
    }
}
