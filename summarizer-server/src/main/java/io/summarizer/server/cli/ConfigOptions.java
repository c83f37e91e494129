package io.summarizer.server.cli;

import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ConfigProblem;
import io.summarizer.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the commands that take a configuration. */
final class ConfigOptions {
    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Set a key of the configuration; may be given several times.")
    private List<String> sets = new ArrayList<>();

    /** The configuration from {@code file}, the environment and {@code --set}. */
    ServerConfig load(@Nullable Path file, Map<String, String> environment) throws CommandFailure {
        try {
            return ConfigLoader.load(HomeFolder.path(), file, environment, sets);
        } catch (ConfigException e) {
            throw CommandFailure.withDetails(
                    String.join(
                            "\n",
                            e.problems().stream().map(ConfigProblem::toString).toList()),
                    "the configuration has " + e.problems().size() + " problem"
                            + (e.problems().size() == 1 ? "" : "s"));
        }
    }
}
