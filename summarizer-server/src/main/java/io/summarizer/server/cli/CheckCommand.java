package io.summarizer.server.cli;

import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.GeneratedSource;
import io.summarizer.dsl.generate.Names;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.model.Definitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code check}: what is wrong with definitions, or that nothing is. */
@Command(name = "check", description = "Checks definitions; shows all that is wrong with them.", sortOptions = false)
final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--definitions",
            paramLabel = "DIR",
            description = "Folder of the .summ files. Default: schemas of this project.")
    private @Nullable Path folder;

    @Option(
            names = "--emit-java",
            paramLabel = "DIR",
            description = "Folder to write the Java to that the definitions become. Default: none is written.")
    private @Nullable Path emitted;

    CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailure {
        Path folder = this.folder == null ? HomeFolder.definitions() : this.folder;
        Definitions definitions = Plans.check(folder, terminal);
        compile(definitions);
        terminal.out()
                .println(folder + ": fine, " + Units.count(definitions.events().size(), "event type") + ", "
                        + Units.count(summaries(definitions), "summary") + ", "
                        + Units.count(definitions.mappings().size(), "mapping"));
        if (emitted != null) {
            terminal.out().println(emitted + ": " + emit(definitions, emitted));
        }
        return Main.OK;
    }

    /** How many are declared. */
    private static long summaries(Definitions definitions) {
        return definitions.summaries().stream()
                .filter(summary -> !summary.isKeyless())
                .count();
    }

    /** Makes all that is made of definitions at a start, so that what is fine here starts. */
    private static void compile(Definitions definitions) {
        Plan plan = PlanCompiler.compile(definitions);
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
