package io.summarizer.server.service;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.codegen.TooLargeException;
import io.summarizer.dsl.model.Definitions;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** Loads a folder of definitions into an executable plan. */
public final class PlanLoader {
    private static final String KEPT = "the definitions";

    private PlanLoader() {}

    /**
     * Checks a folder.
     *
     * @throws DefinitionsException when there are errors; the exception has all of them, as {@code check} prints them
     */
    public static CheckedDefinitions check(Path folder) throws DefinitionsException {
        return checked(folder.toString(), DefinitionsCompiler.check(folder));
    }

    /**
     * Checks definitions that were kept.
     *
     * @throws DefinitionsException when this program no longer accepts the definitions
     */
    public static CheckedDefinitions check(DefinitionFiles files) throws DefinitionsException {
        return checked(KEPT, DefinitionsCompiler.checkKept(files.texts()));
    }

    /**
     * Checks a folder and compiles its definitions.
     *
     * @param timezones time zones of timestamps without a zone, by the number of the listener
     * @throws DefinitionsException as {@link #check}
     */
    public static LoadedPlan load(Path folder, List<ZoneId> timezones) throws DefinitionsException {
        return load(folder.toString(), check(folder), timezones);
    }

    /**
     * Compiles definitions that were kept.
     *
     * @param timezones time zones of timestamps without a zone, by the number of the listener
     * @throws DefinitionsException when this program no longer accepts the definitions
     */
    public static LoadedPlan load(DefinitionFiles files, List<ZoneId> timezones) throws DefinitionsException {
        return load(KEPT, check(files), timezones);
    }

    private static LoadedPlan load(String place, CheckedDefinitions checked, List<ZoneId> timezones)
            throws DefinitionsException {
        return new LoadedPlan(compile(place, checked.definitions(), new PlanCompiler.Options(timezones)), checked);
    }

    /**
     * Compiles checked definitions.
     *
     * @param place place of the definitions, for the message
     * @throws DefinitionsException when the definitions are too large
     */
    public static Plan compile(String place, Definitions definitions, PlanCompiler.Options options)
            throws DefinitionsException {
        try {
            return PlanCompiler.compile(definitions, options);
        } catch (TooLargeException e) {
            throw new DefinitionsException(place, e);
        }
    }

    private static CheckedDefinitions checked(String place, CheckResult result) throws DefinitionsException {
        Definitions definitions = result.definitions().orElseThrow(() -> new DefinitionsException(place, result));
        return new CheckedDefinitions(definitions, new DefinitionFiles(result.files()), result.warnings());
    }
}
