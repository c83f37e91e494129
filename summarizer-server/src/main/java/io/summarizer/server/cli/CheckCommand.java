package io.summarizer.server.cli;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.diagnose.Diagnostic;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.PlanLoader;
import io.summarizer.server.service.SummarizerService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code check}: reports the problems of definitions and a configuration. */
@Command(
        name = "check",
        description = {
            "Checks definitions, and shows all mistakes at once.",
            "With --config or --set it also checks the configuration, its certificates and its file of tokens, as the"
                    + " service does at its start, but opens no port. With --server it only checks the"
                    + " definitions of the running service."
        },
        exitCodeList = "1:The definitions have errors. Warnings do not matter.")
final class CheckCommand extends JsonCommand {
    @Option(
            names = "--emit-java",
            paramLabel = "DIR",
            description =
                    "Folder for the Java code that is generated from the definitions. Default: no code is written.")
    private @Nullable Path emitted;

    @Mixin
    private DefinitionsSource source = new DefinitionsSource();

    /**
     * The answer as JSON.
     *
     * @param definitions the definitions, or null when they have errors
     * @param errors number of errors; {@code diagnostics} has at most 1000 of them
     */
    record Answer(
            boolean fine,
            DefinitionsSource.@Nullable Used definitions,
            long events,
            long summaries,
            long mappings,
            long errors,
            List<Found> diagnostics) {}

    /** An error or a warning. Line and column are 0 when the problem concerns a whole file. */
    record Found(String severity, String file, int line, int column, String message, List<String> help) {
        static Found of(Diagnostic diagnostic) {
            return new Found(
                    diagnostic.severity().name().toLowerCase(Locale.ROOT),
                    diagnostic.file(),
                    diagnostic.line(),
                    diagnostic.line() == 0 ? 0 : diagnostic.column(),
                    diagnostic.message(),
                    diagnostic.help());
        }
    }

    @Override
    public Integer call()
            throws IOException, CommandFailure, ConfigException, DefinitionsException, InterruptedException {
        if (source.hasConfig(environment)) {
            SummarizerService.check(source.config(environment));
        }
        DefinitionsSource.Loaded loaded;
        try {
            loaded = source.load(environment);
            compile(loaded);
        } catch (DefinitionsException e) {
            if (json.isGiven()) {
                List<Found> found = e.diagnostics().stream().map(Found::of).toList();
                JsonOption.print(new Answer(false, null, 0, 0, 0, e.errors(), found), terminal);
            }
            throw e;
        }
        Definitions definitions = loaded.checked().definitions();
        if (source.hasConfig(environment)) {
            SummarizerService.checkExports(source.config(environment), definitions.summaries());
        }
        String place = loaded.used().place();
        if (json.isGiven()) {
            List<Found> found =
                    loaded.checked().diagnostics().stream().map(Found::of).toList();
            JsonOption.print(
                    new Answer(
                            true,
                            loaded.used(),
                            definitions.events().size(),
                            Plans.summaries(definitions),
                            definitions.mappings().size(),
                            0,
                            found),
                    terminal);
        } else {
            Plans.warn(loaded.checked(), terminal);
            terminal.out().println(place + ": fine, " + Plans.extent(definitions));
        }
        if (emitted != null) {
            String classes = emit(definitions, emitted);
            (json.isGiven() ? terminal.err() : terminal.out()).println(emitted + ": " + classes);
        }
        return Exit.OK;
    }

    /**
     * Compiles definitions as the service does at its start. So a service can start with definitions that pass this
     * check.
     */
    private static void compile(DefinitionsSource.Loaded loaded) throws DefinitionsException {
        Definitions definitions = loaded.checked().definitions();
        Plan plan = PlanLoader.compile(loaded.used().place(), definitions, PlanCompiler.Options.DEFAULT);
        for (int event = 0; event < definitions.events().size(); event++) {
            plan.newProgram(event);
        }
        CsvQueryCompiler.of(definitions.summaries());
    }

    private static String emit(Definitions definitions, Path target) throws CommandFailure {
        List<GeneratedSource> sources =
                new ArrayList<>(PlanSources.of(definitions).all());
        Names types = new Names();
        sources.forEach(source -> types.reserve(source.simpleName()));
        sources.addAll(CsvQueryCompiler.sources(definitions.summaries(), types));
        try {
            for (GeneratedSource source : sources) {
                Path file = target.resolve(source.path());
                Files.createDirectories(file.resolveSibling("."));
                Files.writeString(file, source.text());
            }
        } catch (IOException e) {
            throw new CommandFailure("cannot write Java to " + target + ": " + e, e);
        }
        return Units.count(sources.size(), "class");
    }
}
